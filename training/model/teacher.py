"""A larger model that only teaches: all-mpnet-base-v2 (Apache-2.0, 12 layers of 768) over our own vocabulary.

`python3 teacher.py MPNET TOKENIZER OUT` writes its weights with vectors for the words of TOKENIZER, a word that is
new to it as the mean of its pieces. It ends in a projection onto as many dimensions as the student has; what train.py
made of it has one already.
"""

import json
import math
import pathlib
import shutil
import sys

import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from tokenizers import Tokenizer

from encoder import Encoder, Joined, Layer, layer_tensors, load_layers, read_tensors, vectors
from texts import DEVICE

NAMES = {
    "qkv": ["attention.attn.q", "attention.attn.k", "attention.attn.v"], "out": ["attention.attn.o"],
    "norm1": ["attention.LayerNorm"], "up": ["intermediate.dense"], "down": ["output.dense"], "norm2": ["output.LayerNorm"],
}  # fmt: skip
FRAME = {"[PAD]": "<pad>", "[CLS]": "<s>", "[SEP]": "</s>"}
FIRST_PLACE, FARTHEST = 2, 128
PROJECTION = "project.weight"


def buckets(width, count):
    """For each two places, in which class of distance they are: near ones each their own, far ones together."""
    places = torch.arange(width)
    away = places[:, None] - places[None]
    half = count // 2
    near = half // 2
    far = near + (torch.log(away.abs().clamp(min=1) / near) / math.log(FARTHEST / near) * (half - near)).long()
    return (away < 0).long() * half + torch.where(away.abs() < near, away.abs(), far.clamp(max=half - 1))


class Lean(torch.nn.LayerNorm):
    """A norm that hands on 16 bits: what is kept for the way back is halved, and so is most of the time."""

    def forward(self, x):
        x = x.bfloat16()
        with torch.autocast(DEVICE, enabled=False):
            return F.layer_norm(x, self.normalized_shape, self.weight.bfloat16(), self.bias.bfloat16(), self.eps)


class Teacher(Encoder):
    def __init__(self, config, width):
        super().__init__(config, config["num_hidden_layers"])
        hidden, heads, count = (config[k] for k in ("hidden_size", "num_attention_heads", "relative_attention_num_buckets"))
        self.register_buffer("far", torch.zeros(count, heads))
        self.register_buffer("bucket", buckets(config["max_position_embeddings"], count))
        self.project = torch.nn.Linear(hidden, width, bias=False)
        for module in self.modules():
            if isinstance(module, torch.nn.LayerNorm):
                module.eps, module.__class__ = config["layer_norm_eps"], Lean
            elif isinstance(module, Layer):
                module.__class__ = Joined

    def seen(self, mask):
        width = mask.shape[1]
        # Only what lies row by row in memory goes the short way through attention.
        bias = self.far[self.bucket[:width, :width]].permute(2, 0, 1).bfloat16().contiguous()
        return bias[None] + torch.zeros_like(mask, dtype=torch.bfloat16).masked_fill(~mask, -30000)[:, None, None, :]

    def last(self, pooled):
        with torch.autocast(DEVICE, enabled=False):
            return self.project(pooled.float())

    @torch.no_grad()
    def look_along(self, texts, count=20000):
        """Turns the projection to the directions in which texts differ most."""
        self.project, kept = torch.nn.Identity(), self.project
        some = torch.randperm(texts.count, device=DEVICE)[:count]
        whole = lambda which: texts.code(some[which], "raw", 208, torch.zeros_like(which))
        made = torch.cat([vectors(self, count, lambda which: texts.question(some[which])), vectors(self, count, whole)])
        self.project = kept
        directions = torch.linalg.eigh(made.T @ made).eigenvectors.flip(1)
        kept.weight.copy_(directions[:, : kept.out_features].T)


def load(folder, width):
    config = json.loads((folder / "config.json").read_text())
    tensors = read_tensors(folder)
    model = Teacher(config, width)
    with torch.no_grad():
        model.words.weight.copy_(tensors["embeddings.word_embeddings.weight"])
        model.places.weight.copy_(tensors["embeddings.position_embeddings.weight"])
        model.far.copy_(tensors["encoder.relative_attention_bias.weight"])
        for end in ("weight", "bias"):
            getattr(model.norm, end).copy_(tensors[f"embeddings.LayerNorm.{end}"])
        if PROJECTION in tensors:
            model.project.weight.copy_(tensors[PROJECTION])
    load_layers(model, folder, NAMES)
    return model.to(DEVICE), PROJECTION in tensors


def save(model, before, folder):
    """The weights, beside the configuration that they had before."""
    tensors = {
        "embeddings.word_embeddings.weight": model.words.weight, "embeddings.position_embeddings.weight": model.places.weight,
        "encoder.relative_attention_bias.weight": model.far, PROJECTION: model.project.weight,
    }  # fmt: skip
    for end in ("weight", "bias"):
        tensors[f"embeddings.LayerNorm.{end}"] = getattr(model.norm, end)
    tensors |= layer_tensors(model, NAMES)
    folder.mkdir(parents=True, exist_ok=True)
    save_file({name: tensor.detach().half().contiguous().cpu() for name, tensor in tensors.items()}, str(folder / "model.safetensors"))
    shutil.copy(before / "config.json", folder)


def main(mpnet, vocabulary, out):
    mpnet, out = pathlib.Path(mpnet), pathlib.Path(out)
    tensors = read_tensors(mpnet)
    old, ours = (Tokenizer.from_file(str(path)) for path in (mpnet / "tokenizer.json", vocabulary))
    old.no_truncation()
    old.no_padding()
    known, words = old.get_vocab(), tensors["embeddings.word_embeddings.weight"]
    rows = torch.zeros(ours.get_vocab_size(), words.shape[1])
    for token, place in ours.get_vocab().items():
        same = known.get(FRAME.get(token, token))
        pieces = [same] if same is not None else old.encode(token, add_special_tokens=False).ids
        rows[place] = words[pieces].mean(0)
    places = tensors["embeddings.position_embeddings.weight"][FIRST_PLACE:]
    tensors |= {"embeddings.word_embeddings.weight": rows, "embeddings.position_embeddings.weight": places}
    config = json.loads((mpnet / "config.json").read_text())
    config |= {"vocab_size": len(rows), "max_position_embeddings": len(places)}
    out.mkdir(parents=True, exist_ok=True)
    save_file({name: tensor.half().contiguous() for name, tensor in tensors.items() if not name.startswith("pooler")}, str(out / "model.safetensors"))
    (out / "config.json").write_text(json.dumps(config, indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])
