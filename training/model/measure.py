"""What a model is worth: mean reciprocal rank over sets of questions, each with one right function among many."""

import collections

import torch
import torch.nn.functional as F

from encoder import shallower, vectors
from progress import say
from texts import DEVICE, Texts


class Measure:
    """One set of questions, each with one right function among many."""

    def __init__(self, read, tokenizer):
        self.name, texts, asked, right = read
        self.texts, self.asked = Texts([texts], tokenizer), Texts([asked], tokenizer)
        self.right = torch.tensor(right, device=DEVICE)

    def vectors(self, queries, passages, rule, most):
        q = vectors(queries, self.asked.count, self.asked.question)
        d = vectors(passages, self.texts.count, lambda which: self.texts.code(which, rule, most, torch.ones_like(which)))
        return q, d

    def mrr(self, scores):
        own = scores.gather(1, self.right[:, None])
        ranks = 1 + (scores > own).sum(1)
        return float((1.0 / ranks).mean())

    def score(self, queries, passages, rule="raw", most=208):
        q, d = self.vectors(queries, passages, rule, most)
        return self.mrr(q @ d.T)


def measure(label, measures, queries, passages=None, rule="raw", most=208):
    queries.eval()
    passages = passages or queries
    passages.eval()
    found = {m.name: m.score(queries, passages, rule, most) for m in measures}
    tell(f"{label} {rule} {most}", found)
    return found


@torch.no_grad()
def together(measures, models, way):
    """What models are worth that add up what they say, and what is left of it on the way to fewer dimensions."""
    whole, left = {}, {}
    for m in measures:
        q, d = (torch.cat(side, 1) for side in zip(*(m.vectors(model, model, "raw", 208) for model in models), strict=True))
        whole[m.name] = m.mrr(q @ d.T)
        left[m.name] = m.mrr(F.normalize(q @ way, dim=1) @ F.normalize(d @ way, dim=1).T)
    tell("together", whole)
    tell("together, in fewer dimensions", left)


def tell(label, found):
    say("MRR", label, " ".join(f"{n} {v:.4f}" for n, v in found.items()), f"mean {sum(found.values()) / len(found):.4f}")


@torch.no_grad()
def quantised(model, config):
    """A copy whose weights went through bytes, a scale a row."""
    copy = shallower(model, config, range(len(model.layers)))
    for module in copy.modules():
        if isinstance(module, torch.nn.Linear | torch.nn.Embedding):
            scale = module.weight.abs().amax(1, keepdim=True) / 127
            module.weight.copy_((module.weight / scale).round() * scale)
    return copy


@torch.no_grad()
def of_fewer_bits(measures, queries, passages):
    """What short vectors cost: leading dimensions, one bit a dimension, and bits followed by bytes."""
    rows = collections.defaultdict(dict)
    for m in measures:
        q, d = m.vectors(queries, passages, "raw", 208)
        for width in (384, 256, 128):
            rows[f"first {width}"][m.name] = m.mrr(F.normalize(q[:, :width], dim=1) @ F.normalize(d[:, :width], dim=1).T)
        bits = torch.where(d > 0, 1.0, -1.0)
        coarse = q @ bits.T
        rows["one bit"][m.name] = m.mrr(coarse)
        scale = d.abs().amax(1, keepdim=True) / 127
        fine = q @ ((d / scale).round() * scale).T
        for kept in (100, 200):
            best = coarse.topk(min(kept, coarse.shape[1]), 1).indices
            both = torch.full_like(fine, -2).scatter(1, best, fine.gather(1, best))
            rows[f"one bit, {kept} again by bytes"][m.name] = m.mrr(both)
    for label, found in rows.items():
        say("BITS", label, " ".join(f"{n} {v:.4f}" for n, v in found.items()), f"mean {sum(found.values()) / len(found):.4f}")


@torch.no_grad()
def late(measures, model, kept=50):
    """Late interaction without training for it: each word of a question meets its best word of a passage."""
    for m in measures:
        q, d = m.vectors(model, model, "raw", 208)
        first = q @ d.T
        best = first.topk(kept, 1).indices
        found = {}
        mixed = first.clone()
        for row in range(m.asked.count):
            with torch.autocast(DEVICE, torch.bfloat16):
                asked, asked_mask = model.states(*m.asked.question(torch.tensor([row], device=DEVICE)))
                told, told_mask = model.states(*m.texts.code(best[row], "raw", 208, torch.ones_like(best[row])))
            asked, told = F.normalize(asked.float(), dim=-1), F.normalize(told.float(), dim=-1)
            meet = torch.einsum("qh,dkh->dqk", asked[0], told).masked_fill(~told_mask[:, None], -1).amax(2)
            mixed[row] -= 2
            mixed[row, best[row]] += 2
            found[row] = (meet * asked_mask).sum(1) / asked_mask.sum()
        for weight in (0.0, 0.2, 0.5, 1.0):
            scores = mixed.clone()
            for row, meet in found.items():
                scores[row, best[row]] += weight * meet
            say("LATE", m.name, f"weight {weight} MRR {m.mrr(scores):.4f}")
