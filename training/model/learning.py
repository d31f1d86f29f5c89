"""How a model learns: batches, the pace of a run, and what each kind of training makes smaller."""

import collections
import math
import random

import torch
import torch.nn.functional as F

from encoder import Joined, Layer, in_pieces, vectors
from progress import now, say
from texts import DEVICE

SCALE = 50.0


class Batches:
    """Batches of one language each where it has enough pairs. In half of them pairs of one package stand together,
    which are harder to tell apart: a question is asked of one tree, not of all that was ever written."""

    TOGETHER = 32

    def __init__(self, pairs, size, seed, places=None):
        self.groups = collections.defaultdict(list)
        for place in range(pairs.texts.count) if places is None else places.tolist():
            self.groups[pairs.languages[place]].append(place)
        small = [g for g in list(self.groups) if len(self.groups[g]) < size // 4]
        mixed = [p for g in small for p in self.groups.pop(g)]
        if mixed:
            self.groups["mixed"] = mixed
        self.packages, self.size, self.draw = pairs.packages, size, random.Random(seed)

    def an_epoch(self):
        return sum(len(g) // min(self.size, len(g)) for g in self.groups.values())

    def by_package(self, places):
        """The same places, in runs of one package each."""
        places = sorted(places, key=lambda place: self.packages[place])
        runs = [places[i : i + self.TOGETHER] for i in range(0, len(places), self.TOGETHER)]
        self.draw.shuffle(runs)
        return [place for run in runs for place in run]

    def epoch(self):
        batches = []
        for places in self.groups.values():
            self.draw.shuffle(places)
            half = len(places) // 2
            ordered = self.by_package(places[:half]) + places[half:]
            size = min(self.size, len(places))
            batches += [ordered[i : i + size] for i in range(0, len(places) - size + 1, size)]
        self.draw.shuffle(batches)
        for batch in batches:
            yield torch.tensor(batch, device=DEVICE)


def one_cycle(optimizer, step, steps, peak):
    warm = max(1, steps // 20)
    rate = peak * (step / warm if step < warm else 0.5 * (1 + math.cos(math.pi * (step - warm) / max(1, steps - warm))) + 0.01)
    for group in optimizer.param_groups:
        group["lr"] = rate


class Pace:
    """As many steps as there is time for, so that the rate has gone down when time is up."""

    WARM, LOOKED = 60, (120, 400, 1200)

    def __init__(self, until):
        self.until, self.last = until, None

    def fitting(self, steps, most, done):
        if done != self.WARM and done not in self.LOOKED:
            return steps
        if DEVICE == "cuda":
            torch.cuda.synchronize()
        before, self.last = self.last, (done, now())
        if before is None:
            # The first steps are slow and say nothing about the others.
            return steps
        each = (self.last[1] - before[1]) / (done - before[0])
        fitting = min(most, done + int(max(0, self.until - now()) / each))
        say("steps that fit", fitting)
        return fitting


def optimizer_of(model, rate):
    return torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01, betas=(0.9, 0.98))


def learn(model, optimizer, loss):
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


def length_of(draw):
    """How many tokens of the passages of a batch are read."""
    return draw.choice([64, 128, 208, 208])


def short_of(draw):
    """How passages of a batch are read by a student that is to be quick: as they stand or by head and telling words,
    and how many tokens."""
    return ("raw", draw.choice([96, 128, 128])) if draw.random() < 0.5 else ("told", draw.choice([96, 112, 112]))


def contrast(questions, passages, same):
    """How well each question tells its passage from all others, and back; copies do not count as others."""
    count = len(questions)
    scores = SCALE * questions @ passages.T
    scores[:, :count] = scores[:, :count].masked_fill(same, -1e4)
    right = torch.arange(count, device=DEVICE)
    back = scores[:, :count].T
    return (F.cross_entropy(scores, right) + F.cross_entropy(back, right)) / 2


def is_same(keys):
    """Which pairs of a batch ask the same question, itself left out."""
    same = keys[:, None] == keys[None]
    same.fill_diagonal_(False)
    return same


def repeat(model, trained, batches, epochs, rate, until, label, loss_of):
    """Trains part of a model batch by batch, as long as there is time; `loss_of` says what to make smaller."""
    most = steps = max(1, int(batches.an_epoch() * epochs))
    step, losses = 0, []
    optimizer, pace, began = optimizer_of(trained, rate), Pace(until), now()
    model.train()
    model.requires_grad_(False)
    trained.requires_grad_(True)
    plain = [module for module in model.modules() if module.__class__ is Layer]
    for layer in plain:
        layer.__class__ = Joined
    say("train", label, "steps", steps, "batch", batches.size)
    while step < steps:
        for which in batches.epoch():
            if step >= steps or now() > until:
                steps = min(steps, step)
                break
            one_cycle(optimizer, step, steps, rate)
            try:
                loss = loss_of(which)
                learn(trained, optimizer, loss)
            except torch.cuda.OutOfMemoryError:
                # Some languages write longer functions than others.
                say("a batch was left out: too long for the device's memory")
                optimizer.zero_grad(set_to_none=True)
                torch.cuda.empty_cache()
                continue
            losses.append(loss.detach())
            step += 1
            steps = pace.fitting(steps, most, step)
            if step % 100 == 0:
                say(f"  {label} step {step}/{steps} loss {float(torch.stack(losses[-100:]).mean()):.4f} {(now() - began) / step * 1000:.0f} ms")
    for layer in plain:
        layer.__class__ = Layer
    model.requires_grad_(True)
    say(f"trained {label} {step} steps in {now() - began:.0f}s")


def train(model, pairs, epochs, rate, size, seed, until, label, hard=None):
    """Contrastive training; with `hard`, each question also faces passages that were mistaken for its own."""
    draw = random.Random(seed)

    def loss_of(which):
        most = length_of(draw)
        wanted = which
        if hard is not None:
            drawn = hard[which, torch.randint(hard.shape[1], (len(which),), device=DEVICE)]
            wanted = torch.cat([which, drawn])
        headed = (torch.rand(len(wanted), device=DEVICE) < 0.5).long()
        q = in_pieces(model, *pairs.texts.question(which), 2)
        d = in_pieces(model, *pairs.texts.code(wanted, "raw", most, headed), 6)
        return contrast(q, d, is_same(pairs.keys[which]))

    repeat(model, model, Batches(pairs, size, seed), epochs, rate, until, label, loss_of)


@torch.no_grad()
def mistaken(model, pairs, near=8, far=48, kept=4):
    """For each question, passages of its language that rank high and are not its own."""
    model.eval()
    texts, keys = pairs.texts, pairs.keys
    q = vectors(model, texts.count, texts.question).bfloat16()
    d = vectors(model, texts.count, lambda which: texts.code(which, "raw", 208, torch.ones_like(which))).bfloat16()
    hard = torch.randint(texts.count, (texts.count, kept), device=DEVICE)
    of_language = collections.defaultdict(list)
    for place, language in enumerate(pairs.languages):
        of_language[language].append(place)
    for places in of_language.values():
        places = torch.tensor(places, device=DEVICE)
        if len(places) < far + 2:
            continue
        for part in places.split(8192):
            best = (q[part] @ d[places].T).topk(far, dim=1).indices
            picked = torch.randint(near, far, (len(part), kept), device=DEVICE)
            chosen = places[best.gather(1, picked)]
            same = keys[chosen] == keys[part][:, None]
            hard[part] = torch.where(same, hard[part], chosen)
    return hard


class Example:
    """What a student is to make: for some of the pairs, the vectors of question and passage, which has its header or
    not. A large teacher takes minutes for all of them, so not all."""

    def __init__(self, teacher, pairs, count):
        texts = self.texts = pairs.texts
        self.places = torch.randperm(texts.count, device=DEVICE)[:count]
        self.headed = (torch.rand(texts.count, device=DEVICE) < 0.5).long()
        self.order = tuple(self.made(teacher))
        self.questions, self.passages = self.order

    def made(self, teacher):
        """One vector a pair, of zeros for those that are left out."""
        teacher.eval()
        texts, places = self.texts, self.places
        for read in (texts.question, lambda which: texts.code(which, "raw", 208, self.headed[which])):
            some = vectors(teacher, len(places), lambda which, read=read: read(places[which])).bfloat16()
            yield torch.zeros(texts.count, some.shape[1], dtype=some.dtype, device=DEVICE).index_copy(0, places, some)

    def join(self, model):
        """Lets the model teach too, as it is: the likeness of two texts is the mean of what both say. Returns the way
        from what both make, side by side, to the vectors that the student is to make."""
        ours = tuple(self.made(model))
        self.order = tuple(torch.cat(pair, 1) * 0.5**0.5 for pair in zip(self.order, ours, strict=True))
        some = self.places[:100000]
        way = shorter(*(torch.cat([side[some] for side in sides]).float() for sides in (self.order, ours)))
        self.questions, self.passages = (
            torch.cat([F.normalize(part.float() @ way, dim=1).bfloat16() for part in side.split(1 << 18)]) for side in self.order
        )
        return way

    def likeness(self, which, questions, passages, same):
        """How far the student's order of the batch's passages, for each question and back, is from what is wanted:
        half the right one first, half the teacher's order."""
        asked, told = (side[which].float() for side in self.order)
        ours, theirs = SCALE * questions @ passages.T, SCALE * asked @ told.T
        right = torch.eye(len(which), device=DEVICE)
        loss = 0
        for mine, wanted, copies in ((ours, theirs, same), (ours.T, theirs.T, same.T)):
            goal = (right + wanted.masked_fill(copies, -1e4).softmax(1)) / 2
            loss = loss - (goal * mine.masked_fill(copies, -1e4).log_softmax(1)).sum(1).mean() / 2
        return loss


def shorter(seen, own):
    """From vectors to those of fewer dimensions whose likenesses are nearest to theirs, turned (that changes no
    likeness) to lie nearest to the model's own."""
    kept = torch.linalg.eigh(seen.T @ seen).eigenvectors[:, -own.shape[1] :]
    left, _, right = torch.linalg.svd((seen @ kept).T @ own)
    way = kept @ left @ right
    say(f"likeness to the model {float((F.normalize(seen @ way, dim=1) * own).sum(1).mean()):.3f}")
    return way


def apart(made, wanted):
    return 8 * (1 - (made * wanted.float()).sum(1)).mean()


def follow(model, example, pairs, epochs, rate, size, seed, until, label):
    """A model for both sides learns to make a teacher's vectors, of questions above all: they cost little."""
    draw = random.Random(seed)

    def loss_of(which):
        most = length_of(draw)
        some = which[: len(which) // 4]
        q = in_pieces(model, *pairs.texts.question(which), 2)
        d = in_pieces(model, *pairs.texts.code(some, "raw", most, example.headed[some]), 4)
        passages = torch.cat([d, example.passages[which[len(some) :]].float()])
        off = apart(q, example.questions[which]) + apart(d, example.passages[some])
        return off + example.likeness(which, q, passages, is_same(pairs.keys[which]))

    repeat(model, model, Batches(pairs, size, seed, example.places), epochs, rate, until, label, loss_of)


def distil(student, questions, example, pairs, epochs, rate, size, seed, until, label):
    """The student makes, of less input, the vectors that its teacher makes of the whole passage, for the questions
    as the model makes them."""
    draw = random.Random(seed)

    def loss_of(which):
        d = in_pieces(student, *pairs.texts.code(which, *short_of(draw), example.headed[which]), 6)
        return apart(d, example.passages[which]) + example.likeness(which, questions[which].float(), d, is_same(pairs.keys[which]))

    trained = student.layers if len(student.layers) else student
    repeat(student, trained, Batches(pairs, size, seed, example.places), epochs, rate, until, label, loss_of)
