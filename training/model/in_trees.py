"""A trained model learns to answer in whole trees: `in_trees.py DATA OUT [--half 0|1]`

In: a folder with `start/` and `start-quick/`, `words/tokenizer.json`, pairs and sets to measure with as train.py reads
them, and `trees.xz` of trees.py. Out: the folders `large` and `layersN`, and log.txt with every figure.

Pairs teach what a function does among functions of all the world. A question is asked of one tree, whose chunks are
long, speak of the same things, and are not written to be told apart; so each question faces here the passages of its
own tree that are mistaken for its answers, found anew in each epoch. Pairs go on beside it, and hold the vectors of
both stacks to what they were, so that functions are not forgotten. With --half, trees of one half (by their names) are
learnt of and the others measured with. Under six minutes on one H200.
"""

import argparse
import copy
import itertools
import pathlib
import random

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

import progress
from encoder import between, in_pieces, layers_of, load, load_layers, save, shallower, vectors
from learning import SCALE, Batches, contrast, is_same, one_cycle
from measure import Measure, tell
from progress import say
from texts import DEVICE, Pairs, read_data
from trees import Trees, ranked

TOGETHER = 16
"""Questions of a tree in a batch, which share their passages."""
TREES = 4
"""Trees in a batch."""
FIRST = 8
"""Of the passages that are mistaken for an answer so many of the first, and twice as many drawn of the nearest."""
NEAR = 64
"""How many are the nearest."""
FAR = 6
"""Passages drawn from the whole tree."""
BEST = 3
"""Passages of an answer that are learnt of, beside one drawn at random."""
KEPT = 16.0
"""How much it costs to leave the vectors that pairs had."""
OTHER_SHARES = (0.5, 1.0)
"""Of the way from the start to the end that are measured too."""
WHOLE = 256
"""Pairs of a batch whose passages the whole stack reads too."""


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("data", type=pathlib.Path)
    arguments.add_argument("out", type=pathlib.Path)
    arguments.add_argument("--half", type=int, choices=(0, 1))
    arguments.add_argument("--epochs", type=int, default=3)
    arguments.add_argument("--rate", type=float, default=5e-5)
    arguments.add_argument("--pairs", type=int, default=2048, help="pairs in a batch")
    arguments.add_argument("--steps", type=int, help="at most so many in all, for who has no accelerator")
    arguments.add_argument("--share", type=float, default=0.7, help="of the way from the start to the end that is taken")
    asked = arguments.parse_args()
    given = Given(asked.data, asked.out, "log.txt")
    trees, measures = given.trees, given.measures
    half = [sum(name.encode()) % 2 for name in trees.names]
    learnt = [n for n in range(len(half)) if asked.half is None or half[n] == asked.half]
    others = [n for n in range(len(half)) if n not in learnt]
    large, quick, config, tokenizer = given.large, given.quick, given.config, given.tokenizer
    measured("before", trees, others, measures, large, quick)
    start = copy.deepcopy((large, quick))
    Lessons(trees, learnt, given.pairs, asked).learn(large, quick, *start)
    end = large, quick
    for share in (*OTHER_SHARES, asked.share):
        large, quick = (between(before, after, config, share) for before, after in zip(start, end, strict=True))
        measured(f"{share} of the way", trees, others, measures, large, quick)
    save(large, config, tokenizer, asked.out / "large")
    save(quick, config, tokenizer, asked.out / f"layers{len(quick.layers)}", layers_only=True)


class Given:
    """What there is to learn from, to measure with and to begin with, on the device; and the log of a run over it."""

    def __init__(self, data, out, log):
        out.mkdir(parents=True, exist_ok=True)
        progress.begin(out / log)
        torch.manual_seed(2)
        torch.set_float32_matmul_precision("high")
        words = data / "words/tokenizer.json"
        sets, shards = read_data(data, words)
        self.tokenizer = Tokenizer.from_file(str(words))
        self.measures = [Measure(read, self.tokenizer) for read in sets]
        self.pairs, self.trees = Pairs(shards, self.tokenizer), Trees(data / "trees.xz")
        say("pairs", self.pairs.texts.count, "passages", len(self.trees.lengths), "questions", len(self.trees.questions))
        self.large, self.config = load(data / "start")
        self.quick = shallower(self.large, self.config, range(layers_of(data / "start-quick")))
        load_layers(self.quick, data / "start-quick")


class Lessons:
    """Questions of some trees, and pairs beside them."""

    def __init__(self, trees, learnt, pairs, asked):
        self.trees, self.pairs, self.asked, self.draw = trees, pairs, asked, random.Random(5)
        self.batches = Batches(pairs, asked.pairs, 7)
        self.stream = iter(())
        self.of_tree = {tree: [] for tree in learnt}
        for number, (tree, *_) in enumerate(trees.questions):
            if tree in self.of_tree:
                self.of_tree[tree].append(number)

    def learn(self, large, quick, *before):
        """Changes the layers of both; words and places stay what they were."""
        trained = torch.nn.ModuleList([large.layers, quick.layers])
        for model in (large, quick, *before):
            model.requires_grad_(False)
        trained.requires_grad_(True)
        optimizer = torch.optim.AdamW(trained.parameters(), lr=self.asked.rate, weight_decay=0.01, betas=(0.9, 0.98))
        step, steps, losses = 0, self.asked.epochs * sum(1 for _ in self.order()), []
        steps = min(steps, self.asked.steps or steps)
        for epoch in range(self.asked.epochs):
            chosen = self.chosen(large, quick)
            for batch in itertools.islice(self.order(), steps - step):
                one_cycle(optimizer, step, steps, self.asked.rate)
                parts = self.in_trees(batch, chosen, large, quick), self.by_pairs(large, quick, *before)
                sum(parts).backward()
                torch.nn.utils.clip_grad_norm_(trained.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
                losses.append(torch.stack(parts).detach())
                step += 1
            say("epoch", epoch, "step", step, "losses", [round(x, 3) for x in torch.stack(losses[-40:]).mean(0).tolist()])

    def order(self):
        """Batches: some questions of each of some trees."""
        runs = []
        for tree, numbers in self.of_tree.items():
            self.draw.shuffle(numbers)
            runs += [(tree, numbers[at : at + TOGETHER]) for at in range(0, len(numbers), TOGETHER)]
        self.draw.shuffle(runs)
        return (runs[at : at + TREES] for at in range(0, len(runs), TREES))

    @torch.no_grad()
    def chosen(self, large, quick):
        """For each question passages of each of its answers, and those that are mistaken for them now."""
        asked, chosen = questions(self.trees, large), {}
        for tree, numbers in self.of_tree.items():
            told = passages(self.trees, quick, tree)
            for number in numbers:
                _, _, groups, may = self.trees.questions[number]
                scores = (told @ asked[number]).masked_fill(~may, -9)
                right = [torch.cat([group[scores[group].topk(min(BEST, len(group))).indices], some(group, 1)]) for group in groups]
                scores[torch.cat(groups)] = -9
                near = scores.topk(min(NEAR, len(scores))).indices
                chosen[number] = right, torch.cat([near[:FIRST], some(near, 2 * FIRST), some(torch.arange(len(scores), device=DEVICE), FAR)])
        return chosen

    def in_trees(self, batch, chosen, large, quick):
        """How well each question tells its answers from all passages that its tree has in the batch."""
        spots = [torch.cat([torch.cat([*chosen[n][0], chosen[n][1]]) for n in numbers]).unique() for _, numbers in batch]
        which = torch.cat([spot + self.trees.starts[tree] for (tree, _), spot in zip(batch, spots, strict=True)])
        numbers = torch.tensor([n for _, numbers in batch for n in numbers], device=DEVICE)
        q = in_pieces(large, self.trees.asked[numbers], self.trees.asked_lengths[numbers], 1)
        d = in_pieces(quick, *self.trees.passages(which))
        q = q.split([len(numbers) for _, numbers in batch])
        d = d.split([len(spot) for spot in spots])
        loss = 0
        for (_, some_numbers), spot, asked, told in zip(batch, spots, q, d, strict=True):
            for number, scores in zip(some_numbers, SCALE * asked @ told.T, strict=True):
                _, _, groups, may = self.trees.questions[number]
                wrong = scores.masked_fill(torch.isin(spot, torch.cat(groups)) | ~may[spot], -1e4).logsumexp(0)
                for right in chosen[number][0]:
                    own = scores.masked_fill(~torch.isin(spot, right), -1e4).logsumexp(0)
                    loss = loss + F.softplus(wrong - own) / len(groups)
        return loss / len(numbers)

    def by_pairs(self, large, quick, large_before, quick_before):
        """Pairs as they were learnt before: half the right passage, half the order that there was."""
        which = next(self.stream, None)
        if which is None:
            self.stream = iter(self.batches.epoch())
            which = next(self.stream)
        texts, same = self.pairs.texts, is_same(self.pairs.keys[which])
        headed = (torch.rand(len(which), device=DEVICE) < 0.5).long()
        asked, told = texts.question(which), texts.glance(which, headed)
        whole = texts.code(which[:WHOLE], "raw", 208, headed[:WHOLE])
        q, d, w = in_pieces(large, *asked, 1), in_pieces(quick, *told), in_pieces(large, *whole, 2)
        with torch.no_grad():
            was = in_pieces(large_before, *asked, 1), in_pieces(quick_before, *told), in_pieces(large_before, *whole, 2)
        right, loss = torch.eye(len(which), device=DEVICE), 0
        theirs, ours = ((SCALE * a.float() @ b.float().T).masked_fill(same, -1e4) for a, b in ((was[0], was[1]), (q, d)))
        for old, new in ((theirs, ours), (theirs.T, ours.T)):
            loss = loss - ((right + old.softmax(1)) / 2 * new.log_softmax(1)).sum(1).mean() / 2
        away = [(1 - (new * old.float()).sum(1)).mean() for new, old in zip((q, d, w), was, strict=True)]
        return loss + 0.5 * contrast(q[:WHOLE], w, same[:WHOLE, :WHOLE]) + KEPT * (away[0] + away[1] + 0.5 * away[2])


def some(places, count):
    return places[torch.randint(len(places), (count,), device=DEVICE)]


def questions(trees, model):
    model.eval()
    return vectors(model, len(trees.asked), lambda which: (trees.asked[which], trees.asked_lengths[which])).float()


def passages(trees, model, tree):
    model.eval()
    return vectors(model, trees.count(tree), lambda which: trees.passages(which + trees.starts[tree])).float()


@torch.no_grad()
def measured(label, trees, others, measures, large, quick):
    """How well questions of trees that were not learnt of are answered, and the sets of pairs."""
    asked, found = questions(trees, large), {}
    told = {tree: passages(trees, quick, tree) for tree in others}
    for number, (tree, kind, *_) in enumerate(trees.questions):
        if tree in told:
            found.setdefault(kind, []).append(ranked(trees, number, told[tree] @ asked[number]))
    if found:
        tell(f"{label}, trees", {kind: sum(values) / len(values) for kind, values in found.items()})
    pairs = {}
    for m in measures:
        q = vectors(large, m.asked.count, m.asked.question)
        d = vectors(quick, m.texts.count, lambda which, m=m: m.texts.glance(which, torch.ones_like(which)))
        pairs[m.name] = m.mrr(q @ d.T)
    tell(f"{label}, pairs", pairs)


if __name__ == "__main__":
    main()
