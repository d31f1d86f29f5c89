"""Vectors of the unquantised weights, which the encoder's tests reproduce.

In: the folder of the large model, those of its quick layers and of the judge, and the texts of an earlier file. Out: JSON
lines with each text, its vector, the vector that the quick layers make of its head and the new words of its rest, and how
well that answers the first text, as the judge says.
"""

import json
import pathlib
import sys

import torch

import texts as tokens
from encoder import layers_of, load, load_layers, shallower
from second_look import Judge, joined

# Tokens of a text that the quick layers read, as the program has it, less those that frame it.
WHOLE, HEAD, TOLD = 126, 63, 110


def main(large, quick, judging, texts, out):
    model, config = load(pathlib.Path(large))
    student = shallower(model, config, range(layers_of(quick)))
    load_layers(student, pathlib.Path(quick))
    judge = Judge(shallower(model, config, range(layers_of(judging))), config["hidden_size"])
    judge.load(pathlib.Path(judging))
    model, student, judge = model.cpu(), student.cpu(), judge.cpu()
    tokens.prepare(pathlib.Path(large) / "tokenizer.json")
    first, last = (tokens.TOKENIZER.token_to_id(token) for token in ("[CLS]", "[SEP]"))
    framed = lambda ids: (torch.tensor([[first, *ids, last]]), torch.tensor([len(ids) + 2]))
    rows, asked = [], None
    for line in pathlib.Path(texts).read_text().splitlines():
        text = json.loads(line)["text"]
        ids = tokens.ids_of(text, 600)
        glanced = framed(ids if len(ids) <= WHOLE else tokens.told(ids, HEAD, TOLD))
        asked = asked or glanced
        with torch.no_grad():
            made = model(*framed(ids[:126])), student(*glanced)
            judged = float(judge(*joined(*asked, *glanced)))
        vector, quickly = ([round(x, 6) for x in v[0].tolist()] for v in made)
        rows.append(json.dumps({"text": text, "vector": vector, "quick": quickly, "judged": round(judged, 4)}))
    pathlib.Path(out).write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
