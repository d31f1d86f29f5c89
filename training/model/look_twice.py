"""A judge that reads question and passage together teaches the encoder: `look_twice.py DATA OUT judge`, then `... encoder`

In: what in_trees.py takes. The first run trains the judge, as many layers as passages have, and leaves it in
OUT/judge; the second lets the encoder's two stacks learn the order that judge and encoder together give to what the encoder
mistakes for each other. Their weights are rounded to bytes while they learn, so that what is measured here is what
ships. Eight minutes each on one H200.

One tree in five is not learnt of by the judge, and measures it.
"""

import argparse
import copy
import pathlib

import torch
import torch.nn.functional as F

from encoder import between, in_pieces, save
from in_trees import Given, measured
from learning import SCALE, Batches, repeat
from measure import quantised
from progress import say
from second_look import Judge, OfPairs, OfTrees, looked_again, train_judge
from texts import DEVICE

SHARES = (0.5, 0.75, 1.0)
"""Of the way from the start to the end that are measured."""
LIST = 8
"""Passages of a question whose order the judge teaches."""
WHOLE = 128
"""Pairs of a batch whose passages the whole stack reads too."""
KEPT = 4.0
"""How much it costs to leave the vectors that were, of pairs …"""
KEPT_IN_TREES = 16.0
"""… and of what stands in trees."""
OF_TREES = 512
"""Passages of trees in a batch, and half as many questions about them, whose vectors are to stay what they were."""


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("data", type=pathlib.Path)
    arguments.add_argument("out", type=pathlib.Path)
    arguments.add_argument("stage", choices=("judge", "encoder"))
    arguments.add_argument("--until", type=float, default=480, help="seconds after which nothing is learnt")
    arguments.add_argument("--questions", type=int, default=128, help="questions in a batch of the judge's")
    arguments.add_argument("--batch", type=int, default=384, help="questions in a batch of the encoder's")
    arguments.add_argument("--rate", type=float, default=5e-5)
    asked = arguments.parse_args()
    torch._dynamo.config.cache_size_limit = 64
    given = Given(asked.data, asked.out, f"log-{asked.stage}.txt")
    trees, measures = given.trees, given.measures
    others = [n for n, name in enumerate(trees.names) if sum(name.encode()) % 5 == 0]
    learnt = [n for n in range(len(trees.names)) if n not in others]
    large, quick, config, tokenizer = given.large, given.quick, given.config, given.tokenizer
    of_pairs = OfPairs(given.pairs, large, quick)
    say("nearest found")
    judge = Judge(copy.deepcopy(quick), config["hidden_size"]).to(DEVICE)
    if asked.stage == "judge":
        of_trees = OfTrees(trees, learnt, large, quick)
        say("of trees", len(of_trees.numbers))
        train_judge(judge, of_pairs, of_trees, asked.questions, 2 * asked.rate, asked.until)
        for label, of in (("judge", judge), ("judge by bytes", of_bytes(judge, config))):
            looked_again(label, measures, trees, others, of, large, quick)
        save(judge.encoder, config, tokenizer, asked.out / "judge", layers_only=True, besides=judge.head_tensors())
        return
    judge.load(asked.out / "judge")
    start = copy.deepcopy((large, quick))
    measured("before", trees, [], measures, large, quick)
    teach(large, quick, *start, judge, of_pairs, trees, asked)
    end = large, quick
    for share in SHARES:
        large, quick = (quantised(between(before, after, config, share), config) for before, after in zip(start, end, strict=True))
        measured(f"{share} of the way, by bytes", trees, others, measures, large, quick)
    for name, model in zip(("large", f"layers{len(end[1].layers)}"), end, strict=True):
        save(model, config, tokenizer, asked.out / name, layers_only=True)


def of_bytes(judge, config):
    copied = Judge(quantised(judge.encoder, config), judge.head.in_features).to(DEVICE)
    copied.head.load_state_dict(judge.head.state_dict())
    return copied


class Rounded(torch.nn.Linear):
    """Learns in floats, and answers as its bytes would."""

    def forward(self, x):
        scale = self.weight.detach().abs().amax(1, keepdim=True) / 127
        near = (self.weight.detach() / scale).round() * scale
        return F.linear(x, self.weight + (near - self.weight).detach(), self.bias)


def teach(large, quick, large_before, quick_before, judge, of_pairs, trees, asked):
    """Both stacks learn the judge's order of the passages that they mistake for each other."""
    all_of_them = torch.nn.ModuleList([large, quick, judge, large_before, quick_before])
    layers = torch.nn.ModuleList([large.layers, quick.layers])
    for module in layers.modules():
        if type(module) is torch.nn.Linear:
            module.__class__ = Rounded
    texts, keys = of_pairs.texts, of_pairs.pairs.keys

    def loss_of(which):
        lists = of_pairs.lists(which, LIST)
        flat = lists.flatten()
        headed = (torch.rand(len(flat), device=DEVICE) < 0.5).long()
        question, passage = texts.question(which), texts.glance(flat, headed)
        whole = texts.code(which[:WHOLE], "raw", 208, headed.view_as(lists)[:WHOLE, 0])
        some = torch.randint(len(trees.lengths), (OF_TREES,), device=DEVICE)
        numbers = torch.randint(len(trees.asked), (OF_TREES // 2,), device=DEVICE)
        kept = trees.passages(some), (trees.asked[numbers], trees.asked_lengths[numbers])
        made = lambda large, quick: (
            in_pieces(large, *question, 1), in_pieces(quick, *passage, 6), in_pieces(large, *whole, 2),
            in_pieces(quick, *kept[0], 2), in_pieces(large, *kept[1], 1),
        )  # fmt: skip
        with torch.no_grad():
            was = made(large_before, quick_before)
            likeness = (was[0][:, None] * was[1].view(*lists.shape, -1)).sum(2).float()
            order = (SCALE * likeness + in_pieces(judge, *of_pairs.together(which, lists, headed), 6).view_as(lists)).softmax(1)
        now_made = made(large, quick)
        q, d, w = now_made[:3]
        scores = SCALE * q @ d.T
        own = torch.arange(len(which), device=DEVICE) * LIST
        same = keys[which][:, None] == keys[flat][None]
        same[torch.arange(len(which), device=DEVICE), own] = False
        scores = scores.masked_fill(same, -1e4)
        spots = own[:, None] + torch.arange(LIST, device=DEVICE)
        right = F.one_hot(torch.zeros(len(which), dtype=torch.int64, device=DEVICE), LIST)
        loss = F.cross_entropy(scores.gather(1, spots), 0.25 * right + 0.75 * order)
        loss = loss + 0.5 * F.cross_entropy(scores, own) + 0.5 * F.cross_entropy(scores[:, own].T, torch.arange(len(which), device=DEVICE))
        loss = loss + 0.25 * F.cross_entropy(SCALE * q[:WHOLE] @ w.T, torch.arange(len(w), device=DEVICE))
        away = [(1 - (new * old.float()).sum(1)).mean() for new, old in zip(now_made, was, strict=True)]
        return loss + KEPT * (away[0] + away[1] + 0.5 * away[2]) + KEPT_IN_TREES * (away[3] + away[4])

    repeat(all_of_them, layers, Batches(of_pairs.pairs, asked.batch, 60), 100, asked.rate, asked.until, "encoder", loss_of)
    for module in layers.modules():
        if type(module) is Rounded:
            module.__class__ = torch.nn.Linear


if __name__ == "__main__":
    main()
