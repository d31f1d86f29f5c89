#!/usr/bin/env python3
"""Holds the graph's definitions and references against a language server, or Java's compiler.

For a sample of the symbols wherein knows, the server is asked for the references of each; the lines
it names (imports left out: wherein keeps those as imports) are the truth. Of the files they stand in,
the functions and types the server lists are the truth for definitions. Printed: precision and recall
of definitions, by name and line; precision and recall of the uses wherein is sure of, for each way it
knows them, overloads taken as one, with intervals of 95 % (symbols drawn anew 2,000 times); and where the
server, asked where such a use is defined, names the line wherein names.

A line that defines the same name is no use (rust-analyzer lists the methods of every `impl` as uses of the
trait's). A use that the server does not list is asked about from its own side: if the server then names the
very definition, it is right; if it names nothing, the server does not know the place (code that is switched
off, a value without a type): it is wrong in the first figure and left out of the second, which is the one
over uses that can be told without running anything.

    references.py --wherein BIN --tree DIR --language python --server 'pyright-langserver --stdio'
    references.py --wherein BIN --tree DIR --language java --server javac

Needs Python 3.9 and a language server that speaks over standard input and output, or a JDK.
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

import servers

TYPES = {"function", "method", "class", "struct", "interface", "trait", "enum"}
KINDS = {"function", "method", "class", "struct", "interface", "trait", "enum", "constant"}
IMPORT = {
    "python": re.compile(r"^\s*(from\s+\S+\s+import\b|import\s)"),
    "typescript": re.compile(r"^\s*(import\b|export\s*(\*|\{))|\brequire\("),
    "javascript": re.compile(r"^\s*(import\b|export\s*(\*|\{))|\brequire\("),
    "go": re.compile(r"^\s*import\b"),
    "java": re.compile(r"^\s*(import|package)\b"),
    "rust": re.compile(r"^\s*(pub(\([^)]*\))?\s+)?(use|mod)\b"),
}


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


class Listing:
    """The definitions of files, ours beside the server's."""

    def __init__(self, symbols, texts):
        self.texts = texts
        self.known = collections.defaultdict(dict)
        for it in symbols:
            name = re.split(r"[.:#]+", it["name"])[-1]
            self.known[it["path"]][it["line"], name] = it["kind"]
        self.files = set()
        self.ours = self.right = self.truth = self.found = self.unknown = 0
        self.wrong, self.missed = [], []

    def asked(self, path, spot, server):
        """Whether the server takes a name that it does not list for the definition of itself."""
        line, name = spot
        column = self.texts.column(path, line, name)
        where = server.definition(path, line, column) if column is not None else set()
        return "same" if (path, line) in where else "other" if where else "nothing"

    def compare(self, path, server):
        if path in self.files:
            return
        self.files.add(path)
        main, everything = server.defined(path)
        ours = {spot for spot, kind in self.known[path].items() if kind in TYPES}
        # A list is made from the text alone: what stands inside a macro is asked about one by one.
        verdicts = {spot: self.asked(path, spot, server) for spot in ours - everything}
        right = (ours & everything) | {spot for spot, verdict in verdicts.items() if verdict == "same"}
        self.unknown += sum(verdict == "nothing" for verdict in verdicts.values())
        self.ours, self.truth = self.ours + len(ours), self.truth + len(main)
        self.right += len(right)
        self.found += len(main & self.known[path].keys())
        self.wrong += [(path, *spot, verdicts[spot]) for spot in sorted(ours - right)]
        self.missed += [(path, *spot) for spot in sorted(main - self.known[path].keys())]


def wherein(args, *command):
    run = subprocess.run([args.wherein, *command, "--json", "--root", args.tree, "--index-dir", args.index], capture_output=True, text=True)
    return json.loads(run.stdout) if run.stdout.strip() else None


def share(part, whole):
    return f"{part / whole:.3f} ({part} of {whole})" if whole else "–"


def interval(pairs, seed):
    """Between what the share lies in 95 of 100 samples of as many symbols: (part, whole) for each."""
    draw, shares = random.Random(seed), []
    for _ in range(2000):
        drawn = draw.choices(pairs, k=len(pairs))
        whole = sum(it[1] for it in drawn)
        if whole:
            shares.append(sum(it[0] for it in drawn) / whole)
    shares.sort()
    return f"[{shares[len(shares) // 40]:.3f}, {shares[-len(shares) // 40 - 1]:.3f}]" if shares else ""


def drawn(known, args):
    """A sample of the symbols, without those of samples that were read before."""
    def draw(seed, size, among):
        return random.Random(seed).sample(among, min(size, len(among)))

    read = [it for told in args.without for it in draw(*map(int, told.split(":")), known)]
    places = {(it["path"], it["line"], it["name"]) for it in read}
    return draw(args.seed, args.symbols, [it for it in known if (it["path"], it["line"], it["name"]) not in places])


class Asking:
    """What the server says a use means, asked from the use."""

    def __init__(self, texts):
        self.texts = texts

    def about(self, server, it, spot, name):
        """`same`, `other`, or `nothing`."""
        column = self.texts.column(*spot, name)
        where = server.definition(*spot, column) if column is not None else set()
        # A server that came no further than the import does not know what is imported.
        where = {place for place in where if not self.texts.imports(*place)}
        # What is defined once for each of two versions is one definition.
        same = any(path == it["path"] and self.texts.column(path, line, name) is not None for path, line in where)
        return "same" if same else "other" if where else "nothing"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wherein", required=True, help="the program")
    parser.add_argument("--tree", required=True, help="the folder to look at")
    parser.add_argument("--index", default=os.path.join(tempfile.gettempdir(), "wherein-graph-eval"), help="where to keep its index")
    parser.add_argument("--language", required=True, choices=sorted(IMPORT))
    parser.add_argument("--server", required=True, help="the command that starts the language server")
    parser.add_argument("--symbols", type=int, default=150, help="how many to sample")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--without", action="append", default=[], help="SEED:SYMBOLS, a sample that was read before: none of it is drawn")
    parser.add_argument("--kind", action="append", default=[], help="only symbols of these kinds")
    parser.add_argument("--path", action="append", default=[], help="only symbols of these paths")
    parser.add_argument("--cfg", action="append", default=[], help="a name that is set when Rust is compiled")
    parser.add_argument("--remember", help="a file to keep the server's answers in, for the next run over the same tree")
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
    sample = drawn(known, args)
    def start():
        return servers.Remembered(begin, args.remember) if args.remember else begin()

    def begin():
        if args.server == "javac":
            return servers.Javac(root, {it["path"] for it in listed["symbols"]})
        return servers.Server(args.server.split(), root, args.language, args.cfg)

    server, texts = start(), Texts(root, args.language)
    asking = Asking(texts)

    by_how = collections.Counter()
    hits_by_how = collections.Counter()
    by_kind = collections.Counter()
    said = collections.Counter()
    told, found, known_places = [], [], []
    definitions = defined_right = 0
    listing = Listing(listed["symbols"], texts)
    # Overloads are one thing to wherein: what uses one of them uses all.
    twins = collections.defaultdict(set)
    for it in listed["symbols"]:
        twins[it["path"], it["name"], it["kind"]].add(it["line"])
    missed, wrong, unknown = [], [], []
    asked = crashes = 0
    for it in sample:
        name = re.split(r"[.:]+", it["name"])[-1]
        column = texts.column(it["path"], it["line"], name)
        if column is None:
            continue
        try:
            truth = server.references(it["path"], it["line"], column)
            for line in twins[it["path"], it["name"], it["kind"]] - {it["line"]}:
                column = texts.column(it["path"], line, name)
                truth |= server.references(it["path"], line, column) if column is not None else set()
            listing.compare(it["path"], server)
            truth = {spot for spot in truth if not texts.imports(*spot) and spot != (it["path"], it["line"])}
            truth = {(path, line) for path, line in truth if (line, name) not in listing.known[path]}
            answer = wherein(args, "refs", f"{it['path']}:{it['line']}", "-k", "1000000") or {"uses": []}
            suffixes = {spot[0].rsplit(".", 1)[-1] for spot in truth} | {it["path"].rsplit(".", 1)[-1]}
            ours = {}
            for use in answer["uses"]:
                spot = (use["path"], use["line"])
                if use["path"].rsplit(".", 1)[-1] in suffixes and not texts.imports(*spot):
                    ours[spot] = use["how"]
            verdicts = {spot: asking.about(server, it, spot, name) for spot in sorted(ours.keys() - truth)}
            # A use of what an interface declares is defined there, not where it is implemented.
            direct = sorted(spot for spot, how in ours.items() if how != "declared")
            checked = [asking.about(server, it, spot, name) for spot in direct[:2]]
        except ConnectionError:
            crashes += 1
            server = server if args.remember else start()
            continue
        asked += 1
        said.update(verdicts.values())
        right = {spot for spot in ours if spot in truth or verdicts[spot] == "same"}
        nothing = {spot for spot, verdict in verdicts.items() if verdict == "nothing"}
        told.append((len(truth & ours.keys()), len(truth)))
        found.append((len(right), len(ours)))
        known_places.append((len(right), len(ours) - len(nothing)))
        by_kind[it["kind"], "truth"] += len(truth)
        by_kind[it["kind"], "hits"] += len(truth & ours.keys())
        for spot, how in ours.items():
            by_how[how] += spot not in nothing
            hits_by_how[how] += spot in right
        missed += [(it["name"], *spot, texts.line(*spot).strip()) for spot in sorted(truth - ours.keys())]
        wrong += [(it["name"], *spot, ours[spot], texts.line(*spot).strip()) for spot in sorted(ours.keys() - right - nothing)]
        unknown += [(it["name"], *spot, ours[spot], texts.line(*spot).strip()) for spot in sorted(nothing)]
        definitions += sum(verdict != "nothing" for verdict in checked)
        defined_right += checked.count("same")

    def total(pairs):
        parts = share(sum(it[0] for it in pairs), sum(it[1] for it in pairs))
        return f"{parts} {interval(pairs, args.seed)}"

    print(f"{asked} symbols of {root.name} ({args.language}), {sum(it[1] for it in told)} references by the server")
    if crashes:
        print(f"  the server ended {crashes} times; what it was asked then is left out")
    there = share(listing.right, listing.ours - listing.unknown)
    print(f"  definitions: precision {share(listing.right, listing.ours)}, where the server knows the place {there}, recall {share(listing.found, listing.truth)}, in {len(listing.files)} files")
    print(f"  definitions of uses: {share(defined_right, definitions)}")
    print(f"  references: recall {total(told)}")
    print(f"    precision of all: {total(found)}; not listed by the server: {dict(said)}")
    print(f"    precision where the server knows the place: {total(known_places)}")
    for how in sorted(by_how):
        unseen = sum(row[3] == how for row in unknown)
        print(f"    known by {how}: precision {share(hits_by_how[how], by_how[how])}, and {unseen} where the server knows nothing")
    for kind in sorted({kind for kind, _ in by_kind}):
        print(f"    {kind}: recall {share(by_kind[kind, 'hits'], by_kind[kind, 'truth'])}")
    shuffle = random.Random(args.seed)
    for title, rows in (("missed", missed), ("wrong", wrong), ("unknown place", unknown), ("no definition", listing.wrong), ("not defined", listing.missed)):
        for row in shuffle.sample(rows, min(args.worst, len(rows))):
            print(f"  {title}: {row}")
    server.end()


if __name__ == "__main__":
    main()
