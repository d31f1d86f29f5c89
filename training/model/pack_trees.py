"""Questions about whole trees, with what the model reads of every chunk of them: `pack_trees.py PROGRAM QUESTIONS TREES BENCH OUT EVALUATED...`

In: the program that cuts trees, the folder of the written questions (`training/questions`), the trees at TREES/NAME, and
the evaluation data and the trees it asks about, that nothing may come from. Out, packed: the tokens of all passages of each tree, the questions, and
where their answers are: groups of passages, of each of which at least one should be found. A repository that an
evaluation is made of is left out, so is one whose licence does not permit it, and so is a passage or a question that
shares a run of words with an evaluation.
"""

import collections
import csv
import json
import lzma
import pathlib
import pickle
import random
import re
import subprocess
import sys

import numpy

import collect
import held_out

MOST = 5000
"""Passages of a tree: of a larger one files without an answer are left out, drawn at random."""
EVERYWHERE = (0, 10**9)
KINDS = {"lengths": numpy.uint8, "chunk": numpy.uint16, "path": numpy.uint16}


def main(program, *paths):
    questions, trees, bench, out, *evaluated = map(pathlib.Path, paths)
    texts = [*held_out.questions(bench), *held_out.corpora(bench)]
    runs = map(held_out.sampled_runs, [texts, *map(held_out.files, evaluated)])
    held = held_out.HeldOut.read(bench).with_runs(numpy.concatenate(list(runs)))
    packed = Packed()
    for repository in json.loads((questions / "repos.json").read_text()):
        name = repository["name"]
        if reason := why_not(repository, held):
            print(f"{reason}:", repository["repository"])
            continue
        written = subprocess.run([program, "eval", "passages", trees / name], capture_output=True, check=True, text=True).stdout
        passages = not_held_out([json.loads(line) for line in written.splitlines()], trees / name, held)
        asked = list(questions_of(questions, name, repository.get("benchmark_root") or "", {p["path"] for p in passages}))
        leaks = held.leaks([question for _, question, _, _ in asked], [""] * len(asked))
        packed.add(name, passages, [row for row, leaks in zip(asked, leaks, strict=True) if not leaks])
    packed.write(out)


def why_not(repository, held):
    """Why a repository may not be learnt of, if it may not."""
    if held.is_repository(repository["repository"]) or held.is_package(repository["name"]):
        return "held out"
    return None if collect.PERMITTED.search(repository["licence"]) else "licence"


def not_held_out(passages, tree, held):
    """The passages without those that share words or code with an evaluation."""
    lines = {path: (tree / path).read_text("utf-8", "replace").splitlines() for path in {p["path"] for p in passages}}
    texts = ["\n".join(lines[p["path"]][p["start_line"] - 1 : p["end_line"]]) for p in passages]
    return [p for p, leaks in zip(passages, held.leaks(texts, texts), strict=True) if not leaks]


def questions_of(folder, name, root, paths):
    """Kind, question, groups of places, and the folder that it asks about."""
    under = f"{root}/" if root not in ("", ".") else ""
    of = lambda kind, ending: folder / kind / f"{name}.{ending}"
    read = lambda file, how: how(file.open()) if file.exists() else ()
    for row in read(of("annotations", "json"), json.load):
        files = [path if path in paths else under + path for path in row["relevant"] + row.get("secondary", [])]
        yield "file", row["query"], [[(path, *EVERYWHERE)] for path in files], under
    for row in read(of("rubric", "json"), json.load):
        yield "rubric", row["query"], [[(path, *EVERYWHERE)] for path in row["expected_files"]], ""
    for kind in ("spans", "docs"):
        for question, *results in read(of(kind, "csv"), csv.reader):
            places = filter(None, (re.match(r"(.+?):(\d+)-(\d+)", result) for result in results))
            yield kind, question, [[(place[1], int(place[2]), int(place[3])) for place in places]], ""


def holds(place, passage):
    path, start, end = place
    return passage["path"] == path and passage["start_line"] <= end and passage["end_line"] >= start


def not_too_many(passages, answers, draw):
    """Those of whole files, all that hold an answer among them."""
    counts = collections.Counter(p["path"] for p in passages)
    others = sorted(counts.keys() - answers)
    draw.shuffle(others)
    kept, left = set(answers), MOST - sum(counts[path] for path in answers)
    for path in others:
        if len(passages) <= MOST or counts[path] <= left:
            kept.add(path)
            left -= counts[path]
    return [p for p in passages if p["path"] in kept]


class Packed:
    """Trees laid end to end: a column a property of their passages."""

    def __init__(self):
        self.draw, self.ids = random.Random(9), []
        self.columns = {name: [] for name in KINDS}
        self.starts, self.questions, self.names = [0], [], []

    def add(self, name, passages, asked):
        answers = {path for _, _, groups, _ in asked for group in groups for path, *_ in group}
        passages = not_too_many(passages, answers, self.draw)
        paths, chunks = {}, {}
        for p in passages:
            self.ids.append(numpy.array(p["ids"], numpy.uint16))
            self.columns["lengths"].append(len(p["ids"]))
            self.columns["path"].append(paths.setdefault(p["path"], len(paths)))
            self.columns["chunk"].append(chunks.setdefault((p["path"], p["start_line"]), len(chunks)))
        for kind, question, groups, under in asked:
            found = ([n for n, p in enumerate(passages) if any(holds(place, p) for place in group)] for group in groups)
            found = [numpy.array(group, numpy.int32) for group in found if group]
            places = [n for n, p in enumerate(passages) if p["path"].startswith(under)]
            if found:
                self.questions.append((len(self.names), kind, question, found, numpy.array(places, numpy.int32) if under else None))
        self.names.append(name)
        self.starts.append(self.starts[-1] + len(passages))

    def write(self, out):
        columns = {name: numpy.array(column, KINDS[name]) for name, column in self.columns.items()}
        packed = {"ids": numpy.concatenate(self.ids), **columns, "starts": self.starts, "questions": self.questions, "names": self.names}
        with lzma.open(out, "wb", preset=3) as file:
            pickle.dump(packed, file, protocol=4)
        print("trees", len(self.names), "passages", self.starts[-1], "questions", len(self.questions))


if __name__ == "__main__":
    main(*sys.argv[1:])
