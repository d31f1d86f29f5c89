"""The encoder: layers over words and places, the mean of what comes out; and its weights, from and to a folder."""

import json
import pathlib

import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file

from texts import DEVICE


class Layer(torch.nn.Module):
    def __init__(self, hidden, heads, inner):
        super().__init__()
        self.heads = heads
        self.qkv = torch.nn.Linear(hidden, 3 * hidden)
        self.out = torch.nn.Linear(hidden, hidden)
        self.norm1 = torch.nn.LayerNorm(hidden, eps=1e-12)
        self.up = torch.nn.Linear(hidden, inner)
        self.down = torch.nn.Linear(inner, hidden)
        self.norm2 = torch.nn.LayerNorm(hidden, eps=1e-12)

    def forward(self, x, mask):
        batch, length, hidden = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = self.norm1(x + self.out(mixed.transpose(1, 2).reshape(batch, length, hidden)))
        return self.norm2(x + self.down(F.gelu(self.up(x))))


class Joined(Layer):
    """A layer compiled as a whole: a third less time, for half a minute once."""

    forward = torch.compile(Layer.forward, dynamic=True) if DEVICE == "cuda" else Layer.forward


class Encoder(torch.nn.Module):
    def __init__(self, config, layers):
        super().__init__()
        hidden = config["hidden_size"]
        self.words = torch.nn.Embedding(config["vocab_size"], hidden)
        self.places = torch.nn.Embedding(config["max_position_embeddings"], hidden)
        self.norm = torch.nn.LayerNorm(hidden, eps=1e-12)
        self.layers = torch.nn.ModuleList(
            Layer(hidden, config["num_attention_heads"], config["intermediate_size"]) for _ in range(layers)
        )

    def states(self, ids, lengths):
        # Attention goes the short way only through widths that eight divides.
        ids = F.pad(ids, (0, -ids.shape[1] % 8))
        width = ids.shape[1]
        mask = torch.arange(width, device=ids.device)[None] < lengths[:, None]
        x = self.norm(self.words(ids) + self.places.weight[:width])
        seen = self.seen(mask)
        for layer in self.layers:
            x = layer(x, seen)
        return x, mask

    def seen(self, mask):
        """Which words each word sees."""
        return mask[:, None, None, :]

    def forward(self, ids, lengths):
        x, mask = self.states(ids, lengths)
        pooled = (x.float() * mask[..., None]).sum(1) / lengths[:, None]
        return F.normalize(self.last(pooled), dim=-1)

    def last(self, pooled):
        return pooled


NAMES = {
    "qkv": ["attention.self.query", "attention.self.key", "attention.self.value"], "out": ["attention.output.dense"],
    "norm1": ["attention.output.LayerNorm"], "up": ["intermediate.dense"], "down": ["output.dense"], "norm2": ["output.LayerNorm"],
}  # fmt: skip


def read_tensors(folder):
    return {k.removeprefix("bert."): v.float() for k, v in load_file(str(folder / "model.safetensors")).items()}


def layers_of(folder):
    return json.loads((pathlib.Path(folder) / "config.json").read_text())["num_hidden_layers"]


def load(folder):
    config = json.loads((folder / "config.json").read_text())
    tensors = read_tensors(folder)
    model = Encoder(config, config["num_hidden_layers"])
    with torch.no_grad():
        model.words.weight.copy_(tensors["embeddings.word_embeddings.weight"])
        model.places.weight.copy_(tensors["embeddings.position_embeddings.weight"] + tensors["embeddings.token_type_embeddings.weight"][0])
        for end in ("weight", "bias"):
            getattr(model.norm, end).copy_(tensors[f"embeddings.LayerNorm.{end}"])
    load_layers(model, folder)
    return model.to(DEVICE), config


@torch.no_grad()
def load_layers(model, folder, names=NAMES):
    tensors = read_tensors(folder)
    for n, layer in enumerate(model.layers):
        for ours, theirs in names.items():
            for end in ("weight", "bias"):
                getattr(getattr(layer, ours), end).copy_(torch.cat([tensors[f"encoder.layer.{n}.{name}.{end}"] for name in theirs]))


def layer_tensors(model, names=NAMES):
    tensors = {}
    for n, layer in enumerate(model.layers):
        for ours, theirs in names.items():
            for end in ("weight", "bias"):
                parts = getattr(getattr(layer, ours), end).chunk(len(theirs))
                tensors |= {f"encoder.layer.{n}.{name}.{end}": part for name, part in zip(theirs, parts, strict=True)}
    return tensors


def save(model, config, tokenizer, folder, layers_only=False, besides=None):
    """A student has the large model's embeddings: its layers are all there is to keep, and what it has besides."""
    folder.mkdir(parents=True, exist_ok=True)
    half = lambda t: t.detach().half().contiguous().cpu()
    hidden = config["hidden_size"]
    tensors = {
        "embeddings.word_embeddings.weight": half(model.words.weight),
        "embeddings.position_embeddings.weight": half(model.places.weight),
        "embeddings.token_type_embeddings.weight": torch.zeros(2, hidden, dtype=torch.float16),
    }
    for end in ("weight", "bias"):
        tensors[f"embeddings.LayerNorm.{end}"] = half(getattr(model.norm, end))
    layers = {name: half(tensor) for name, tensor in (layer_tensors(model) | (besides or {})).items()}
    tensors = layers if layers_only else tensors | layers
    save_file(tensors, str(folder / "model.safetensors"))
    (folder / "config.json").write_text(json.dumps({**config, "num_hidden_layers": len(model.layers)}, indent=1))
    tokenizer.save(str(folder / "tokenizer.json"))


def shallower(model, config, which):
    """A copy with some of the layers."""
    small = Encoder(config, len(which)).to(DEVICE)
    with torch.no_grad():
        small.words.load_state_dict(model.words.state_dict())
        small.places.load_state_dict(model.places.state_dict())
        small.norm.load_state_dict(model.norm.state_dict())
        for layer, n in zip(small.layers, which, strict=True):
            layer.load_state_dict(model.layers[n].state_dict())
    return small


def in_pieces(model, ids, lengths, pieces=4):
    """The vectors of a batch, in pieces of like length, so that little is spent on padding."""
    order = torch.argsort(lengths)
    out = []
    for part in order.chunk(pieces):
        width = int(lengths[part].max())
        with torch.autocast(DEVICE, torch.bfloat16):
            out.append(model(ids[part, :width], lengths[part]))
    return torch.cat(out)[torch.argsort(order)]


@torch.no_grad()
def vectors(model, count, make, size=8192):
    out = []
    for start in range(0, count, size):
        ids, lengths = make(torch.arange(start, min(count, start + size), device=DEVICE))
        out.append(in_pieces(model, ids, lengths, 8))
    return torch.cat(out)


@torch.no_grad()
def between(start, end, config, share):
    """A model whose weights lie between those of two, at `share` of the way."""
    mixed = shallower(end, config, range(len(end.layers)))
    for ours, theirs in zip(mixed.parameters(), start.parameters(), strict=True):
        ours.lerp_(theirs, 1 - share)
    return mixed
