"""From pairs to weights, on one accelerator: a large encoder, then smaller ones that make its vectors.

In: a folder with `pairs*.jsonl.xz` (language, question, header, code), `measure/NAME/{corpus,queries}.jsonl.xz`
and the weights to start from (`start/`: config.json, tokenizer.json, model.safetensors). Out: a folder a model
with the same three files, and `log.txt` with every figure. Stages are timed; the whole takes under 25 minutes
on one H200.
"""

import argparse
import collections
import hashlib
import json
import lzma
import math
import multiprocessing
import os
import pathlib
import random
import re
import time

import numpy
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

QUESTION, HEADER, RAW, SHORT = 64, 28, 224, 128
SCALE = 50.0
STARTED = time.time()
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
LOG = None


def say(*words):
    line = f"[{time.time() - STARTED:6.0f}s] " + " ".join(str(w) for w in words)
    print(line, flush=True)
    LOG.write(line + "\n")
    LOG.flush()


# Texts to tokens.

SPLITS = [(re.compile(r"([a-z0-9])([A-Z])"), r"\1 \2"), (re.compile(r"([A-Z])([A-Z][a-z])"), r"\1 \2")]


def split(text):
    """Identifiers into words, as the encoder does it."""
    for pattern, to in SPLITS:
        text = pattern.sub(to, text)
    return text.replace("_", " ")


TOKENIZER = PLAIN = CONTINUES = None


def prepare(path):
    """What a process needs to tokenize: the tokenizer, which tokens are words, which go on with one."""
    global TOKENIZER, PLAIN, CONTINUES
    TOKENIZER = Tokenizer.from_file(str(path))
    TOKENIZER.no_truncation()
    TOKENIZER.no_padding()
    size = TOKENIZER.get_vocab_size()
    PLAIN, CONTINUES = numpy.zeros(size, bool), numpy.zeros(size, bool)
    for token, number in TOKENIZER.get_vocab().items():
        CONTINUES[number] = token.startswith("##")
        PLAIN[number] = token.removeprefix("##").isalnum()


def ids_of(text, most):
    encoded = TOKENIZER.encode(split(text), add_special_tokens=False)
    return encoded.ids[:most]


def telling(ids, most):
    """The first occurrence of each word, without punctuation, in order."""
    kept, seen, word = [], set(), []
    for number in [*ids, -1]:
        if number >= 0 and CONTINUES[number]:
            word.append(number)
            continue
        if word and PLAIN[word[0]] and tuple(word) not in seen:
            seen.add(tuple(word))
            kept += word
            if len(kept) >= most:
                break
        word = [number]
    return kept[:most]


def tokenize(rows):
    """Per row: question, header, code as it stands, code by its telling words."""
    columns = [[], [], [], []]
    for question, header, code in rows:
        whole = ids_of(code, 600)
        for column, ids in zip(columns, (ids_of(question, QUESTION), ids_of(header, HEADER), whole[:RAW], telling(whole, SHORT)), strict=True):
            column.append(numpy.array(ids, numpy.uint16))
    return [(numpy.concatenate(c) if c else numpy.zeros(0, numpy.uint16), numpy.array([len(x) for x in c], numpy.int64)) for c in columns]


def read_shard(path):
    """The tokens of a file of pairs, with the language and package of each and a key of its question."""
    rows, languages, packages, keys = [], [], [], []
    for line in lzma.open(path, "rt"):
        row = json.loads(line)
        rows.append((row["q"], row["h"], row["c"]))
        languages.append(row["l"])
        packages.append(row["p"])
        keys.append(int.from_bytes(hashlib.blake2b(row["q"].lower().encode(), digest_size=7).digest(), "little"))
    return tokenize(rows), languages, packages, numpy.array(keys, numpy.int64)


def read_set(folder):
    """The tokens of a set to measure with: functions, questions, and which function answers each."""
    read = lambda name: [json.loads(line) for line in lzma.open(folder / name, "rt")]
    corpus, queries = read("corpus.jsonl.xz"), read("queries.jsonl.xz")
    place = {row["id"]: n for n, row in enumerate(corpus)}
    texts = tokenize([("", row.get("header", ""), row["code"]) for row in corpus])
    asked = tokenize([(row["query"], "", "") for row in queries])
    return folder.name, texts, asked, [place[row["relevant_id"]] for row in queries]


class Column:
    """Many short lists of tokens, laid end to end on the device."""

    def __init__(self, parts):
        flat = numpy.concatenate([p[0] for p in parts]).astype(numpy.int32)
        lengths = numpy.concatenate([p[1] for p in parts])
        self.flat = torch.from_numpy(numpy.concatenate([flat, numpy.zeros(512, numpy.int32)])).to(DEVICE)
        self.lengths = torch.from_numpy(lengths).to(DEVICE)
        self.starts = torch.cumsum(self.lengths, 0) - self.lengths

    def rows(self, which, most):
        lengths = self.lengths[which].clamp(max=most)
        width = int(lengths.max()) if len(which) else 0
        places = torch.arange(width, device=DEVICE)
        mask = places[None] < lengths[:, None]
        return self.flat[self.starts[which, None] + places[None]] * mask, lengths


class Texts:
    def __init__(self, parts, tokenizer):
        self.questions, self.headers, self.raw, self.short = (Column([p[c] for p in parts]) for c in range(4))
        self.count = len(self.raw.lengths)
        self.first, self.last = (tokenizer.token_to_id(t) for t in ("[CLS]", "[SEP]"))

    def framed(self, parts):
        """Token lists end to end within each row, between the framing tokens."""
        count = len(parts[0][1])
        total = sum(lengths for _, lengths in parts)
        out = torch.zeros(count, int(total.max()) + 2, dtype=torch.int64, device=DEVICE)
        out[:, 0] = self.first
        at = torch.ones(count, dtype=torch.int64, device=DEVICE)
        for ids, lengths in parts:
            places = torch.arange(ids.shape[1], device=DEVICE)
            mask = places[None] < lengths[:, None]
            rows = torch.arange(count, device=DEVICE)[:, None].expand_as(mask)[mask]
            out[rows, (at[:, None] + places[None])[mask]] = ids.long()[mask]
            at = at + lengths
        out[torch.arange(count, device=DEVICE), at] = self.last
        return out, at + 1

    def question(self, which):
        return self.framed([self.questions.rows(which, QUESTION - 2)])

    def code(self, which, rule="raw", most=208, header=None):
        """A passage of at most `most` tokens; `header` says for each whether its header is there."""
        column = self.raw if rule == "raw" else self.short
        parts = [column.rows(which, most - 2)]
        if header is not None:
            ids, lengths = self.headers.rows(which, HEADER)
            parts.insert(0, (ids, lengths * header))
        ids, lengths = self.framed(parts)
        if ids.shape[1] > most:
            lengths = lengths.clamp(max=most)
            ids = ids[:, :most].clone()
            ids[torch.arange(len(ids), device=DEVICE), lengths - 1] = self.last
        return ids, lengths


class Pairs:
    """What is trained on: texts, and for each its language, its package and a key of its question."""

    def __init__(self, shards, tokenizer):
        self.texts = Texts([shard[0] for shard in shards], tokenizer)
        self.languages = [language for shard in shards for language in shard[1]]
        self.packages = [package for shard in shards for package in shard[2]]
        self.keys = torch.from_numpy(numpy.concatenate([shard[3] for shard in shards])).to(DEVICE)


# The encoder.


class Layer(torch.nn.Module):
    def __init__(self, hidden, heads, inner):
        super().__init__()
        self.heads = heads
        self.qkv = torch.nn.Linear(hidden, 3 * hidden)
        self.out = torch.nn.Linear(hidden, hidden)
        self.norm1 = torch.nn.LayerNorm(hidden, eps=1e-12)
        self.up = torch.nn.Linear(hidden, inner)
        self.down = torch.nn.Linear(inner, hidden)
        self.norm2 = torch.nn.LayerNorm(hidden, eps=1e-12)

    def forward(self, x, mask):
        batch, length, hidden = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = self.norm1(x + self.out(mixed.transpose(1, 2).reshape(batch, length, hidden)))
        return self.norm2(x + self.down(F.gelu(self.up(x))))


class Encoder(torch.nn.Module):
    def __init__(self, config, layers):
        super().__init__()
        hidden = config["hidden_size"]
        self.words = torch.nn.Embedding(config["vocab_size"], hidden)
        self.places = torch.nn.Embedding(config["max_position_embeddings"], hidden)
        self.norm = torch.nn.LayerNorm(hidden, eps=1e-12)
        self.layers = torch.nn.ModuleList(
            Layer(hidden, config["num_attention_heads"], config["intermediate_size"]) for _ in range(layers)
        )

    def states(self, ids, lengths):
        width = ids.shape[1]
        mask = torch.arange(width, device=ids.device)[None] < lengths[:, None]
        x = self.norm(self.words(ids) + self.places.weight[:width])
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :])
        return x, mask

    def forward(self, ids, lengths):
        x, mask = self.states(ids, lengths)
        pooled = (x * mask[..., None]).sum(1).float() / lengths[:, None]
        return F.normalize(pooled, dim=-1)


NAMES = {
    "qkv": ["attention.self.query", "attention.self.key", "attention.self.value"], "out": ["attention.output.dense"],
    "norm1": ["attention.output.LayerNorm"], "up": ["intermediate.dense"], "down": ["output.dense"], "norm2": ["output.LayerNorm"],
}  # fmt: skip


def read_tensors(folder):
    return {k.removeprefix("bert."): v.float() for k, v in load_file(str(folder / "model.safetensors")).items()}


def layers_of(folder):
    return json.loads((pathlib.Path(folder) / "config.json").read_text())["num_hidden_layers"]


def load(folder):
    config = json.loads((folder / "config.json").read_text())
    tensors = read_tensors(folder)
    model = Encoder(config, config["num_hidden_layers"])
    with torch.no_grad():
        model.words.weight.copy_(tensors["embeddings.word_embeddings.weight"])
        model.places.weight.copy_(tensors["embeddings.position_embeddings.weight"] + tensors["embeddings.token_type_embeddings.weight"][0])
        for end in ("weight", "bias"):
            getattr(model.norm, end).copy_(tensors[f"embeddings.LayerNorm.{end}"])
    load_layers(model, folder)
    return model.to(DEVICE), config


@torch.no_grad()
def load_layers(model, folder):
    tensors = read_tensors(folder)
    for n, layer in enumerate(model.layers):
        for ours, theirs in NAMES.items():
            for end in ("weight", "bias"):
                getattr(getattr(layer, ours), end).copy_(torch.cat([tensors[f"encoder.layer.{n}.{name}.{end}"] for name in theirs]))


def save(model, config, tokenizer, folder, layers_only=False):
    """A student has the large model's embeddings: its layers are all there is to keep."""
    folder.mkdir(parents=True, exist_ok=True)
    half = lambda t: t.detach().half().contiguous().cpu()
    hidden = config["hidden_size"]
    tensors = {
        "embeddings.word_embeddings.weight": half(model.words.weight),
        "embeddings.position_embeddings.weight": half(model.places.weight),
        "embeddings.token_type_embeddings.weight": torch.zeros(2, hidden, dtype=torch.float16),
    }
    for end in ("weight", "bias"):
        tensors[f"embeddings.LayerNorm.{end}"] = half(getattr(model.norm, end))
        for n, layer in enumerate(model.layers):
            for ours, theirs in NAMES.items():
                whole = getattr(getattr(layer, ours), end)
                for name, part in zip(theirs, whole.chunk(len(theirs)), strict=True):
                    tensors[f"encoder.layer.{n}.{name}.{end}"] = half(part)
    if layers_only:
        tensors = {name: tensor for name, tensor in tensors.items() if name.startswith("encoder.")}
    save_file(tensors, str(folder / "model.safetensors"))
    (folder / "config.json").write_text(json.dumps({**config, "num_hidden_layers": len(model.layers)}, indent=1))
    tokenizer.save(str(folder / "tokenizer.json"))


def shallower(model, config, which):
    """A copy with some of the layers."""
    small = Encoder(config, len(which)).to(DEVICE)
    with torch.no_grad():
        small.words.load_state_dict(model.words.state_dict())
        small.places.load_state_dict(model.places.state_dict())
        small.norm.load_state_dict(model.norm.state_dict())
        for layer, n in zip(small.layers, which, strict=True):
            layer.load_state_dict(model.layers[n].state_dict())
    return small


def in_pieces(model, ids, lengths, pieces=4):
    """The vectors of a batch, in pieces of like length, so that little is spent on padding."""
    order = torch.argsort(lengths)
    out = []
    for part in order.chunk(pieces):
        width = int(lengths[part].max())
        with torch.autocast(DEVICE, torch.bfloat16):
            out.append(model(ids[part, :width], lengths[part]))
    return torch.cat(out)[torch.argsort(order)]


@torch.no_grad()
def vectors(model, count, make, size=8192):
    out = []
    for start in range(0, count, size):
        ids, lengths = make(torch.arange(start, min(count, start + size), device=DEVICE))
        out.append(in_pieces(model, ids, lengths, 8))
    return torch.cat(out)


# Measuring.


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
    say("MRR", label, rule, most, " ".join(f"{n} {v:.4f}" for n, v in found.items()), f"mean {sum(found.values()) / len(found):.4f}")
    return found


# Training.


class Batches:
    """Batches of one language each where it has enough pairs. In half of them pairs of one package stand together,
    which are harder to tell apart: a question is asked of one tree, not of all that was ever written."""

    TOGETHER = 32

    def __init__(self, pairs, size, seed):
        self.groups = collections.defaultdict(list)
        for place, language in enumerate(pairs.languages):
            self.groups[language].append(place)
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

    WARM, LOOKED = 30, 80

    def __init__(self, until):
        self.until, self.warm = until, None

    def fitting(self, steps, done):
        if done not in (self.WARM, self.LOOKED):
            return steps
        if DEVICE == "cuda":
            torch.cuda.synchronize()
        now = time.time()
        if done == self.WARM:
            # The first steps are slow and say nothing about the others.
            self.warm = now
            return steps
        each = (now - self.warm) / (self.LOOKED - self.WARM)
        fitting = min(steps, done + int(max(0, self.until - (now - STARTED)) / each))
        say("steps that fit", fitting)
        return fitting


def optimizer_of(model, rate):
    return torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01, betas=(0.9, 0.98))


def learn(model, optimizer, loss):
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


def input_of(draw):
    """How passages of a batch are read: as they stand or by their telling words, and how many tokens."""
    rule = "raw" if draw.random() < 0.7 else "short"
    return rule, draw.choice([64, 128, 208, 208] if rule == "raw" else [48, 64, 96, 128])


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
    steps, step, losses = max(1, int(batches.an_epoch() * epochs)), 0, []
    optimizer, pace, began = optimizer_of(trained, rate), Pace(until), time.time()
    model.train()
    say("train", label, "steps", steps, "batch", batches.size)
    while step < steps:
        for which in batches.epoch():
            if step >= steps or time.time() - STARTED > until:
                steps = min(steps, step)
                break
            one_cycle(optimizer, step, steps, rate)
            loss = loss_of(which)
            learn(model, optimizer, loss)
            losses.append(loss.detach())
            step += 1
            steps = pace.fitting(steps, step)
            if step % 100 == 0:
                say(f"  {label} step {step}/{steps} loss {float(torch.stack(losses[-100:]).mean()):.4f} {(time.time() - began) / step * 1000:.0f} ms")
    say(f"trained {label} {step} steps in {time.time() - began:.0f}s")


def train(model, pairs, epochs, rate, size, seed, until, label, hard=None):
    """Contrastive training; with `hard`, each question also faces passages that were mistaken for its own."""
    draw = random.Random(seed)

    def loss_of(which):
        rule, most = input_of(draw)
        wanted = which
        if hard is not None:
            drawn = hard[which, torch.randint(hard.shape[1], (len(which),), device=DEVICE)]
            wanted = torch.cat([which, drawn])
        headed = (torch.rand(len(wanted), device=DEVICE) < 0.5).long()
        q = in_pieces(model, *pairs.texts.question(which), 2)
        d = in_pieces(model, *pairs.texts.code(wanted, rule, most, headed), 6)
        return contrast(q, d, is_same(pairs.keys[which]))

    repeat(model, model, Batches(pairs, size, seed), epochs, rate, until, label, loss_of)


@torch.no_grad()
def between(start, end, config, share):
    """A model whose weights lie between those of two, at `share` of the way."""
    mixed = shallower(end, config, range(len(end.layers)))
    for ours, theirs in zip(mixed.parameters(), start.parameters(), strict=True):
        ours.lerp_(theirs, 1 - share)
    return mixed


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


def distil(student, questions, targets, pairs, epochs, rate, size, seed, until, label):
    """The student makes, of less input, the vectors that the large model makes of the whole."""
    draw = random.Random(seed)

    def loss_of(which):
        rule, most = ("raw", draw.choice([64, 96, 128, 208])) if draw.random() < 0.5 else ("short", draw.choice([48, 64, 96, 128]))
        headed = (torch.rand(len(which), device=DEVICE) < 0.5).long()
        d = in_pieces(student, *pairs.texts.code(which, rule, most, headed), 6)
        wanted = torch.where(headed[:, None] > 0, targets[1][which], targets[0][which]).float()
        near = (d * wanted).sum(1)
        return 8 * (1 - near).mean() + contrast(questions[which].float(), d, is_same(pairs.keys[which]))

    trained = student.layers if len(student.layers) else student
    repeat(student, trained, Batches(pairs, size, seed), epochs, rate, until, label, loss_of)


# A second look: question and passage read together.


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


# A vocabulary for code.


def adopt(model, before, after):
    """Gives each token that is new in a vocabulary the mean of the vectors of the pieces it was made of."""
    old = Tokenizer.from_file(str(before))
    old.no_truncation()
    old.no_padding()
    known, added = old.get_vocab(), 0
    with torch.no_grad():
        weights = model.words.weight.clone()
        for token, place in Tokenizer.from_file(str(after)).get_vocab().items():
            if known.get(token) != place:
                ids = old.encode(token, add_special_tokens=False).ids
                model.words.weight[place] = weights[ids].mean(0)
                added += 1
    say("vocabulary:", added, "words of code in the places of tokens that code does not use")


# Smaller weights and vectors.


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


def main():
    global LOG
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("data", type=pathlib.Path)
    arguments.add_argument("out", type=pathlib.Path)
    arguments.add_argument("--until", type=float, default=1300, help="seconds after which no stage goes on")
    arguments.add_argument("--batch", type=int, default=4096)
    arguments.add_argument("--epochs", type=float, default=3)
    arguments.add_argument("--rate", type=float, default=2e-4)
    arguments.add_argument("--share", type=float, default=0.6, help="of the time for the large model's first round")
    arguments.add_argument("--rounds", type=int, default=0, help="rounds of training against mined mistakes")
    arguments.add_argument("--all", action="store_true", help="also what does not ship: curves, two layers, none, a second look")
    asked = arguments.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    LOG = (asked.out / "log.txt").open("w")
    torch.manual_seed(1)
    start, words = asked.data / "start", asked.data / "words/tokenizer.json"
    prepare(words)
    with multiprocessing.get_context("fork").Pool(min(16, os.cpu_count())) as pool:
        shards = pool.map_async(read_shard, sorted(asked.data.glob("pairs*.jsonl.xz")), chunksize=1)
        sets = pool.map(read_set, sorted((asked.data / "measure").iterdir()), chunksize=1)
        shards = shards.get()
    tokenizer = Tokenizer.from_file(str(words))
    measures = [Measure(read, tokenizer) for read in sets]
    pairs = Pairs(shards, tokenizer)
    del shards
    texts = pairs.texts
    say("pairs", texts.count, collections.Counter(pairs.languages).most_common())
    say("tokens a passage", float(texts.raw.lengths.float().mean()), "telling", float(texts.short.lengths.float().mean()), "question", float(texts.questions.lengths.float().mean()))
    model, config = load(start)
    adopt(model, start / "tokenizer.json", words)
    Stages(asked, model, config, tokenizer, pairs, measures).run()


STUDENTS = {
    False: ((3, [0, 2, 5], 0.5), (4, [0, 2, 3, 5], 1.0)),
    True: ((3, [0, 2, 5], 0.40), (4, [0, 2, 3, 5], 0.65), (2, [0, 5], 0.78)),
}
"""Encoders for passages: how many layers, which of the large model's they begin as, and by what share of the time
that is left each is done; without and with those that do not ship."""


class Stages:
    """The whole way, each stage within its share of the time."""

    def __init__(self, asked, model, config, tokenizer, pairs, measures):
        self.asked, self.model, self.config, self.tokenizer = asked, model, config, tokenizer
        self.pairs, self.measures = pairs, measures
        self.few = [m for m in measures if m.name in ("python-valid", "java", "rust", "own-typescript")] or measures
        self.until, self.hard = asked.until, None

    def run(self):
        measure("before training", self.measures, self.model)
        start = shallower(self.model, self.config, range(len(self.model.layers)))
        self.large()
        self.settle(start)
        save(self.model, self.config, self.tokenizer, self.asked.out / "large")
        self.students()
        if self.asked.all:
            self.curves()
            self.second_look()
        say("done")

    def large(self):
        asked = self.asked
        train(self.model, self.pairs, asked.epochs, asked.rate, asked.batch, 1, self.until * asked.share, "large")
        measure("large, first round", self.measures, self.model)
        for turn in range(asked.rounds):
            self.hard = mistaken(self.model, self.pairs)
            until = self.until * (asked.share + 0.16 * (turn + 1) / asked.rounds)
            train(self.model, self.pairs, 1, 6e-5 / (turn + 1), asked.batch // 2, 10 + turn, until, f"large, mined {turn + 1}", self.hard)
            measure(f"large, mined {turn + 1}", self.measures, self.model)

    def settle(self, start):
        """On the way from where training began to where it ended lies a better model than at either end."""
        mean = lambda share, model: sum(measure(f"large, {share} of the way", self.measures, model).values())
        ways = {share: between(start, self.model, self.config, share) for share in (0.5, 0.75, 1.0)}
        best = max(ways, key=lambda share: mean(share, ways[share]))
        say("the way taken", best)
        self.model = ways[best]

    def curves(self):
        for rule, lengths in (("raw", (48, 64, 96, 128)), ("short", (48, 64, 96, 128))):
            for most in lengths:
                measure("large", self.few, self.model, rule=rule, most=most)
        measure("large, weights of bytes", self.few, quantised(self.model, self.config))
        of_fewer_bits(self.few, self.model, self.model)

    def students(self):
        model, texts = self.model, self.pairs.texts
        model.eval()
        questions = vectors(model, texts.count, texts.question).bfloat16()
        whole = lambda on: lambda which: texts.code(which, "raw", 208, torch.full_like(which, on))
        targets = [vectors(model, texts.count, whole(on)).bfloat16() for on in (0, 1)]
        say("targets made")
        began = time.time() - STARTED
        left = self.until - began
        common = (questions, targets, self.pairs)
        for layers, which, share in STUDENTS[self.asked.all]:
            student = shallower(model, self.config, which)
            distil(student, *common, 12, 3e-4, self.asked.batch, 20 + layers, began + left * share, f"{layers} layers")
            save(student, self.config, self.tokenizer, self.asked.out / f"layers{layers}", layers_only=True)
            self.look(layers, student)
        if self.asked.all:
            self.static(common, began + left * 0.81)

    def static(self, common, until):
        """Vectors of words alone, added up."""
        model = self.model
        static = shallower(model, self.config, [])
        distil(static, *common, 1, 3e-3, self.asked.batch, 40, until, "no layers")
        measure("no layers, questions by the large one", self.few, model, static)
        measure("no layers, questions too", self.few, static)

    def look(self, layers, student):
        label = f"{layers} layers, questions by the large one"
        measure(label, self.measures, self.model, student)
        for rule, most in (("raw", 128), ("raw", 96), ("raw", 64), ("short", 128), ("short", 96), ("short", 64), ("short", 48)):
            measure(label, self.few, self.model, student, rule, most)
        measure(f"{layers} layers, questions too", self.few, student)

    def second_look(self):
        """Whether reading question and passage together pays: by words that meet, and by layers trained for it."""
        late(self.few[:2], self.model)
        if self.hard is None:
            return
        judge = Judge(shallower(self.model, self.config, [0, 2, 5]), self.config["hidden_size"]).to(DEVICE)
        train_judge(judge, self.pairs, self.hard, 1e-4, self.asked.batch // 8, self.until, "judge")
        judged(self.few, judge, self.model, self.model)
        save(judge.encoder, self.config, self.tokenizer, self.asked.out / "judge", layers_only=True)
        save_file({"weight": judge.head.weight.detach().cpu(), "bias": judge.head.bias.detach().cpu()}, str(self.asked.out / "judge/head.safetensors"))


if __name__ == "__main__":
    main()
