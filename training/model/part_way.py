"""A model part of the way between two: `part_way.py START END SHARE OUT`.

In: two models of `unpack.py`, START and END with START-quick and END-quick beside them. Out: OUT and OUT-quick: so great a share of the rows
of every matrix as END has them, drawn by a fixed seed, the others as START. Both come from bytes, and most of what a short
lesson changes is less than a byte's step, so that the means of their numbers would be rounded back to START.

The rankers' lessons are made with such a model where the one that ships has learnt of the questions and would know
their answers better than those of any other tree: SHARE is chosen so that it answers them as well as they were answered by models that
had learnt of other trees only.
"""

import pathlib
import shutil
import sys

import numpy
from safetensors.numpy import load_file, save_file


def main():
    start, end, share, out = sys.argv[1:]
    draw = numpy.random.default_rng(1)
    for part in ("", "-quick"):
        before, after, to = (pathlib.Path(name + part) for name in (start, end, out))
        to.mkdir(parents=True, exist_ok=True)
        for name in ("config.json", "tokenizer.json"):
            shutil.copy(after / name, to / name)
        old, new = (load_file(folder / "model.safetensors") for folder in (before, after))
        save_file(mixed(old, new, float(share), draw), to / "model.safetensors")


def mixed(old, new, share, draw):
    """Rows of either; a row's bias comes with it, and norms, which are no bytes, go part of the way."""
    out = {name: (old[name] + share * (new[name].astype("f4") - old[name])).astype("f2") for name in new}
    for name in sorted(name for name in new if is_matrix(name, new[name])):
        of_new = draw.random(len(new[name])) < share
        out[name] = numpy.where(of_new[:, None], new[name], old[name])
        bias = name.removesuffix("weight") + "bias"
        if bias in new:
            out[bias] = numpy.where(of_new, new[bias], old[bias])
    return out


def is_matrix(name, values):
    return values.ndim == 2 and "position" not in name and "token_type" not in name


if __name__ == "__main__":
    main()
