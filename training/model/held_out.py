"""What no training text may come from: the repositories, packages, questions and code of the evaluations.

In: the folder of the evaluation data. Out: whether a package, a repository or a text is held out.
"""

import csv
import dataclasses
import functools
import gzip
import hashlib
import json
import re

import numpy

WORDS = 13
"""Words in a row that two texts share only if one was copied."""
SAMPLED = 4
"""One run of words in so many is kept of a corpus; a copied function has dozens."""
SOURCES = set(".py .rs .ts .js .go .java .rb .cs .kt .php .swift .scala .cpp .cc .h .hpp .c .ex .hs .lua .zig .md .rst".split())
COMMON = {"core", "utils", "common", "app", "test", "tests", "demo", "examples", "python", "django-app", "api", "lib"}


def words(text):
    return re.findall(r"[a-z0-9]+", text.lower())


def runs(texts):
    """Hashes of every run of WORDS words of each text, as one array, and which text each is of."""
    hashes, owners = [], []
    for owner, text in enumerate(texts):
        ids = numpy.fromiter((hash_of(w) for w in words(text)), numpy.uint64)
        if len(ids) < WORDS:
            continue
        mixed = numpy.zeros(len(ids) - WORDS + 1, numpy.uint64)
        for place in range(WORDS):
            mixed = mixed * numpy.uint64(0x9E3779B97F4A7C15) + ids[place : place + len(mixed)]
        hashes.append(mixed ^ (mixed >> numpy.uint64(29)))
        owners.append(numpy.full(len(mixed), owner, numpy.int64))
    if not hashes:
        return numpy.zeros(0, numpy.uint64), numpy.zeros(0, numpy.int64)
    return numpy.concatenate(hashes), numpy.concatenate(owners)


def sampled_runs(texts):
    """The runs of a corpus that are remembered."""
    kept, part, size = [], [], 0
    for text in texts:
        part.append(text)
        size += len(text)
        if size > 4_000_000:
            kept.append(runs(part)[0])
            kept[-1] = kept[-1][kept[-1] % numpy.uint64(SAMPLED) == 0]
            part, size = [], 0
    kept.append(runs(part)[0])
    kept[-1] = kept[-1][kept[-1] % numpy.uint64(SAMPLED) == 0]
    return numpy.unique(numpy.concatenate(kept))


@functools.lru_cache(1_000_000)
def hash_of(word):
    return int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")


def code_hash(code):
    """As in the list of held-out code: without comments, one space between tokens."""
    bare = re.sub(r"//[^\n]*|/\*.*?\*/|(?m:^\s*#[^\n]*)", "", code, flags=re.DOTALL)
    return [hashlib.sha1(" ".join(re.findall(r"\w+|[^\w\s]", text)).encode()).hexdigest()[:16] for text in (code, bare)]


@dataclasses.dataclass
class HeldOut:
    repositories: set
    packages: set
    hashes: set
    runs: numpy.ndarray

    @staticmethod
    def read(bench):
        repositories, packages = set(), set()
        with gzip.open(bench / "csn/excluded-packages.txt.gz", "rt") as lines:
            for line in map(str.strip, lines):
                if line and not line.startswith("#"):
                    (repositories if "/" in line else packages).add(line.lower())
        packages |= {entry["name"].lower() for entry in json.loads((bench / "semble/repos.json").read_text())}
        for file in bench.glob("**/repos.json"):
            for name in re.findall(r"(?:github\.com[/:])?([\w.-]+/[\w.-]+)", file.read_text()):
                repositories.add(name.lower().removesuffix(".git"))
        packages |= {name.split("/")[-1] for name in repositories} - COMMON
        with gzip.open(bench / "csn/excluded-code-hashes.txt.gz", "rt") as lines:
            hashes = {line.split()[0] for line in lines if line.strip() and not line.startswith("#")}
        return HeldOut(repositories, packages, hashes, numpy.zeros(0, numpy.uint64))

    def with_runs(self, found):
        """Also holds out what has one of these runs of words."""
        return dataclasses.replace(self, runs=numpy.unique(found))

    def is_package(self, name):
        bare = name.lower().split("/")[-1]
        for prefix in ("rust-", "node-", "ruby-", "python-", "php-", "golang-", "haskell-", "lib"):
            bare = bare.removeprefix(prefix)
        bare = bare.replace("_", "-")
        return not self.packages.isdisjoint({name.lower(), bare, re.sub(r"[\d.-]+$", "", bare)})

    def is_repository(self, home):
        return home.lower() in self.repositories

    def leaks(self, texts, codes):
        """Which of the pairs are held out: `texts` are what is said and the code in one piece."""
        by_hash = numpy.array([any(h in self.hashes for h in code_hash(code)) for code in codes], bool)
        found, owners = runs(texts)
        sampled = found % numpy.uint64(SAMPLED) == 0
        at = numpy.searchsorted(self.runs, found[sampled]).clip(max=max(0, len(self.runs) - 1))
        shared = self.runs[at] == found[sampled] if len(self.runs) else numpy.zeros(int(sampled.sum()), bool)
        by_hash[numpy.unique(owners[sampled][shared])] = True
        return by_hash


def questions(bench):
    """Every question of the evaluations."""
    for path in sorted(bench.glob("**/*")):
        if path.suffix == ".csv":
            yield from (row[0] for row in csv.reader(path.read_text().splitlines()) if row)
        elif path.suffix == ".jsonl":
            for line in path.read_text().split("\n"):
                row = json.loads(line or "{}")
                yield from (row[key] for key in ("query", "question", "query_nav", "prompt") if isinstance(row.get(key), str))
        elif path.suffix == ".json" and path.name != "repos.json":
            yield from re.findall(r'"(?:query|question)"\s*:\s*"([^"]+)"', path.read_text())


def corpora(bench):
    """The lists of functions that the evaluations search."""
    for path in sorted(bench.glob("csn/*/corpus.jsonl.gz")):
        yield from (json.loads(line)["code"] for line in gzip.open(path, "rt"))


def files(tree):
    """The texts of a tree that the evaluations search."""
    for path in sorted(tree.rglob("*")):
        if path.suffix in SOURCES and path.is_file() and path.stat().st_size < 300_000:
            yield path.read_text("utf-8", "replace")
