"""What people paste, from trees of source: `pasted.py OUT TREE...`

In: folders of source. Out: OUT/NAME, a copy of each with some lines cut out of some of its files; OUT/cut--NAME.jsonl, what
was cut, to be led back to the file that it is missing from; and OUT/calls--NAME.jsonl, calls of what another file
defines, to be led to that file, the file of the call left aside; both in the form that `wherein eval files` reads. Who pastes code that is being
written, or was written elsewhere, asks the first; where a paste stands in the tree word for word there is
nothing to learn. At most one of each kind a file, so that the rest of a file is as it was. All are drawn by a fixed
seed.
"""

import collections
import json
import random
import re
import shutil
import sys
from pathlib import Path

from mine import ASIDE, CODE, files

MOST = 25
"""Of each kind of a tree."""
CHARACTERS = (250, 700)
"""How long a piece is."""
LEAST_LINES = 60
"""Of a file that is cut: of a shorter one too little is left."""
LEAST_WRITTEN = 6
"""Lines of a piece that are not blank."""
MOST_LINES = 12
"""Of a call."""
DEFINED = re.compile(
    r"^\s*(?:[a-z]+\s+)*(?:def|class|fn|func|fun|function|struct|interface|trait|enum|object|module|record|type)\s+(\w{8,})", re.M
)
CALLED = re.compile(r"(\w{8,})\s*[({]")
OPEN, CLOSE = "([{", ")]}"


def main():
    out, *trees = map(Path, sys.argv[1:])
    for tree in trees:
        code = [(name, lines) for name, lines in files(tree, CODE) if not ASIDE.search(name.lower())]
        rows = [row for row in pieces(code, random.Random(tree.name)) if row]
        shutil.copytree(tree, out / tree.name, symlinks=True)
        for name, _, (start, end) in rows:
            lines = (tree / name).read_text(encoding="utf-8").splitlines()
            (out / tree.name / name).write_text("\n".join(lines[:start] + lines[end:]) + "\n", encoding="utf-8")
        write(out / f"cut--{tree.name}.jsonl", tree, [{"query": query, "truth": [name]} for name, query, _ in rows])
        write(out / f"calls--{tree.name}.jsonl", tree, calls(code, random.Random(tree.name)))


def pieces(code, dice):
    long = [(name, lines) for name, lines in code if len(lines) >= LEAST_LINES]
    for name, lines in sorted(dice.sample(long, min(MOST, len(long)))):
        yield piece(name, lines, dice)


def piece(name, lines, dice):
    """The last characters up to a line, which may begin amid another, and the lines that are cut for them."""
    end = dice.randrange(LEAST_LINES // 4, len(lines))
    query = "\n".join(lines[:end])[-dice.randint(*CHARACTERS) :]
    start = end - query.count("\n") - 1
    is_told = sum(bool(line.strip()) for line in query.split("\n")) >= LEAST_WRITTEN
    return (name, query, (start, end)) if is_told else None


def calls(code, dice):
    """Statements that call what one other file defines, asked for that file."""
    definers = collections.defaultdict(set)
    for name, lines in code:
        for defined in DEFINED.findall("\n".join(lines)):
            definers[defined].add(name)
    home = {defined: min(names) for defined, names in definers.items() if len(names) == 1}
    rows = []
    for name, lines in code:
        found = [(n, [home[c] for c in CALLED.findall(line) if home.get(c, name) != name]) for n, line in enumerate(lines)]
        found = [(n, paths) for n, paths in found if paths and not DEFINED.match(lines[n])]
        if found:
            start, _ = dice.choice(found)
            statement = whole(lines, start)
            called = {home[c] for c in CALLED.findall(statement) if home.get(c, name) != name}
            rows.append({"query": statement, "truth": sorted(called), "exclude": name})
    return dice.sample(rows, min(MOST, len(rows)))


def whole(lines, start):
    """The lines from there until its brackets are closed."""
    depth = 0
    for end in range(start, min(start + MOST_LINES, len(lines))):
        depth += sum((c in OPEN) - (c in CLOSE) for c in lines[end])
        if depth <= 0:
            break
    return "\n".join(lines[start : end + 1])


def write(file, tree, rows):
    with file.open("w") as asked:
        for number, row in enumerate(rows):
            asked.write(json.dumps({"id": str(number), "repo": tree.name, **row}) + "\n")


if __name__ == "__main__":
    main()
