"""A second look at the first of a list: a judge that reads question and passage together."""

import collections

import torch
import torch.nn.functional as F

from encoder import in_pieces, load_layers, read_tensors, vectors
from in_trees import passages, questions
from learning import SCALE, Batches, repeat
from progress import say
from texts import DEVICE
from trees import ranked

NEAR = 48
"""Passages that are nearest to a question, by their vectors, and do not answer it."""
LIST = 16
"""Passages that a question is read with: one that answers it, and some of the nearest."""
RIGHT = 8
"""Draws from the passages that answer a question about a tree."""
EVERY = 12
"""One batch in so many is of questions about trees."""
LOOKED = 50
"""Passages that are looked at again to measure what it is worth."""
WEIGHTS = (0.0, 0.25, 0.5, 1.0, 2.0, 100.0)


class Judge(torch.nn.Module):
    """Layers over a question and a passage end to end, and one number that says how well they go together."""

    def __init__(self, encoder, hidden):
        super().__init__()
        self.encoder, self.head = encoder, torch.nn.Linear(hidden, 1)

    def forward(self, ids, lengths):
        x, mask = self.encoder.states(ids, lengths)
        pooled = (x.float() * mask[..., None]).sum(1) / lengths[:, None]
        return self.head(pooled).float()[:, 0]

    def head_tensors(self):
        return {"judge.weight": self.head.weight[0], "judge.bias": self.head.bias}

    @torch.no_grad()
    def load(self, folder):
        load_layers(self.encoder, folder)
        tensors = read_tensors(folder)
        for ours, name in zip((self.head.weight[0], self.head.bias), self.head_tensors(), strict=True):
            ours.copy_(tensors[name])

    def trained(self):
        """All but words and places, which it has in common with the encoder."""
        return torch.nn.ModuleList([self.encoder.layers, self.head])


def joined(asked, asked_lengths, told, told_lengths):
    """Questions and passages end to end, each of which is framed already: the frame between them stands once."""
    lengths = asked_lengths + told_lengths - 1
    places = torch.arange(int(lengths.max()), device=DEVICE).expand(len(lengths), -1)
    behind = places - asked_lengths[:, None]
    ids = torch.where(
        behind < 0,
        asked.gather(1, places.clamp(max=asked.shape[1] - 1)),
        told.gather(1, (behind + 1).clamp(0, told.shape[1] - 1)),
    )
    return ids * (places < lengths[:, None]), lengths


class OfPairs:
    """Each question of the pairs, and what is mistaken for its passage among all of its language."""

    def __init__(self, pairs, large, quick):
        self.pairs, self.texts = pairs, pairs.texts
        self.near = self.nearest(large, quick)

    @torch.no_grad()
    def nearest(self, large, quick):
        texts, keys = self.texts, self.pairs.keys
        q = vectors(large, texts.count, texts.question).bfloat16()
        d = vectors(quick, texts.count, lambda which: texts.glance(which, torch.ones_like(which))).bfloat16()
        near = torch.zeros(texts.count, NEAR, dtype=torch.int32, device=DEVICE)
        for places in Batches(self.pairs, 4 * NEAR, 0).groups.values():
            places = torch.tensor(places, device=DEVICE)
            for part in places.split(4096):
                best = (q[part] @ d[places].T).topk(min(NEAR + 16, len(places)))
                found = places[best.indices]
                order = best.values.float().masked_fill(keys[found] == keys[part][:, None], -9).topk(NEAR).indices
                near[part] = found.gather(1, order).int()
        return near

    def lists(self, which, count):
        """Of each question its own passage and some of those that are near."""
        columns = torch.rand(len(which), NEAR, device=DEVICE).topk(count - 1).indices
        return torch.cat([which[:, None], self.near[which].gather(1, columns).long()], 1)

    def together(self, which, lists, headed):
        asked, lengths = self.texts.question(which)
        times = lists.shape[1]
        told = self.texts.glance(lists.flatten(), headed)
        return joined(asked.repeat_interleave(times, 0), lengths.repeat_interleave(times), *told)


class OfTrees:
    """Each written question about some trees, passages that answer it, and what is mistaken for them in its tree."""

    def __init__(self, trees, learnt, large, quick):
        self.trees, self.near, self.right, self.numbers = trees, [], [], []
        asked = questions(trees, large)
        told = {tree: passages(trees, quick, tree) for tree in learnt}
        for number, (tree, _, groups, may) in enumerate(trees.questions):
            if tree not in told:
                continue
            scores = (told[tree] @ asked[number]).masked_fill(~may, -9)
            best = torch.cat([group[scores[group].topk(min(3, len(group))).indices] for group in groups])
            scores[torch.cat(groups)] = -9
            if (scores > -9).sum() < NEAR:
                continue
            start = trees.starts[tree]
            self.near.append(scores.topk(NEAR).indices + start)
            self.right.append(best[torch.randint(len(best), (RIGHT,), device=DEVICE)] + start)
            self.numbers.append(number)
        self.near, self.right = torch.stack(self.near), torch.stack(self.right)
        self.numbers = torch.tensor(self.numbers, device=DEVICE)

    def draw(self, count):
        """Some questions, each read with a passage that answers it, which stands first, and with some that do not."""
        rows = torch.randint(len(self.numbers), (count,), device=DEVICE)
        columns = torch.rand(count, NEAR, device=DEVICE).topk(LIST - 1).indices
        right = self.right[rows, torch.randint(RIGHT, (count,), device=DEVICE)]
        lists = torch.cat([right[:, None], self.near[rows].gather(1, columns)], 1)
        asked = self.numbers[rows].repeat_interleave(LIST)
        return joined(self.trees.asked[asked], self.trees.asked_lengths[asked], *self.trees.passages(lists.flatten()))


def train_judge(judge, of_pairs, of_trees, size, rate, until):
    """Each question tells a passage that answers it from what is mistaken for it; now and then a question about a
    tree does."""
    calls = iter(range(10**9))

    def loss_of(which):
        if next(calls) % EVERY == 0:
            read = of_trees.draw(len(which))
        else:
            lists = of_pairs.lists(which, LIST)
            read = of_pairs.together(which, lists, (torch.rand(lists.numel(), device=DEVICE) < 0.7).long())
        scores = in_pieces(judge, *read, 6).view(-1, LIST)
        return F.cross_entropy(scores, torch.zeros(len(scores), dtype=torch.int64, device=DEVICE))

    repeat(judge, judge.trained(), Batches(of_pairs.pairs, size, 50), 100, rate, until, "judge", loss_of)


@torch.no_grad()
def looked_again(label, measures, trees, others, judge, large, quick):
    """What a second look at the first of a list is worth, by how much it weighs beside the first look."""
    judge.eval()
    rows = collections.defaultdict(dict)
    for m in measures:
        q = vectors(large, m.asked.count, m.asked.question)
        d = vectors(quick, m.texts.count, lambda which, m=m: m.texts.glance(which, torch.ones_like(which)))
        first = q @ d.T
        best = first.topk(min(LOOKED, first.shape[1]), 1)
        asked = torch.arange(m.asked.count, device=DEVICE).repeat_interleave(best.indices.shape[1])
        looked = [
            in_pieces(judge, *joined(*m.asked.question(a), *m.texts.glance(t, torch.ones_like(t))), 4)
            for a, t in zip(asked.split(8192), best.indices.flatten().split(8192), strict=True)
        ]
        second = torch.cat(looked).view_as(best.values)
        for weight in WEIGHTS:
            rows[weight][m.name] = m.mrr((first - 99).scatter(1, best.indices, best.values + weight / SCALE * second))
    for weight, found in rows.items():
        say(f"JUDGE {label} weight", weight, " ".join(f"{n} {v:.4f}" for n, v in found.items()), f"mean {sum(found.values()) / len(found):.4f}")
    asked = questions(trees, large)
    rows = collections.defaultdict(lambda: collections.defaultdict(list))
    for tree in others:
        told = passages(trees, quick, tree)
        for number in (n for n, (of, *_) in enumerate(trees.questions) if of == tree):
            kind, may = trees.questions[number][1], trees.questions[number][3]
            scores = (told @ asked[number]).masked_fill(~may, -9)
            best = scores.topk(min(LOOKED, len(scores)))
            row = torch.full_like(best.indices, number)
            second = in_pieces(judge, *joined(trees.asked[row], trees.asked_lengths[row], *trees.passages(best.indices + trees.starts[tree])), 1)
            for weight in WEIGHTS:
                mixed = (scores - 99).scatter(0, best.indices, best.values + weight / SCALE * second)
                rows[weight][kind].append(ranked(trees, number, mixed))
    for weight, kinds in rows.items():
        say(f"JUDGE {label}, trees, weight", weight, " ".join(f"{kind} {sum(v) / len(v):.4f}" for kind, v in kinds.items()))
