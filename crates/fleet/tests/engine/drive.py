"""What a fleet promises, tried on real servers. Prints figures; any broken promise ends it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from doors import agents, page, tokens
from fleet import QUESTIONS, REPOSITORIES, TREES, VENV, WITNESSES, WORK, Fleet, add, check, repositories
from parity import semble
from reading import reading
from scale import scale
from servers import Database, Engine
from tls import encrypted
from wide import wide


def asked_for(part):
    """Whether a part of this is to be run: all are unless some are named."""
    return not sys.argv[3:] or part in sys.argv[3:]


def same_as_embedded(fleet):
    """Golden questions to one repository of many: the page is that of the embedded index."""
    for tree in {question["tree"] for question in QUESTIONS}:
        fleet.must("index", str(TREES / tree))
    asked = QUESTIONS[:: max(1, len(QUESTIONS) // 30)]
    pages = [pages_of(fleet, question) for question in asked]
    same = sum(ours == theirs for ours, theirs in pages)
    check("a fleet's page over one repository is the embedded one's", same == len(asked), f"{same} of {len(asked)}")


def pages_of(fleet, question):
    """Where the hits of a question stand: by a fleet, and by the embedded index."""
    tree, arguments = question["tree"], ("--min-confidence", "0")
    out = fleet.must("search", "--json", "--root", str(TREES / tree), *arguments, "--", question["query"])
    _, page, err = fleet.search(question["query"], "--repo", tree, *arguments)
    if page is None:
        sys.exit(err)
    place = lambda hit, cut: (hit["path"][cut:], hit["start_line"], hit["end_line"])
    return [place(hit, len(tree) + 1) for hit in page["hits"]], [place(hit, 0) for hit in json.loads(out)["hits"]]


def killed_workers(store, queue, alone, roots):
    """Three workers, two of them killed every few seconds: the same chunks as one alone."""
    many = Fleet(store, "many", queue)
    add(many, roots)
    many.must("fleet", "status", "--json")
    sync = ("fleet", "sync", "--join", "--lease", "3")
    workers, kills, end = [many.start(*sync) for _ in range(3)], 0, time.time() + 100
    while time.time() < end:
        time.sleep(0.7)
        if all(it["state"] == "done" for it in many.status()["repositories"]):
            break
        for number in (0, 1):
            if workers[number].poll() is None:
                workers[number].kill()
                kills += 1
            workers[number].wait()
            workers[number] = many.start(*sync)
        if workers[2].poll() is not None:
            workers[2] = many.start(*sync)
    for worker in workers:
        worker.kill()
        worker.wait()
    state = many.status()
    left = [it["name"] for it in state["repositories"] if it["state"] != "done"]
    check("all repositories are done though workers died", not left, f"{kills} kills; left {left}")
    check("nothing is unsettled", state["unsettled_files"] == 0)
    one, other = alone.ids(), many.ids()
    check("no chunk twice", len(set(other)) == len(other), f"{len(other)} rows")
    check("the same chunks with the same holders as one worker alone", one == other, f"{len(one)} rows")
    return many


def lost_file(database, fleet, roots):
    """A file that a worker entered and that was gone before the engine had it keeps nobody who changes something else."""
    name, lost = f"{roots[2].parent.name}/{roots[2].name}", "f" * 32
    of = f"FROM wherein_repositories WHERE name = '{name}'"
    database.run(f"INSERT INTO wherein_held SELECT id, '{lost}' {of}; INSERT INTO wherein_unsettled SELECT '{lost}', id {of};")
    (roots[2] / "changed.md").write_text("# Changed\n\nokapimark came meanwhile.\n")
    fleet.must("fleet", "sync", name)
    check("a file that nobody can write any more is let go of", fleet.status()["unsettled_files"] == 0)
    _, page, _ = fleet.search("okapimark")
    found = [hit["path"] for hit in page["hits"]]
    check("what changed meanwhile is found", found and found[0].endswith("changed.md"), found[:2])


def forks(fleet, roots):
    """The same file in many repositories is there once, and goes with the last of them."""
    before = fleet.ids()
    fork = WORK / "repositories" / "forks" / "fork"
    shutil.copytree(roots[0], fork)
    fleet.must("fleet", "add", "--name", "forks/fork", str(fork))
    fleet.must("fleet", "sync", "--join")
    after = fleet.ids()
    check("a fork adds no chunk", [row for row, _ in before] == [row for row, _ in after])
    code, page, _ = fleet.search("zebra00", "--repo", "forks/*")
    names = {name for hit in page["hits"] for name in hit["repositories"]}
    check("a fork is found by its own name", names == {"forks/fork"}, str(names))
    fleet.must("fleet", "remove", "forks/fork")
    fleet.must("fleet", "sync", "--join")
    check("a fork that leaves takes nothing with it", fleet.ids() == before)
    (roots[0] / "own.md").unlink()
    fleet.must("fleet", "sync", f"{roots[0].parent.name}/{roots[0].name}")
    gone = {row for row, _ in before} - {row for row, _ in fleet.ids()}
    check("a deleted file is gone from the engine", len(gone) == 1, f"{len(gone)} chunks")


def silent_engine(engine, fleet):
    """A sync whose engine falls silent in its midst ends within its patience, and says why."""
    worker = fleet.start("fleet", "sync", "--patience", "2", said=subprocess.PIPE)
    said = next(line for line in worker.stderr if b"pulling" in line)
    engine.freeze()
    began = time.time()
    try:
        said += worker.communicate(timeout=60)[1]
    except subprocess.TimeoutExpired:
        worker.kill()
    took = time.time() - began
    engine.thaw()
    ended = worker.wait() == 2 and b"does not answer" in said and took < 20
    check("a sync whose engine falls silent ends and says so", ended, f"{took:.0f} s, {said.decode()[-90:]}")


def stopped_engine(engine, fleet, roots):
    silent_engine(engine, fleet)
    engine.freeze()
    code, page, err = fleet.search("where is zebra11", "--fleet-timeout", "2")
    engine.thaw()
    check("a search whose engine stopped says so", code == 2 and "does not answer" in err, err.strip()[:90])
    code, page, _ = fleet.search("zebra11")
    check("the next one answers", code == 0 and page["index"]["complete"])
    fleet.must("fleet", "sync")
    before = fleet.ids()
    (roots[1] / "late.md").write_text("# Late\n\nquaggamark came late.\n")
    worker = fleet.start("fleet", "sync", "--patience", "60")
    time.sleep(0.7)
    engine.kill()
    time.sleep(3)
    engine.start()
    check("a sync outlasts an engine that was killed", worker.wait(timeout=90) == 0)
    # An engine that loses what it had taken, as this one may when several wrote at once and it was
    # killed, is mended by the next sync.
    fleet.must("fleet", "sync")
    code, page, err = fleet.search("quaggamark")
    found = [hit["path"] for hit in page["hits"]] if page else []
    check("what it was about is found", bool(found) and found[0].endswith("late.md"), f"{code} {found[:2]} {err.strip()[:90]}")
    lost = set(before) - set(fleet.ids())
    check("nothing is lost", not lost, f"{len(lost)} chunks")
    set_back(fleet)


def chosen_index(fleet, is_ours):
    """An engine that does not make the index it is told to is told to make the other, and whoever syncs is told."""
    tree = TREES / "lathe"
    fleet.environment["WHEREIN_STORE_INDEX"] = "FLAT"
    fleet.must("fleet", "add", str(tree))
    code, _, err = fleet.run("fleet", "sync")
    check("an index that is none of both is refused", code == 2 and "IVF_RABITQ" in err, err.strip()[:90])
    fleet.environment["WHEREIN_STORE_INDEX"] = "ivf_rabitq"
    _, _, err = fleet.run("fleet", "sync")
    falls_back = "makes no IVF_RABITQ" in err
    check("what the engine cannot make is said", falls_back or not is_ours, err.splitlines()[0])
    code, out, _ = fleet.run("doctor", str(tree))
    made = "HNSW" if falls_back else "IVF_RABITQ"
    check("the doctor names the engine, its version, its collections and their index", re.search(rf"answers, version \S+, not encrypted; its collections .*by {made}", out), out.strip().splitlines()[-1])
    _, found, _ = fleet.search("where is the memory kept")
    check("and it is searched", found["hits"] and found["index"]["complete"])


def lost_pieces(fleet):
    """Two functions: one that makes the engine lose what half of all files are read from, one that mends it."""

    def tear():
        owners = sorted({row.split(".")[0] for row, _ in fleet.ids()})[::2]
        with fleet.engine() as (client, collection):
            client.delete(f"{collection}_pieces", filter=f"owner in {json.dumps(owners)}")

    return tear, lambda: fleet.must("fleet", "sync")


def set_back(fleet):
    """Rows that are gone from the engine behind the catalogue's back are there again after a sync."""
    before = fleet.ids()
    chunks, owners = (sorted({row.split(".")[0] for row, _ in before})[part::9] for part in (0, 4))
    with fleet.engine() as (client, collection):
        client.delete(f"{collection}_chunks", filter=f"file in {json.dumps(chunks)}")
        client.delete(f"{collection}_pieces", filter=f"owner in {json.dumps(owners)}")
    check("rows can be lost", len(fleet.ids()) < len(before))
    _, page, _ = fleet.search("the mark of this one", "--without", "ranker", "-k", "50")
    check("an answer says that something is missing", not page["index"]["complete"])
    out = fleet.must("fleet", "sync")
    check("a sync writes them again", fleet.ids() == before, out.strip())
    _, page, _ = fleet.search("the mark of this one", "--without", "ranker", "-k", "50")
    check("every answer is whole again", page["index"]["complete"], str(page["index"].get("partial")))


def main():
    # Whoever ends this ends the servers too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended from outside"))
    started = time.time()
    took = lambda what: print(f"{time.time() - started:6.1f} s  {what}", flush=True)
    engine, database = None, Database(WORK).start()
    store = os.environ.get("WHEREIN_TEST_STORE")
    if not store:
        engine = Engine(VENV, WORK).start()
        WITNESSES.append(engine.stands)
        store = f"milvus://127.0.0.1:{engine.port}/test"
    try:
        took("servers are up")
        roots = repositories()
        alone = Fleet(store, "alone")
        if any(asked_for(part) for part in ("workers", "forks", "tokens")):
            add(alone, roots)
            alone.must("fleet", "sync", seconds=200)
            took(f"one worker, {REPOSITORIES} repositories, {len(alone.ids())} rows")
        if asked_for("workers"):
            many = killed_workers(store, database.address(), alone, roots)
            took("three workers, two of them killed")
            lost_file(database, many, roots)
            if engine:
                stopped_engine(engine, many, roots)
                took("engine stopped and killed")
        if asked_for("forks"):
            forks(alone, roots)
            took("forks")
        if asked_for("index"):
            chosen_index(Fleet(store, "index"), engine)
            took("index")
        if asked_for("reading"):
            reading(store)
            took("reading")
        golden = Fleet(store, "golden")
        if any(asked_for(part) for part in ("parity", "wide", "agents", "page")):
            golden.must("fleet", "add", *[str(tree) for tree in sorted(TREES.iterdir()) if tree.is_dir()])
            golden.must("fleet", "sync")
            took("golden trees")
        if asked_for("parity"):
            same_as_embedded(golden)
            took("parity")
        if asked_for("wide"):
            wide(golden)
            took("wide")
        if asked_for("agents"):
            agents(golden, *lost_pieces(golden))
            took("agents")
        if asked_for("page"):
            page(golden, *lost_pieces(golden))
            took("page")
        if asked_for("tls") and engine:
            encrypted(WORK, engine.port)
            took("encrypted connections")
        if "semble" in sys.argv[3:]:
            semble(Fleet(store, "semble"))
            took("semble")
        if "scale" in sys.argv[3:]:
            scale(lambda name: Fleet(store, f"scale_{name}"), engine)
            took("scale")
        if asked_for("tokens"):
            tokens(alone)
            took("tokens")
    finally:
        if engine:
            engine.kill()
        database.end()
    print("all promises of a fleet hold")


main()
