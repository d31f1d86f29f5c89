"""How wherein grows: the same figures over generated trees of more and more chunks.

In: a number of chunks and a folder. Out: a point of each curve. The trees come from the generator of the
endurance test, crates/serve/tests/soak/grow: small Python modules that import one another.
"""

import json
import math
import pathlib
import shutil

from cost import middle, run
from tools import Wherein

GROW = pathlib.Path(__file__).parents[2] / "crates/serve/tests/soak/grow"
"""A generated file is one chunk: its functions are small enough to be merged."""
CHUNKS_A_FILE = 1
WORDS = ["retry the upload of a parcel", "merge_12", "lock of a session with a token", "ledger invoice price", "stamp"]


def point(chunks, home):
    """Makes a tree, indexes it once and asks it; the tree is removed again."""
    tree = home / f"grown-{chunks}"
    run([GROW, tree, "--files", str(chunks // CHUNKS_A_FILE)])
    tool = Wherein(home, tree)
    tool.store = home / "indexes" / f"grown-{chunks}"
    try:
        index = tool.index()
        status = json.loads(run([tool.program, "status", tree, "--json", "--index-dir", tool.store / "index"]).out)
        tool.ask(WORDS[0], "")
        asked = [tool.ask(question, "") for _ in range(3) for question in WORDS]
        return {
            "chunks": found(status, "chunks"),
            "index_cpu": index.cpu,
            "index_wall": index.wall,
            "index_peak": index.peak,
            "bytes": tool.bytes_on_disk(),
            "query_cpu": middle([cost.cpu for cost in asked]),
            "query_wall": middle([cost.wall for cost in asked]),
            "query_peak": max(cost.peak for cost in asked),
        }
    finally:
        shutil.rmtree(tree, ignore_errors=True)
        shutil.rmtree(tool.store, ignore_errors=True)


def found(value, key):
    """The first value of a key, however deep it stands."""
    if isinstance(value, dict):
        if key in value:
            return value[key]
        inside = (found(below, key) for below in value.values())
        return next((it for it in inside if it is not None), None)
    return None


def exponent(points, key):
    """The slope on paper with logarithms on both sides: 1 is linear, 0 constant."""
    pairs = [(math.log(it["chunks"]), math.log(it[key])) for it in points]
    x, y = (sum(column) / len(pairs) for column in zip(*pairs))
    return sum((a - x) * (b - y) for a, b in pairs) / sum((a - x) ** 2 for a, _ in pairs)
