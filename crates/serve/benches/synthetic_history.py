#!/usr/bin/env python3
"""Makes a bare repository of many commits, for measuring `wherein log` and `search --rev`.

    synthetic_history.py FOLDER [COMMITS]

The same arguments give the same commits. Files are small Python modules; a commit replaces, adds or
removes a few lines of one to three of them, and every twentieth merges a side branch of one commit.
"""

import random
import subprocess
import sys

VERBS = "add fix raise lower remove rename speed simplify document guard retry cache parse test".split()
NOUNS = """upload session token header packet buffer queue worker socket cursor index segment
manifest lock thread timeout limit reader writer schema column filter cluster vector graph parser
grammar symbol import reference branch commit tree""".split()
FILES = 2000
LINES = 60


def line(rng):
    a, b, c = rng.choice(NOUNS), rng.choice(NOUNS), rng.choice(VERBS)
    return f"    {a}_{b} = {c}_{a}({b}, {rng.randrange(1000)})\n"


def module(rng, number):
    name = f"{rng.choice(VERBS)}_{rng.choice(NOUNS)}_{number}"
    return [f"def {name}():\n"] + [line(rng) for _ in range(LINES)]


def change(rng, lines):
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(1, len(lines))
        what = rng.random()
        if what < 0.6:
            lines[at] = line(rng)
        elif what < 0.85 or len(lines) < 20:
            lines.insert(at, line(rng))
        else:
            del lines[at]


def message(rng):
    subject = f"{rng.choice(VERBS)} the {rng.choice(NOUNS)} {rng.choice(NOUNS)}"
    body = " ".join(rng.choice(VERBS + NOUNS) for _ in range(rng.randrange(5, 40)))
    return f"{subject}\n\n{body}\n"


class Stream:
    def __init__(self, out):
        self.out = out
        self.time = 1_500_000_000

    def data(self, text):
        raw = text.encode()
        self.out.write(b"data %d\n%s\n" % (len(raw), raw))

    def commit(self, mark, text, parents, files, author):
        self.time += 600
        self.out.write(f"commit refs/heads/main\nmark :{mark}\n".encode())
        self.out.write(f"committer {author} <{author.lower()}@example.org> {self.time} +0000\n".encode())
        self.data(text)
        for word, parent in zip(["from", "merge"], parents):
            self.out.write(f"{word} :{parent}\n".encode())
        for path, lines in files:
            self.out.write(f"M 100644 inline {path}\n".encode())
            self.data("".join(lines))


def main(folder, commits):
    rng = random.Random(7)
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", folder], check=True)
    importer = subprocess.Popen(["git", "-C", folder, "fast-import", "--quiet"], stdin=subprocess.PIPE)
    stream = Stream(importer.stdin)
    files = {f"pkg{n % 40}/mod{n}.py": module(rng, n) for n in range(FILES)}
    paths = list(files)
    stream.commit(1, "begin\n", [], files.items(), "Ada")
    last = 1
    for mark in range(2, commits + 1):
        author = rng.choice(["Ada", "Grace", "Edsger", "Barbara", "Donald"])
        touched = rng.sample(paths, rng.randrange(1, 4))
        for path in touched:
            change(rng, files[path])
        parents = [last]
        if mark % 20 == 0 and mark > 3:
            parents = [last, last - 1]
        stream.commit(mark, message(rng), parents, [(path, files[path]) for path in touched], author)
        last = mark
    importer.stdin.close()
    sys.exit(importer.wait())


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 50_000)
