"""The tools: how each is installed, indexes a tree, and is asked. One class a tool.

A tool is installed into a folder of its own and keeps its index in another; nothing is written into the
tree. Every choice left open is made in the tool's favour and said in its `settings`. What cannot be
installed, or would fetch something while it runs, raises Failed with the reason.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import urllib.request

from cost import Failed, run, size

HERE = pathlib.Path(__file__).parent
PAGE = 10


class Tool:
    """What all have in common; `index` may be left out by a tool that has none."""

    name = ""
    settings = ""
    times = 3
    has_index = True

    def __init__(self, home, tree):
        self.home = home / self.name.split()[0]
        self.store = home / "indexes" / self.name.replace(" ", "-")
        self.tree = tree

    def install(self):
        """Brings the program here; its version."""
        raise NotImplementedError

    def index(self):
        """Indexes from nothing; the cost."""
        self.forget()
        return run(self.indexing(), env=self.environment(), cwd=self.tree)

    def forget(self):
        shutil.rmtree(self.store, ignore_errors=True)
        self.store.mkdir(parents=True)

    def ask(self, question, text):
        """Asks in a process of its own; the cost."""
        return run(self.asking(question, text), env=self.environment(), cwd=self.tree, may_find_nothing=True)

    def environment(self):
        return {}

    def bytes_on_disk(self):
        return size(self.store)

    def warm(self, questions, times):
        """Seconds of each answer of a process that stays, or None where there is none to ask."""
        return None


def debian(home, package):
    """Unpacks a package of the system's distribution without installing it."""
    home.mkdir(parents=True, exist_ok=True)
    if not list(home.glob("*.deb")):
        run(["apt-get", "download", package], cwd=home)
    run(["dpkg", "-x", next(home.glob("*.deb")), home])
    return run(["dpkg-deb", "-f", next(home.glob("*.deb")), "Version"]).out.strip()


def python(home, package, *more):
    """Makes a Python environment with a package in it."""
    if not (home / "bin/pip").exists():
        run([sys.executable, "-m", "venv", home])
    run([home / "bin/pip", "install", "-q", package, *more])
    shown = run([home / "bin/pip", "show", package]).out
    return shown.split("Version: ")[1].split()[0]


class Ripgrep(Tool):
    name = "ripgrep scan"
    settings = "`rg -F -n TEXT`: reads every file at every question"
    has_index = False

    def install(self):
        return debian(self.home, "ripgrep")

    def asking(self, question, text):
        return [self.home / "usr/bin/rg", "-F", "-n", "-e", text, self.tree]


class Csearch(Tool):
    name = "csearch"
    settings = "`cindex`, then `csearch -n TEXT`: trigrams, no ranking"

    def install(self):
        return debian(self.home, "codesearch")

    def environment(self):
        return {"CSEARCHINDEX": str(self.store / "csearchindex")}

    def indexing(self):
        return [self.home / "usr/bin/cindex", self.tree]

    def asking(self, question, text):
        return [self.home / "usr/bin/csearch", "-n", text]


class Probe(Tool):
    name = "probe"
    settings = f"`probe search --max-results {PAGE}`: no index, BM25 over what it reads"
    has_index = False

    def install(self):
        self.home.mkdir(parents=True, exist_ok=True)
        if not list(self.home.glob("*.tgz")):
            run(["npm", "pack", "--silent", "@probelabs/probe"], cwd=self.home)
        shutil.unpack_archive(next(self.home.glob("*.tgz")), self.home)
        binaries = (self.home / "package/bin/binaries").glob("*x86_64-unknown-linux-musl.tar.gz")
        shutil.unpack_archive(next(binaries), self.home / "unpacked")
        return run([self.program(), "--version"]).out.split()[-1]

    def program(self):
        return next(path for path in (self.home / "unpacked").rglob("probe") if path.is_file())

    def asking(self, question, text):
        return [self.program(), "search", "--max-results", PAGE, "--", question, self.tree]


class Semble(Tool):
    name = "semble"
    settings = (
        f"`semble search -k {PAGE}`, code only (its default); a stand-in model of the size of its own "
        "(62,500 words of 256 numbers), since its own would be downloaded: the cost is the same, "
        "the answers are not; warm: inside one Python process"
    )
    times = 1

    def install(self):
        version = python(self.home, "semble")
        if not (self.home / "standin").exists():
            run([self.home / "bin/python", HERE / "standin.py", self.home / "standin"])
        return version

    def environment(self):
        return {
            "SEMBLE_CACHE_LOCATION": str(self.store),
            "SEMBLE_MODEL_NAME": str(self.home / "standin"),
            "HF_HUB_OFFLINE": "1",
            "HOME": str(self.home),
        }

    def indexing(self):
        return self.asking("index", "")

    def asking(self, question, text):
        return [self.home / "bin/semble", "search", "-k", PAGE, question, self.tree]

    def warm(self, questions, times):
        command = [self.home / "bin/python", HERE / "semble_warm.py", self.tree, times, *questions]
        return json.loads(run(command, env=self.environment()).out.splitlines()[-1])


class SiaCode(Tool):
    name = "sia-code"
    settings = f"`embedding.enabled false`, `search --regex --limit {PAGE}`: words only; its models would be downloaded"
    times = 1

    def install(self):
        return python(self.home, "sia-code")

    def environment(self):
        return {"SIA_CODE_INDEX_DIR": str(self.store / "index"), "HF_HUB_OFFLINE": "1", "HOME": str(self.home)}

    def program(self):
        return self.home / "bin/sia-code"

    def index(self):
        self.forget()
        for words in (["init"], ["config", "set", "embedding.enabled", "false"]):
            run([self.program(), *words], env=self.environment(), cwd=self.tree)
        cost = run([self.program(), "index", "--no-git-sync", "."], env=self.environment(), cwd=self.tree)
        if "Unexpected error: " in cost.out:
            raise Failed("sia-code index: " + cost.out.split("Unexpected error: ")[1].split("\n")[0][:160])
        return cost

    def asking(self, question, text):
        words = ["search", "--format", "json", "--no-deps", "--regex", "--limit", PAGE, "--", question]
        return [self.program(), *words]


class Codegraph(Tool):
    name = "codegraph"
    settings = f"`codegraph init`, `codegraph query --limit {PAGE}`: symbols and their edges; on a copy of the tree, for it writes into it"
    times = 1

    def install(self):
        self.home.mkdir(parents=True, exist_ok=True)
        run(["npm", "install", "--silent", "--no-audit", "--no-fund", "@colbymchenry/codegraph"], cwd=self.home)
        run([self.program(), "telemetry", "off"], env=self.environment())
        return run([self.program(), "--version"], env=self.environment()).out.split()[-1]

    def program(self):
        return self.home / "node_modules/.bin/codegraph"

    def environment(self):
        return {"HOME": str(self.home), "CODEGRAPH_TELEMETRY": "off", "DO_NOT_TRACK": "1"}

    def copy(self):
        return self.store / "tree"

    def index(self):
        self.forget()
        shutil.copytree(self.tree, self.copy(), symlinks=True)
        return run([self.program(), "init", "-y", self.copy()], env=self.environment())

    def bytes_on_disk(self):
        return size(self.copy() / ".codegraph")

    def asking(self, question, text):
        return [self.program(), "query", "--path", self.copy(), "--limit", PAGE, question]


class Sifs(Tool):
    name = "sifs"
    settings = f"`sifs search --mode bm25 --offline --limit {PAGE}`: words only; its model would be downloaded"
    times = 1

    def install(self):
        if not (self.home / "bin/sifs").exists():
            run(["cargo", "install", "--quiet", "--locked", "--root", self.home, "sifs"], timeout=3600)
        return run([self.home / "bin/sifs", "--version"]).out.split()[-1]

    def environment(self):
        return {"HOME": str(self.store), "XDG_CACHE_HOME": str(self.store)}

    def indexing(self):
        return self.asking("index", "")

    def asking(self, question, text):
        words = ["search", question, "--source", self.tree, "--mode", "bm25", "--offline", "--limit", PAGE]
        return [self.home / "bin/sifs", *words]


class Wherein(Tool):
    """Ours, by words."""

    name = "wherein words"
    settings = f"`wherein index --no-vectors`, `wherein --mode lexical -k {PAGE}`; warm: over HTTP"
    mode = "lexical"
    words = ["--no-vectors"]
    program = pathlib.Path()

    def install(self):
        return run([self.program, "--version"]).out.split()[-1]

    def environment(self):
        return {"XDG_CONFIG_HOME": str(self.store / "config")}

    def indexing(self):
        return [self.program, "index", self.tree, "--index-dir", self.store / "index", *self.words]

    def asking(self, question, text):
        place = ["--root", self.tree, "--index-dir", self.store / "index"]
        return [self.program, "search", question, "--mode", self.mode, "-k", PAGE, *place]

    def warm(self, questions, times):
        listen = ["--listen", "127.0.0.1:0", "--index-dir", self.store / "index"]
        command = [str(word) for word in [self.program, "serve", self.tree, *listen]]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **self.environment()})
        try:
            address = server.stdout.readline().split(" at ")[1].strip()
            return [self.answered(address, question) for _ in range(times + 1) for question in questions][len(questions):]
        finally:
            server.terminate()
            server.wait()

    def answered(self, address, question):
        body = json.dumps({"text": question, "mode": self.mode, "limit": PAGE}).encode()
        request = urllib.request.Request(address + "api/search", body, {"Content-Type": "application/json"})
        started = time.perf_counter()
        urllib.request.urlopen(request, timeout=60).read()
        return time.perf_counter() - started


class WhereinHybrid(Wherein):
    """Ours, as it is by default."""

    name = "wherein both"
    settings = f"`wherein index` (every chunk encoded), `wherein -k {PAGE}`; warm: over HTTP"
    mode = "hybrid"
    words = []
    times = 1


RIVALS = [Ripgrep, Csearch, Probe, Sifs, Semble, SiaCode, Codegraph]
OURS = [Wherein, WhereinHybrid]
