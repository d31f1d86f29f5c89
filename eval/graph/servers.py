"""Who knows better: a language server behind a pipe, or a compiler's own table of symbols.

Both answer the same three questions: what a file defines, what uses what is defined at a place, and
where what is used at a place is defined. Lines are counted from 1, columns from 0.
"""

import collections
import copy
import json
import pathlib
import re
import subprocess
import threading
import time
import urllib.parse

# Kinds of the protocol that are functions and types: class, method, constructor, enum, interface,
# function, struct.
DEFINED = {5, 6, 9, 10, 11, 12, 23}

# What some servers must be told to be of use without building anything. A server of Rust knows nothing
# of code that is switched off: everything is on that can be.
OPTIONS = {
    "rust": {"checkOnSave": False, "cachePriming": {"enable": False}, "procMacro": {"enable": False},
             "cargo": {"buildScripts": {"enable": False}, "allTargets": True, "features": "all",
                       "cfgs": ["debug_assertions"]},
             "cfg": {"setTest": True}},
}


def options(language, cfgs):
    """What a server is told, with names that are to be set while it compiles."""
    told = copy.deepcopy(OPTIONS.get(language))
    if told and cfgs:
        told["cargo"]["cfgs"] += cfgs
    return told


class Server:
    """A language server."""

    def __init__(self, command, root, language, cfgs=()):
        self.root, self.language = root, language
        self.options = options(language, cfgs)
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=root
        )
        self.next_id = 0
        self.opened = set()
        self.is_ready = language != "rust"
        self.write_lock = threading.Lock()
        folders = [{"uri": root.as_uri(), "name": root.name}]
        self.ask("initialize", {
            "processId": None, "rootUri": root.as_uri(), "workspaceFolders": folders,
            "initializationOptions": self.options,
            "capabilities": {
                "textDocument": {"references": {}, "definition": {},
                                 "documentSymbol": {"hierarchicalDocumentSymbolSupport": True}},
                "workspace": {"configuration": True, "workspaceFolders": True},
                "experimental": {"serverStatusNotification": True},
            },
        })
        self.tell("initialized", {})
        while not self.is_ready:
            self.take(self.read())

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
                # What changed while it was asked is asked again.
                if message.get("error", {}).get("code") == -32801:
                    time.sleep(0.2)
                    return self.ask(method, params)
                return message.get("result")
            self.take(message)

    def take(self, message):
        """Something the server says or asks of its own accord."""
        method = message.get("method")
        if method == "experimental/serverStatus":
            self.is_ready = message["params"].get("quiescent", True)
        if "id" in message and method:
            items = message.get("params", {}).get("items", []) if method == "workspace/configuration" else []
            self.send({"id": message["id"], "result": [self.options or {} for _ in items] if items else None})

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

    def open(self, path):
        if path not in self.opened:
            self.opened.add(path)
            text = (self.root / path).read_text(errors="replace")
            document = {"uri": (self.root / path).as_uri(), "languageId": self.language, "version": 1, "text": text}
            self.tell("textDocument/didOpen", {"textDocument": document})

    def references(self, path, line, column):
        return self.spots("textDocument/references", path, line, column)

    def definition(self, path, line, column):
        return self.spots("textDocument/definition", path, line, column)

    def spots(self, method, path, line, column):
        self.open(path)
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
                spots.add((urllib.parse.unquote(uri[len(root):]), span["start"]["line"] + 1))
        return spots

    def defined(self, path):
        """The functions and types of a file as (line, name), and everything it lists."""
        self.open(path)
        listed = self.ask("textDocument/documentSymbol", {"textDocument": {"uri": (self.root / path).as_uri()}}) or []
        main, everything = set(), set()
        while listed:
            it = listed.pop()
            listed += it.get("children") or []
            span = it.get("selectionRange") or it["location"]["range"]
            name = re.findall(r"[\w$]+", it["name"])[-1:] if re.fullmatch(r"[\w$.()*# ]+", it["name"]) else []
            # What is passed to a function without a name of its own defines nothing.
            if name and not it["name"].endswith(" callback"):
                spot = (span["start"]["line"] + 1, name[0])
                everything.add(spot)
                if it["kind"] in DEFINED:
                    main.add(spot)
        return main, everything

    def end(self):
        self.process.kill()


class Remembered:
    """Another's answers, kept in a file: it is started only if something new is asked."""

    def __init__(self, start, file):
        self.start, self.file, self.server, self.asked = start, pathlib.Path(file), None, 0
        self.known = json.loads(self.file.read_text()) if self.file.exists() else {}

    def ask(self, question, *place):
        key = " ".join(map(str, (question, *place)))
        if key not in self.known:
            self.server = self.server or self.start()
            try:
                answer = getattr(self.server, question)(*place)
            except ConnectionError:
                self.server = None
                raise
            lists = [sorted(part) for part in answer] if question == "defined" else sorted(answer)
            self.known[key] = lists
            self.asked += 1
            if self.asked % 20 == 0:
                self.keep()
        return self.known[key]

    def keep(self):
        self.file.write_text(json.dumps(self.known))

    def references(self, path, line, column):
        return {tuple(spot) for spot in self.ask("references", path, line, column)}

    def definition(self, path, line, column):
        return {tuple(spot) for spot in self.ask("definition", path, line, column)}

    def defined(self, path):
        main, everything = self.ask("defined", path)
        return {tuple(spot) for spot in main}, {tuple(spot) for spot in everything}

    def end(self):
        self.keep()
        if self.server:
            self.server.end()


class Javac:
    """The table of symbols of the Java compiler, read once by `Uses.java`."""

    def __init__(self, root, paths):
        program = pathlib.Path(__file__).with_name("Uses.java")
        said = subprocess.run(["java", str(program), str(root), *sorted(paths)], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.at, self.place, self.uses = {}, {}, collections.defaultdict(set)
        self.main, self.everything = collections.defaultdict(set), collections.defaultdict(set)
        self.used_at = {}
        for line in said.splitlines():
            what, number, path, line, column, *name = line.split(" ")
            if what in "DF":
                self.at[path, int(line), int(column)] = number
                self.place[number] = (path, int(line))
                self.everything[path].add((int(line), name[0]))
                if what == "D":
                    self.main[path].add((int(line), name[0]))
            else:
                self.uses[number].add((path, int(line)))
                self.used_at[path, int(line), int(column)] = number

    def references(self, path, line, column):
        return set(self.uses.get(self.at.get((path, line, column)), set()))

    def definition(self, path, line, column):
        number = self.used_at.get((path, line, column))
        return {self.place[number]} if number else set()

    def defined(self, path):
        return self.main[path], self.everything[path]

    def end(self):
        pass
