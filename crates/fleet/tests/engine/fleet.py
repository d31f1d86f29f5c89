"""Fleets to try things on: the program over a folder and a collection of its own, and repositories."""

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
from contextlib import contextmanager, suppress

VENV, WORK = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
PROGRAM = str(VENV / "wherein")
TREES = pathlib.Path("eval/golden/trees").absolute()
REPOSITORIES = 40
# Functions that tell what else there is to see when the program does not end.
WITNESSES = []
QUESTIONS = [json.loads(line) for line in open("eval/golden/questions.jsonl", encoding="utf-8")]


def check(what, holds, more=""):
    more = " ".join(str(more).split()) if holds else more
    print(("holds: " if holds else "BROKEN: ") + what + (f" ({more})" if more else ""), flush=True)
    if not holds:
        sys.exit(1)


def stands(process):
    """What each thread of a process waits for."""
    lines = ["its threads wait in:"]
    for task in sorted(pathlib.Path(f"/proc/{process}/task").glob("*")):
        # One may end while it is looked at.
        with suppress(OSError):
            lines.append(" ".join((task / about).read_text().strip() for about in ("comm", "wchan")))
    return "\n".join(lines)


class Fleet:
    """One fleet: a folder, a collection, and a database if it has one."""

    def __init__(self, store, name, queue=None, token=None):
        self.folder = WORK / name
        self.environment = {
            **os.environ,
            "WHEREIN_STORE": f"{store}_{name}",
            "WHEREIN_FLEET_DIR": str(self.folder),
            "XDG_CACHE_HOME": str(WORK / "cache"),
            "XDG_CONFIG_HOME": str(WORK / "config"),
        }
        for variable, value in [("WHEREIN_QUEUE", queue), ("WHEREIN_FLEET_TOKEN", token)]:
            self.environment.pop(variable, None)
            if value:
                self.environment[variable] = value

    def run(self, *arguments, seconds=120):
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        done = subprocess.Popen([PROGRAM, *arguments], env=self.environment, **pipes)
        try:
            out, err = done.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            # Before it is killed, because then nothing is left to be seen.
            seen = [stands(done.pid), *[witness() for witness in WITNESSES]]
            done.kill()
            _, err = done.communicate()
            sys.exit("\n".join([f"BROKEN: {arguments} does not end within {seconds} s; it said:", err[-3000:], *seen]))
        return done.returncode, out, err

    def must(self, *arguments, seconds=120):
        code, out, err = self.run(*arguments, seconds=seconds)
        if code != 0:
            sys.exit(f"{arguments} ended with {code}: {out}{err}")
        return out

    def start(self, *arguments, said=None):
        log = open(WORK / "workers.log", "ab")
        return subprocess.Popen([PROGRAM, *arguments], env=self.environment, stdout=log, stderr=said or log)

    def search(self, text, *arguments):
        code, out, err = self.run("search", "--fleet", "--json", *arguments, "--", text)
        return code, (json.loads(out) if out.startswith("{") else None), err

    def status(self):
        return json.loads(self.must("fleet", "status", "--json"))

    @contextmanager
    def engine(self):
        """The engine's own client, and the name of the collection. A connection that is shared with the next client
        is kept alive until the engine has had enough of it, so each has its own."""
        from pymilvus import MilvusClient

        scheme, rest = self.environment["WHEREIN_STORE"].split("://")
        address, collection = rest.split("/")
        scheme = {"milvus": "http", "milvuss": "https"}[scheme]
        client = MilvusClient(f"{scheme}://{address}", token=os.environ.get("WHEREIN_STORE_TOKEN", ""), dedicated=True)
        try:
            yield client, collection
        finally:
            client.close()

    def ids(self):
        """Every row of chunks in the engine."""
        with self.engine() as (client, collection):
            client.load_collection(f"{collection}_chunks")
            rows = client.query(f"{collection}_chunks", filter='id != ""', output_fields=["id", "holders"])
        return sorted((row["id"].rsplit(".", 1)[0], tuple(row["holders"])) for row in rows)


def repositories():
    """Forty small repositories: parts of the golden trees, some of them forks of each other."""
    files = sorted(path for path in TREES.rglob("*") if path.is_file())
    chance, made = random.Random(7), []
    for number in range(REPOSITORIES):
        root = WORK / "repositories" / f"org{number % 5}" / f"repo{number:02}"
        for path in chance.sample(files, 8):
            copy = root / path.relative_to(TREES)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
        (root / "own.md").write_text(f"# Only here\n\nThe mark of this one is zebra{number:02}.\n")
        made.append(root)
    return made


def add(fleet, roots):
    for root in roots:
        fleet.must("fleet", "add", "--name", f"{root.parent.name}/{root.name}", str(root))
