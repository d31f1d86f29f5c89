"""Vectors of the unquantised weights, which the encoder's tests reproduce.

In: the folder of the large model, that of its quick layers, and the texts of an earlier file. Out: JSON
lines with each text, its vector, and the vector that the quick layers make of its head and the new words of its rest.
"""

import json
import pathlib
import sys

import torch

import texts as tokens
from encoder import layers_of, load, load_layers, shallower

# Tokens of a text that the quick layers read, as the program has it, less those that frame it.
WHOLE, HEAD, TOLD = 126, 63, 110


def main(large, quick, texts, out):
    model, config = load(pathlib.Path(large))
    student = shallower(model, config, range(layers_of(quick)))
    load_layers(student, pathlib.Path(quick))
    model, student = model.cpu(), student.cpu()
    tokens.prepare(pathlib.Path(large) / "tokenizer.json")
    first, last = (tokens.TOKENIZER.token_to_id(token) for token in ("[CLS]", "[SEP]"))
    rows = []
    for line in pathlib.Path(texts).read_text().splitlines():
        text = json.loads(line)["text"]
        ids = tokens.ids_of(text, 600)
        read = ((model, ids[:126]), (student, ids if len(ids) <= WHOLE else tokens.told(ids, HEAD, TOLD)))
        with torch.no_grad():
            made = [m(torch.tensor([[first, *part, last]]), torch.tensor([len(part) + 2]))[0].tolist() for m, part in read]
        vector, quickly = ([round(x, 6) for x in v] for v in made)
        rows.append(json.dumps({"text": text, "vector": vector, "quick": quickly}))
    pathlib.Path(out).write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
