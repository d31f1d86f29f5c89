"""Questions about whole trees, as pack_trees.py packed them, on the device; and how well they are answered."""

import lzma
import pickle

import numpy
import torch
import torch.nn.functional as F

import texts as tokens
from texts import DEVICE

FILES = ("file", "rubric")
"""Kinds of questions whose answers are files; those of the others are lines."""
PART = 0.03
"""What the second passage of a chunk counts less, as in the program."""


def framed(ids):
    first, last = (tokens.TOKENIZER.token_to_id(token) for token in ("[CLS]", "[SEP]"))
    return [first, *ids, last]


class Trees:
    """The same on the device."""

    def __init__(self, path):
        packed = pickle.loads(lzma.open(path).read())
        rows = [torch.tensor(framed(tokens.ids_of(question, tokens.QUESTION - 2))) for _, _, question, _, _ in packed["questions"]]
        there = lambda column, kind: torch.from_numpy(packed[column].astype(kind)).to(DEVICE)
        self.names, self.starts = packed["names"], packed["starts"]
        self.lengths, self.chunk, self.path = (there(column, numpy.int64) for column in ("lengths", "chunk", "path"))
        self.flat = F.pad(there("ids", numpy.int32), (0, 512))
        self.at = torch.cumsum(self.lengths, 0) - self.lengths
        self.questions = [self.question(*row) for row in packed["questions"]]
        width = max(map(len, rows))
        self.asked = torch.stack([F.pad(row, (0, width - len(row))) for row in rows]).to(DEVICE)
        self.asked_lengths = torch.tensor([len(row) for row in rows], device=DEVICE)

    def question(self, tree, kind, _, groups, under):
        """Tree, kind, the passages of each group, and whether a passage may answer."""
        there = lambda places: torch.from_numpy(places.astype(numpy.int64)).to(DEVICE)
        may = torch.ones(self.count(tree), dtype=torch.bool, device=DEVICE)
        if under is not None:
            may = torch.zeros_like(may).index_fill(0, there(under), True)
        return tree, kind, [there(group) for group in groups], may

    def count(self, tree):
        return self.starts[tree + 1] - self.starts[tree]

    def of(self, column, tree):
        return column[self.starts[tree] : self.starts[tree + 1]]

    def passages(self, which):
        lengths = self.lengths[which]
        places = torch.arange(int(lengths.max()), device=DEVICE)
        mask = places[None] < lengths[:, None]
        return (self.flat[self.at[which, None] + places[None]] * mask).long(), lengths


def ranked(trees, number, scores):
    """How well the passages' scores answer a question: by files NDCG@10, by lines the reciprocal rank."""
    tree, kind, groups, may = trees.questions[number]
    chunk = trees.of(trees.chunk, tree)
    is_part = F.pad(chunk[1:] == chunk[:-1], (1, 0))
    scores = (scores - PART * is_part).masked_fill(~may, -9)
    unit = trees.of(trees.path, tree) if kind in FILES else chunk
    best = torch.full((int(unit.max()) + 1,), -9.0, device=DEVICE).scatter_reduce(0, unit, scores, "amax")
    if kind in FILES:
        right = torch.stack([best[unit[group[0]]] for group in groups])
        ranks = 1 + (best[None] > right[:, None]).sum(1).float()
        ideal = torch.arange(1, min(10, len(groups)) + 1).float()
        gain = lambda ranks: float(((ranks <= 10) / torch.log2(ranks + 1)).sum())
        return gain(ranks) / gain(ideal)
    rank = 1 + int((best > best[unit[groups[0]]].max()).sum())
    return 1 / rank if rank <= 10 else 0.0
