"""From a model file back to weights that training can go on from: `unpack.py MODEL START OUT QUICK JUDGE`.

In: a model file as `convert` writes it, and the folder of the weights it once began with, whose config.json and
tokenizer.json say what the file does not. Out: three folders with config.json, tokenizer.json (with the file's own
words) and model.safetensors, one of the large model, one of the layers for passages, one of the judge. Weights went through bytes, so they come back rounded: `train.py` finds no
difference in what they rank (see LOG.md).
"""

import json
import pathlib
import struct
import sys

import numpy
from safetensors.numpy import save_file

MAGIC = b"wherein model 4\n"
PREFIX, ALIGNMENT, BLOCK = len(MAGIC) + 8 + 32, 64, 16
LAYER = [
    ("attention.self", "dense"), ("attention.output.dense", "dense"), ("attention.output.LayerNorm", "norm"),
    ("intermediate.dense", "dense"), ("output.dense", "dense"), ("output.LayerNorm", "norm"),
]  # fmt: skip


class Header:
    """Reads the header's fields one after the other."""

    def __init__(self, body):
        self.body, self.at = body, 0

    def number(self):
        value, shift = 0, 0
        while True:
            byte = self.body[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def text(self):
        length = self.number()
        self.at += length
        return self.body[self.at - length : self.at].decode()

    def fraction(self):
        self.at += 4
        return struct.unpack("<f", self.body[self.at - 4 : self.at])[0]

    def places(self, count):
        return [(self.number(), self.number()) for _ in range(count)]

    def layers(self):
        sizes = {"dense": 4, "norm": 2}
        return [[self.places(sizes[kind]) for _, kind in LAYER] for _ in range(self.number())]


class Tensors:
    def __init__(self, data):
        self.data = data

    def of(self, place, kind):
        offset, length = place
        return numpy.frombuffer(self.data[offset : offset + length], kind)

    def dense(self, places):
        packed, scales, _, bias = places
        scales, bias = self.of(scales, "<f4"), self.of(bias, "<f4")
        blocks = self.of(packed, "i1").reshape(len(scales) // BLOCK, -1, BLOCK, 4)
        weights = blocks.transpose(0, 2, 1, 3).reshape(len(scales), -1)
        return weights * scales[:, None], bias

    def norm(self, places):
        return [self.of(place, "<f4") for place in places]


def layer(tensors, places):
    """Name and values of each tensor of a layer."""
    for (name, kind), where in zip(LAYER, places, strict=True):
        weight, bias = tensors.dense(where) if kind == "dense" else tensors.norm(where)
        parts = ["query", "key", "value"] if name == "attention.self" else [""]
        for part, w, b in zip(parts, numpy.split(weight, len(parts)), numpy.split(bias, len(parts)), strict=True):
            whole = f"{name}.{part}" if part else name
            yield f"{whole}.weight", w
            yield f"{whole}.bias", b


def read(path):
    """The words in the order of their ids, and the tensors by name: those of the large model, layers for passages, a judge."""
    body = path.read_bytes()
    assert body.startswith(MAGIC), f"{path} is no model file of this version"
    body = body[PREFIX:]
    header = Header(body)
    header.text()
    hidden = [header.number() for _ in range(3)][0]
    header.fraction()
    [header.number() for _ in range(3)]  # longest text, pooling, whether identifiers are split
    text, ends, ids = header.places(3)
    words, scales = header.places(2)
    places, *norm = header.places(3)
    layers, quick = header.layers(), header.layers()
    judge = (header.layers(), *header.places(1), header.fraction()) if header.number() else None
    tensors = Tensors(body[-(-(PREFIX + header.at) // ALIGNMENT) * ALIGNMENT - PREFIX :])
    found = {
        "embeddings.word_embeddings.weight": tensors.of(words, "i1").reshape(-1, hidden) * tensors.of(scales, "<f4")[:, None],
        "embeddings.position_embeddings.weight": tensors.of(places, "<f4").reshape(-1, hidden),
        "embeddings.token_type_embeddings.weight": numpy.zeros((2, hidden), "f4"),
        "embeddings.LayerNorm.weight": tensors.of(norm[0], "<f4"),
        "embeddings.LayerNorm.bias": tensors.of(norm[1], "<f4"),
    }
    found |= stack(tensors, layers)
    text, starts = bytes(tensors.of(text, "u1")), [0, *tensors.of(ends, "<i4")]
    spelt = [text[a:b].decode() for a, b in zip(starts, starts[1:], strict=False)]
    words = [word for _, word in sorted(zip(tensors.of(ids, "<i4"), spelt, strict=True))]
    return words, found, stack(tensors, quick), judge and judge_of(tensors, *judge)


def stack(tensors, layers):
    return {f"encoder.layer.{n}.{name}": values for n, where in enumerate(layers) for name, values in layer(tensors, where)}


def judge_of(tensors, layers, weights, bias):
    return stack(tensors, layers) | {"judge.weight": tensors.of(weights, "<f4"), "judge.bias": numpy.array([bias])}


def main():
    model, start, *outs = map(pathlib.Path, sys.argv[1:])
    words, *stacks = read(model)
    described = json.loads((start / "tokenizer.json").read_text())
    described["model"]["vocab"] = {word: number for number, word in enumerate(words)}
    config = json.loads((start / "config.json").read_text())
    for out, tensors in zip(outs, filter(None, stacks), strict=True):
        out.mkdir(parents=True, exist_ok=True)
        layers = 1 + max(int(name.split(".")[2]) for name in tensors if name.startswith("encoder"))
        (out / "tokenizer.json").write_text(json.dumps(described))
        (out / "config.json").write_text(json.dumps({**config, "num_hidden_layers": layers}, indent=1))
        save_file({name: numpy.ascontiguousarray(values, "f2") for name, values in tensors.items()}, str(out / "model.safetensors"))


if __name__ == "__main__":
    main()
