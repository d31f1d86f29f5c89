"""A second look at the first of a list: question and passage read together."""

import collections

import torch
import torch.nn.functional as F

from encoder import in_pieces
from learning import Batches, repeat
from progress import say
from texts import DEVICE, QUESTION


class Judge(torch.nn.Module):
    """Few layers over a question and a passage end to end, and one number that says how well they go together."""

    def __init__(self, encoder, hidden):
        super().__init__()
        self.encoder, self.head = encoder, torch.nn.Linear(hidden, 1)

    def forward(self, ids, lengths):
        x, mask = self.encoder.states(ids, lengths)
        pooled = (x * mask[..., None]).sum(1) / lengths[:, None]
        return self.head(pooled).float()[:, 0]


TOGETHER = 128
"""Tokens of a passage that are read together with a question."""


def together(asked, questions, told, passages):
    """Questions and passages end to end; the framing token between them tells them apart."""
    between = torch.full((len(questions), 1), asked.last, dtype=torch.int32, device=DEVICE)
    one = torch.ones(len(questions), dtype=torch.int64, device=DEVICE)
    parts = [asked.questions.rows(questions, QUESTION - 2), (between, one), told.raw.rows(passages, TOGETHER)]
    return asked.framed(parts)


def train_judge(judge, pairs, hard, rate, size, until, label):
    """Each question chooses its own passage among some that were mistaken for it."""
    kept, texts = hard.shape[1], pairs.texts

    def loss_of(which):
        passages = torch.cat([which[:, None], hard[which]], 1).flatten()
        scores = in_pieces(judge, *together(texts, which.repeat_interleave(kept + 1), texts, passages), 6)
        return F.cross_entropy(scores.view(-1, kept + 1), torch.zeros(len(which), dtype=torch.int64, device=DEVICE))

    repeat(judge, judge, Batches(pairs, size, 50), 100, rate, until, label, loss_of)


@torch.no_grad()
def judged(measures, judge, queries, passages, kept=50):
    """What a second look at the first of a list is worth, by how much it weighs beside the first look."""
    judge.eval()
    rows = collections.defaultdict(dict)
    for m in measures:
        q, d = m.vectors(queries, passages, "raw", 208)
        first = q @ d.T
        best = first.topk(min(kept, first.shape[1]), 1)
        asked = torch.arange(m.asked.count, device=DEVICE).repeat_interleave(best.indices.shape[1])
        looked = [
            in_pieces(judge, *together(m.asked, a, m.texts, t), 4)
            for a, t in zip(asked.split(8192), best.indices.flatten().split(8192), strict=True)
        ]
        second = torch.cat(looked).view_as(best.values)
        for weight in (0.0, 0.005, 0.01, 0.02, 0.05, 1.0):
            mixed = (first - 2).scatter(1, best.indices, best.values + weight * second.to(first.dtype) + 2)
            rows[weight][m.name] = m.mrr(mixed)
    for weight, found in rows.items():
        say("JUDGE weight", weight, " ".join(f"{n} {v:.4f}" for n, v in found.items()), f"mean {sum(found.values()) / len(found):.4f}")
