"""Reading on from a hit: the file is what was indexed, at its commit, under any name, and whole or said to be torn."""

import json
import random
import subprocess

from fleet import WORK, Fleet, check

ODD = 'an "odd" name, 100% \\ back.md'
# Put together here, so that nobody takes it for one that was lost.
SECRET = "AKIA" + "QUAGGA" * 2 + "2345"
CODE = "import os\n\n\ndef first():\n    a = 1\n    return a\n\n\ndef second():\n    b = 2\n    return b\n"
# So much that it is kept in several pieces, and no two lines alike.
CHANCE = random.Random(3)
WORD = lambda: "".join(CHANCE.choices("abcdefghijklmnopqrstuvwxyz", k=6))
LONG = "".join(f"{WORD()} {WORD()} {WORD()} {WORD()}\n" for _ in range(6000))


def reading(store):
    root = WORK / "readable"
    root.mkdir()
    (root / "long.md").write_text(LONG)
    (root / "code.py").write_text(CODE)
    (root / ODD).write_text("# Odd\n\nIts name is quaggaodd.\n")
    (root / "key.md").write_text(f"# Key\n\nThe key is {SECRET}, keep it.\n")
    fleet = Fleet(store, "reading")
    fleet.must("fleet", "add", "--name", "org/readable", str(root))
    first = committed(fleet, root)
    part = json.loads(fleet.must("fleet", "read", "org/readable/code.py:5", "--json"))
    lines = (part["start_line"], part["end_line"], part["total_lines"])
    check("a line gives the definition around it, at its commit", lines == (4, 6, 11) and part["revision"] == first, str(lines))
    check("a file is read whole", fleet.must("fleet", "read", "org/readable/code.py") == CODE)
    pieces = pieces_after_the_first(fleet)
    check("a file of several pieces too", pieces and fleet.must("fleet", "read", "org/readable/long.md") == LONG, f"{len(pieces) + 1} pieces")
    check("under any name", "quaggaodd" in fleet.must("fleet", "read", f"org/readable/{ODD}"))
    check("without its secrets", SECRET not in fleet.must("fleet", "read", "org/readable/key.md"))
    for span, words in [("code.py:50", "has lines 1 to 11"), ("gone.py", "there is no file"), ('co" or path != "', "there is no file")]:
        code, out, err = fleet.run("fleet", "read", f"org/readable/{span}")
        check("what is not there is said", code == 1 and not out and words in err, err.strip())
    (root / "code.py").write_text(CODE.replace("second", "third"))
    second = committed(fleet, root)
    part = json.loads(fleet.must("fleet", "read", "org/readable/code.py", "--json"))
    check("after a sync it is as it is then", "third" in part["text"] and part["revision"] == second != first)
    with fleet.engine() as (client, collection):
        client.delete(f"{collection}_pieces", ids=pieces[-1:])
    code, out, err = fleet.run("fleet", "read", "org/readable/long.md")
    check("a file that lacks its last piece is not shown", code == 2 and not out and "not all of its text" in err, err.strip())
    with fleet.engine() as (client, collection):
        client.delete(f"{collection}_pieces", filter='id != "" and owner != "mark" and owner != "nearest"')
    code, out, err = fleet.run("fleet", "read", "org/readable/code.py")
    check("a torn file is not shown as whole", code == 2 and not out and "not all of its text" in err, err.strip())
    fleet.must("fleet", "sync")
    check("and mended by a sync", "third" in fleet.must("fleet", "read", "org/readable/code.py"))
    check("the long one too", fleet.must("fleet", "read", "org/readable/long.md") == LONG)


def pieces_after_the_first(fleet):
    """Their names, in order; only one file has them."""
    with fleet.engine() as (client, collection):
        client.load_collection(f"{collection}_pieces")
        rows = client.query(f"{collection}_pieces", filter="part > 0", output_fields=["id", "part", "parts"])
    return [row["id"] for row in sorted(rows, key=lambda row: row["part"])]


def committed(fleet, root):
    """Commits and syncs; gives the commit."""
    git = lambda *words: subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *words], cwd=root, check=True, capture_output=True, text=True).stdout.strip()
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "state")
    fleet.must("fleet", "sync")
    return git("rev-parse", "HEAD")
