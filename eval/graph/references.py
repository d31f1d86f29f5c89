#!/usr/bin/env python3
"""Holds the graph's definitions and references against a language server.

For a sample of the symbols wherein knows, the server is asked for the references of each; the lines
it names (imports left out: wherein keeps those as imports) are the truth. Printed: precision and
recall of the uses wherein is sure of, for each way it knows them, and of definitions: whether the
server, asked where a use that wherein lists is defined, names the line wherein names.

    references.py --wherein BIN --tree DIR --language python --server 'pyright-langserver --stdio'

Needs Python 3.9 and a language server that speaks over standard input and output.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import threading

KINDS = {"function", "method", "class", "struct", "interface", "trait", "enum", "constant"}
IMPORT = {
    "python": re.compile(r"^\s*(from\s+\S+\s+import\b|import\s)"),
    "typescript": re.compile(r"^\s*(import\b|export\s*(\*|\{))|\brequire\("),
    "javascript": re.compile(r"^\s*(import\b|export\s*(\*|\{))|\brequire\("),
    "go": re.compile(r"^\s*import\b"),
    "rust": re.compile(r"^\s*(pub(\([^)]*\))?\s+)?(use|mod)\b"),
}


class Server:
    """A language server behind a pipe."""

    def __init__(self, command, root):
        self.root = root
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=root
        )
        self.next_id = 0
        self.opened = set()
        self.write_lock = threading.Lock()
        folders = [{"uri": root.as_uri(), "name": root.name}]
        self.ask("initialize", {
            "processId": None, "rootUri": root.as_uri(), "workspaceFolders": folders,
            "capabilities": {"textDocument": {"references": {}, "definition": {}}, "workspace": {"configuration": True, "workspaceFolders": True}},
        })
        self.tell("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        with self.write_lock:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.process.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        self.next_id += 1
        wanted = self.next_id
        self.send({"id": wanted, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == wanted and "method" not in message:
                return message.get("result")
            if "id" in message and "method" in message:
                count = len(message.get("params", {}).get("items", [])) if message["method"] == "workspace/configuration" else 0
                self.send({"id": message["id"], "result": [{} for _ in range(count)] if count else None})

    def read(self):
        length = 0
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise ConnectionError("the language server ended")
            if line in (b"\r\n", b"\n"):
                break
            name, _, value = line.decode().partition(":")
            if name.lower() == "content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def open(self, path, language):
        if path not in self.opened:
            self.opened.add(path)
            text = (self.root / path).read_text(errors="replace")
            document = {"uri": (self.root / path).as_uri(), "languageId": language, "version": 1, "text": text}
            self.tell("textDocument/didOpen", {"textDocument": document})

    def spots(self, method, path, line, column, language):
        self.open(path, language)
        params = {
            "textDocument": {"uri": (self.root / path).as_uri()},
            "position": {"line": line - 1, "character": column},
            "context": {"includeDeclaration": False},
        }
        found = self.ask(method, params) or []
        found = found if isinstance(found, list) else [found]
        root = self.root.as_uri() + "/"
        spots = set()
        for it in found:
            uri = it.get("uri") or it.get("targetUri")
            span = it.get("range") or it.get("targetSelectionRange")
            if uri.startswith(root):
                spots.add((uri[len(root):].replace("%40", "@"), span["start"]["line"] + 1))
        return spots


class Texts:
    """Lines of files, and which of them import."""

    def __init__(self, root, language):
        self.root, self.pattern, self.files = root, IMPORT[language], {}

    def lines(self, path):
        if path not in self.files:
            self.files[path] = (self.root / path).read_text(errors="replace").splitlines()
        return self.files[path]

    def line(self, path, number):
        lines = self.lines(path)
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def imports(self, path, number):
        """Whether a line is part of an import, which may run over several."""
        for above in range(number, max(0, number - 60), -1):
            text = self.line(path, above)
            if self.pattern.search(text):
                opened = "\n".join(self.lines(path)[above - 1:number])
                brackets = sum(opened.count(c) for c in "({") - sum(opened[:opened.rfind("\n") + 1].count(c) for c in ")}")
                return above == number or brackets > 0
            if above < number and text.rstrip().endswith((")", ";", ":")):
                return False
        return False

    def column(self, path, number, name):
        found = re.search(r"(?<![\w$])" + re.escape(name) + r"(?![\w$])", self.line(path, number))
        return found.start() if found else None


def wherein(args, *command):
    run = subprocess.run([args.wherein, *command, "--json", "--root", args.tree, "--index-dir", args.index], capture_output=True, text=True)
    return json.loads(run.stdout) if run.stdout.strip() else None


def share(part, whole):
    return f"{part / whole:.3f} ({part} of {whole})" if whole else "–"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wherein", required=True, help="the program")
    parser.add_argument("--tree", required=True, help="the folder to look at")
    parser.add_argument("--index", default=os.path.join(tempfile.gettempdir(), "wherein-graph-eval"), help="where to keep its index")
    parser.add_argument("--language", required=True, choices=sorted(IMPORT))
    parser.add_argument("--server", required=True, help="the command that starts the language server")
    parser.add_argument("--symbols", type=int, default=150, help="how many to sample")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--kind", action="append", default=[], help="only symbols of these kinds")
    parser.add_argument("--path", action="append", default=[], help="only symbols of these paths")
    parser.add_argument("--worst", type=int, default=0, help="print so many of the differences")
    args = parser.parse_args()

    root = pathlib.Path(args.tree).resolve()
    narrowed = [part for path in args.path for part in ("--path", path)]
    listed = wherein(args, "symbols", "--lang", args.language, "-k", "1000000", *narrowed)
    if not listed:
        sys.exit("wherein lists no symbols of that language")
    kinds = set(args.kind) or KINDS
    known = [it for it in listed["symbols"] if it["kind"] in kinds]
    known.sort(key=lambda it: (it["path"], it["line"]))
    sample = random.Random(args.seed).sample(known, min(args.symbols, len(known)))
    server, texts = Server(args.server.split(), root), Texts(root, args.language)

    truth_total = found_total = hit_total = 0
    by_how = collections.Counter()
    hits_by_how = collections.Counter()
    by_kind = collections.Counter()
    definitions = defined_right = 0
    missed, wrong = [], []
    asked = crashes = 0
    for it in sample:
        name = re.split(r"[.:]+", it["name"])[-1]
        column = texts.column(it["path"], it["line"], name)
        if column is None:
            continue
        try:
            truth = server.spots("textDocument/references", it["path"], it["line"], column, args.language)
        except ConnectionError:
            crashes += 1
            server = Server(args.server.split(), root)
            continue
        asked += 1
        truth = {spot for spot in truth if not texts.imports(*spot) and spot != (it["path"], it["line"])}
        answer = wherein(args, "refs", f"{it['path']}:{it['line']}", "-k", "1000000") or {"uses": []}
        suffixes = {spot[0].rsplit(".", 1)[-1] for spot in truth} | {it["path"].rsplit(".", 1)[-1]}
        ours = {}
        for use in answer["uses"]:
            spot = (use["path"], use["line"])
            if use["path"].rsplit(".", 1)[-1] in suffixes and not texts.imports(*spot):
                ours[spot] = use["how"]
        hits = truth & ours.keys()
        truth_total, found_total, hit_total = truth_total + len(truth), found_total + len(ours), hit_total + len(hits)
        by_kind[it["kind"], "truth"] += len(truth)
        by_kind[it["kind"], "hits"] += len(hits)
        for spot, how in ours.items():
            by_how[how] += 1
            hits_by_how[how] += spot in hits
        missed += [(it["name"], *spot, texts.line(*spot).strip()) for spot in sorted(truth - ours.keys())]
        wrong += [(it["name"], *spot, ours[spot], texts.line(*spot).strip()) for spot in sorted(ours.keys() - truth)]
        for spot in sorted(ours)[:2]:
            use_column = texts.column(*spot, name)
            if use_column is None:
                continue
            try:
                where = server.spots("textDocument/definition", *spot, use_column, args.language)
            except ConnectionError:
                crashes += 1
                server = Server(args.server.split(), root)
                continue
            if where:
                definitions += 1
                # What is defined once for each of two versions is one definition.
                right = any(path == it["path"] and texts.column(path, line, name) is not None for path, line in where)
                defined_right += right

    print(f"{asked} symbols of {root.name} ({args.language}), {truth_total} references by the server")
    if crashes:
        print(f"  the server ended {crashes} times; what it was asked then is left out")
    print(f"  definitions: {share(defined_right, definitions)}")
    print(f"  references: precision {share(hit_total, found_total)}, recall {share(hit_total, truth_total)}")
    for how in sorted(by_how):
        print(f"    known by {how}: precision {share(hits_by_how[how], by_how[how])}")
    for kind in sorted({kind for kind, _ in by_kind}):
        print(f"    {kind}: recall {share(by_kind[kind, 'hits'], by_kind[kind, 'truth'])}")
    shuffle = random.Random(args.seed)
    for title, rows in (("missed", missed), ("wrong", wrong)):
        for row in shuffle.sample(rows, min(args.worst, len(rows))):
            print(f"  {title}: {row}")
    server.process.kill()


if __name__ == "__main__":
    main()
