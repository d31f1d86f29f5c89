"""NDCG@10 by files of a benchmark of annotated repositories, by the embedded index and by a fleet.

SEMBLE names the folder with repos.json and annotations/, SEMBLE_TREES the one with a tree for each repository,
SEMBLE_NAMES which of them to ask about."""

import json
import math
import os
import pathlib

from doors import ask, served
from fleet import check

NAMES = "flask click chi starlette rack"


def ndcg(found, relevant):
    gain = sum(1 / math.log2(place + 2) for place, path in enumerate(found[:10]) if path in relevant)
    return gain / sum(1 / math.log2(place + 2) for place in range(min(10, len(relevant))))


def questions(name, inner):
    """Each question with the files that answer, as paths below the folder that is indexed."""
    file = pathlib.Path(os.environ["SEMBLE"]) / "annotations" / f"{name}.json"
    place = lambda it: (it if isinstance(it, str) else it["path"]).removeprefix(f"{inner}/")
    for it in json.loads(file.read_text(encoding="utf-8")):
        yield it["query"], {place(path) for path in it["relevant"] + it.get("secondary", [])}


def semble(fleet):
    known = {it["name"]: it for it in json.loads((pathlib.Path(os.environ["SEMBLE"]) / "repos.json").read_text())}
    trees, means = pathlib.Path(os.environ["SEMBLE_TREES"]), []
    for name in os.environ.get("SEMBLE_NAMES", NAMES).split():
        inner = known[name].get("benchmark_root") or ""
        root = trees / name / inner
        fleet.must("fleet", "add", "--name", name, str(root))
        fleet.must("fleet", "sync", name, seconds=900)
        fleet.must("index", str(root), seconds=900)
        with served(fleet, root) as port:
            means.append(compared(port, name, list(questions(name, inner))))
    ours, theirs = (sum(it[side] for it in means) / len(means) for side in (0, 1))
    check("a fleet ranks as the embedded index does", abs(ours - theirs) <= 0.005, f"embedded {ours:.4f}, fleet {theirs:.4f}")


def compared(port, name, asked):
    """The means of both over a repository's questions."""
    sums, same, partial = [0.0, 0.0], 0, 0
    for text, relevant in asked:
        parameters = [("text", text), ("unit", "file")]
        near = ask(port, "/api/search", parameters)
        far = ask(port, "/api/fleet/search", [*parameters, ("repositories", name)])
        partial += not far["index"]["complete"]
        pages = [[hit["path"] for hit in near["hits"]], [hit["path"][len(name) + 1 :] for hit in far["hits"]]]
        same += pages[0] == pages[1]
        for side in (0, 1):
            sums[side] += ndcg(pages[side], relevant)
    means = [it / len(asked) for it in sums]
    print(f"{name}: embedded {means[0]:.4f}, fleet {means[1]:.4f}, {same} of {len(asked)} pages the same, {partial} partial", flush=True)
    return means
