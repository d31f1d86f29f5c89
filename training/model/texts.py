"""From pairs to tokens on the device: questions, headers and code, as it stands and with telling words for its rest.

`texts.py TOKENIZER SHARD…` makes the tokens of shards ahead of time, beside them, so that it can begin while other
shards are still on their way.
"""

import hashlib
import json
import lzma
import multiprocessing
import os
import pathlib
import pickle
import re
import sys

import numpy
import torch
from tokenizers import Tokenizer

QUESTION, HEADER, RAW, HEAD, REST = 64, 28, 224, 64, 64
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

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


def telling(ids, head, most):
    """The words that first stand behind the head, without punctuation, in order."""
    kept, seen, word = [], set(), []
    for place, number in enumerate([*ids, -1]):
        if number >= 0 and CONTINUES[number]:
            word.append(number)
            continue
        if word and PLAIN[word[0]] and tuple(word) not in seen:
            seen.add(tuple(word))
            if place - len(word) >= head:
                kept += word
            if len(kept) >= most:
                break
        word = [number]
    return kept[:most]


def told(ids, head, most):
    """The head of a text and what is new in its rest."""
    return ids[:head] + telling(ids, head, most - head)


def tokenize(rows):
    """Per row: question, header, code as it stands, the telling words of its rest."""
    columns = [[], [], [], []]
    for question, header, code in rows:
        whole = ids_of(code, 600)
        for column, ids in zip(columns, (ids_of(question, QUESTION), ids_of(header, HEADER), whole[:RAW], telling(whole, HEAD, REST)), strict=True):
            column.append(numpy.array(ids, numpy.uint16))
    return [(numpy.concatenate(c) if c else numpy.zeros(0, numpy.uint16), numpy.array([len(x) for x in c], numpy.int64)) for c in columns]


def read_shard(path):
    """The tokens of a file of pairs, with the language and package of each and a key of its question."""
    ahead = ahead_of(path)
    if ahead.exists():
        return pickle.loads(ahead.read_bytes())
    rows, languages, packages, keys = [], [], [], []
    for line in lzma.open(path, "rt"):
        row = json.loads(line)
        rows.append((row["q"], row["h"], row["c"]))
        languages.append(row["l"])
        packages.append(row["p"])
        keys.append(int.from_bytes(hashlib.blake2b(row["q"].lower().encode(), digest_size=7).digest(), "little"))
    return tokenize(rows), languages, packages, numpy.array(keys, numpy.int64)


def read_data(data, words):
    """What is measured with and the shards of pairs, read on every core."""
    prepare(words)
    with multiprocessing.get_context("fork").Pool(min(16, os.cpu_count())) as pool:
        shards = pool.map_async(read_shard, sorted(data.glob("pairs*.jsonl.xz")), chunksize=1)
        sets = pool.map(read_set, sorted((data / "measure").iterdir()), chunksize=1)
        return sets, shards.get()


def ahead_of(path):
    return path.with_suffix(".tokens")


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
        self.questions, self.headers, self.raw, self.rest = (Column([p[c] for p in parts]) for c in range(4))
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
        """A passage of at most `most` tokens, as it stands or ("told") its head and the telling words of its rest;
        `header` says for each whether its header is there."""
        parts = [self.raw.rows(which, most - 2)] if rule == "raw" else [self.raw.rows(which, HEAD), self.rest.rows(which, most)]
        if header is not None:
            ids, lengths = self.headers.rows(which, HEADER)
            parts.insert(0, (ids, lengths * header))
        ids, lengths = self.framed(parts)
        if ids.shape[1] > most:
            lengths = lengths.clamp(max=most)
            ids = ids[:, :most].clone()
            ids[torch.arange(len(ids), device=DEVICE), lengths - 1] = self.last
        return ids, lengths

    def glance(self, which, header, whole=128, head=64, most=112):
        """What the quick layers read, as the program has it: a passage of at most `whole` tokens as it stands, of a
        longer one the head and telling words."""
        ids, lengths = self.headers.rows(which, HEADER)
        lengths = lengths * header
        is_short = self.raw.lengths[which] + lengths <= whole - 2
        raw = self.raw.rows(which, torch.where(is_short, whole - 2, head - 1) - lengths)
        rest, telling = self.rest.rows(which, most - head - 1)
        return self.framed([(ids, lengths), raw, (rest, telling * ~is_short)])


class Pairs:
    """What is trained on: texts, and for each its language, its package and a key of its question."""

    def __init__(self, shards, tokenizer):
        self.texts = Texts([shard[0] for shard in shards], tokenizer)
        self.languages = [language for shard in shards for language in shard[1]]
        self.packages = [package for shard in shards for package in shard[2]]
        self.keys = torch.from_numpy(numpy.concatenate([shard[3] for shard in shards])).to(DEVICE)


def main():
    words, *shards = map(pathlib.Path, sys.argv[1:])
    prepare(words)
    for path in shards:
        made = pickle.dumps(read_shard(path))
        part = path.with_suffix(".part")
        part.write_bytes(made)
        part.rename(ahead_of(path))


if __name__ == "__main__":
    main()
