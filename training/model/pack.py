"""From pairs to what travels to the accelerator: shards of pairs, and the sets to measure with.

In: the work folder that pairs.py filled, the evaluation data, the weights to start from. Out: folders
`ship/0`, `ship/1`, … none larger than a limit, that together make the data folder of train.py.
"""

import argparse
import collections
import gzip
import json
import lzma
import multiprocessing
import pathlib
import random
import shutil
import zlib

from pairs import manner

SETS = ("python-valid", "python", "java", "rust", "cosqa")
QUESTIONS = 500
MOST_CORPUS = 6000
MOST = {"python": 900_000, "go": 250_000, "java": 350_000, "rust": 250_000, "haskell": 30_000, "markdown": 80_000}
"""Most pairs of a language: more of one than of all the others together teaches that one alone."""
MOST_CODE = 900
SHARD = 98_000_000
"""Bytes before packing, a quarter of it after: small enough that every core has one to read."""


def write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(path, "wt", preset=1) as out:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def published(folder, out):
    corpus = [json.loads(line) for line in gzip.open(folder / "corpus.jsonl.gz", "rt")]
    write(out / "corpus.jsonl.xz", [{"id": r["id"], "code": r["code"][:2400]} for r in corpus])
    write(out / "queries.jsonl.xz", [json.loads(line) for line in (folder / "queries.jsonl").open()])


def own(language, rows, out):
    """A set of our own: the functions of packages that are not trained on."""
    rows = [r for r in rows if r["kind"] in ("function", "type")][:MOST_CORPUS]
    asked = sorted(range(len(rows)), key=lambda n: rows[n]["kind"] != "function")[:QUESTIONS]
    if len(asked) < 300:
        return
    write(out / "corpus.jsonl.xz", [{"id": str(n), "code": r["code"]} for n, r in enumerate(rows)])
    write(out / "queries.jsonl.xz", [{"id": str(n), "query": rows[n]["question"], "relevant_id": str(n)} for n in asked])
    print(language, "questions", len(asked), "among", len(rows), "of packages", len({r["package"] for r in rows}))


def read(paths):
    for path in paths:
        for line in path.open():
            yield json.loads(line)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("ship", type=pathlib.Path)
    arguments.add_argument("bench", type=pathlib.Path)
    arguments.add_argument("start", type=pathlib.Path)
    arguments.add_argument("work", type=pathlib.Path, nargs="+")
    asked = arguments.parse_args()
    draw, ship = random.Random(5), asked.ship
    shutil.rmtree(ship, ignore_errors=True)
    for name in SETS:
        published(asked.bench / "csn" / name, ship / "0/measure" / name)
    shutil.copytree(asked.start, ship / "0/start")
    rows = list(read(work / "pairs.jsonl" for work in asked.work))
    draw.shuffle(rows)
    held = collections.defaultdict(list)
    for row in read(path for work in asked.work for path in sorted((work / "held").glob("*.jsonl"))):
        held[row["language"]].append(row)
    kept, counts, known = [], collections.Counter(), set()
    for row in rows:
        language = row["language"]
        key = hash((manner(row), row["code"]))
        counts[language] += key not in known
        if key not in known and counts[language] <= MOST.get(language, 10**9):
            package = zlib.crc32(row["package"].encode())
            kept.append({"l": language, "p": package, "q": row["question"], "h": row["header"], "c": row["code"][:MOST_CODE]})
        known.add(key)
    for language, apart in sorted(held.items()):
        draw.shuffle(apart)
        own(language, apart, ship / "0/measure" / f"own-{language}")
    # Like beside like packs smaller.
    kept.sort(key=lambda row: (row["l"], row["h"]))
    print(len(kept), "pairs", counts.most_common())
    shards, size = [[]], 0
    for row in kept:
        size += len(row["q"]) + len(row["h"]) + len(row["c"]) + 40
        if size > SHARD * len(shards):
            shards.append([])
        shards[-1].append(row)
    with multiprocessing.Pool(2) as pool:
        pool.starmap(write, [(ship / str(n) / f"pairs{n}.jsonl.xz", shard) for n, shard in enumerate(shards, 1)], chunksize=1)


if __name__ == "__main__":
    main()
