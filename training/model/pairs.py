"""From source files to pairs of a question and the code that answers it.

In: the work folder that collect.py filled, and the program that cuts and names code. Out: `pairs.jsonl`
with one pair a line (kind, language, package, question, header, code), and `held/LANGUAGE.jsonl`, pairs of
packages that are kept apart to measure with; those of an earlier run stay apart. What is boilerplate, not English, said twice, nearly the same
as another, or held out of training is left out, and counted by reason.
"""

import argparse
import collections
import concurrent.futures
import functools
import gzip
import hashlib
import json
import pathlib
import random
import re
import subprocess

import numpy

import held_out

THIN = {"rust", "typescript", "cpp", "csharp", "ruby", "kotlin", "swift", "javascript", "php", "scala", "haskell", "lua"}
MOST_OF_PACKAGE = 1000
MOST_CODE = 1400
MEASURED = collections.defaultdict(lambda: 12, csharp=3, kotlin=3)
"""One package in so many of a thin language is kept apart to measure with; more where there are few."""
BOILERPLATE = re.compile(
    r"copyright|licen[sc]e|all rights reserved|auto-?generated|do not edit|inheritdoc|\btodo\b|\bfixme\b|eslint|"
    r"^see |^@|^deprecated|^internal|^constructor\.?$|^\W*$|rubocop|nolint|noqa|pragma|https?://\S+$",
    re.IGNORECASE,
)
COMMON = set(
    "the a an of to in for is and or on with that this from by be as if it at are not when which all into returns "
    "return get set gets sets given used use new create creates value whether no can".split()
)


def first_paragraph(doc):
    """What a doc comment says before it lists parameters, examples and the like."""
    kept = []
    for line in doc.splitlines():
        line = line.strip()
        if re.match(r"(@\w+|:\w+|\\\w+ |#+ |```|-{3,}|={3,}|>>>|[*-] |Args?:|Arguments|Returns?:|Parameters?|Examples?|Usage|Notes?:|Raises|Throws|Yields|\|)", line) and kept:
            break
        kept.append(re.sub(r"^(@(brief|summary|description|desc)|\\brief)\s*", "", line))
        if sum(map(len, kept)) > 320:
            break
    return " ".join(kept)


def plain(text):
    """Markup off, words kept."""
    text = re.sub(r"\{@\w+ ([^}]*)\}", r"\1", text)
    text = re.sub(r"<see\w* (?:cref|langword|href)=\"(?:\w:)?([^\"]*)\"\s*/?>", r"\1", text)
    text = re.sub(r"</?[a-zA-Z][^>]*>", " ", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r":\w+:`~?([^`<]*)(?:<[^>]*>)?`", r"\1", text)
    text = re.sub(r"\\(?:ref|a|c|p|brief|b|e|em)\b\s*", "", text)
    text = text.replace("``", "`")
    return re.sub(r"\s+", " ", text).strip(" *-\t")


def question_of(doc):
    """The question a doc comment answers, or why it makes none."""
    said = plain(first_paragraph(doc))
    cut = re.match(r"(.{40,260}?[.!?])\s+[A-Z]", said)
    said = cut[1] if cut else said[:300]
    if BOILERPLATE.search(said):
        return None, "boilerplate"
    letters = sum(c.isascii() and c.isalpha() for c in said)
    spoken = re.findall(r"[a-z]+", said.lower())
    if len(spoken) < 3 or letters < 0.6 * len(said):
        return None, "too short"
    if len(spoken) > 5 and not COMMON.intersection(spoken):
        return None, "not English"
    return said, None


VERBS = {"returns": "return", "creates": "create", "gets": "get", "sets": "set", "parses": "parse"}


def asked(said, draw):
    """The same as a person would ask it, now and then."""
    first, _, rest = said.rstrip(".!").partition(" ")
    verb = first.lower()
    base = VERBS.get(verb) or (verb[:-1] if re.fullmatch(r"[a-z]{3,}[^s]s", verb) else None)
    if re.fullmatch(r"[a-z]{3,}(sses|shes|ches|xes|zes)", verb):
        base = verb[:-2]
    if re.fullmatch(r"[a-z]{2,}ies", verb):
        base = verb[:-3] + "y"
    if not base or not rest or draw.random() > 0.35:
        return said
    rest = re.sub(r"^(the|a|an) ", "", rest) if draw.random() < 0.3 else rest
    return draw.choice(
        [f"where do we {base} {rest}", f"how does it {base} {rest}?", f"{base} {rest}", f"where is the code to {base} {rest}?",
         f"how to {base} {rest}", f"function to {base} {rest}", f"which part {verb} {rest}"]
    )  # fmt: skip


def header(path, scope):
    """What stands above a chunk when it is indexed: its path as words, and the names around it."""
    folder, _, name = path.rpartition("/")
    stem = next((part for part in name.split(".") if part), name)
    parts = [p for p in [*folder.split("/"), stem] if p and sum(c.isdigit() for c in p) * 2 < len(p)]
    return " ".join(parts) + "\n" + (scope + "\n" if scope else "")


def spoken(name):
    """An identifier as words."""
    return re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name.replace("_", " ")).lower().strip()


def of_package(program, folder):
    """What the program says of a package, as candidate pairs."""
    ran = subprocess.run([program, "eval", "pairs", folder], capture_output=True, text=True, errors="replace")
    rows = [json.loads(line) for line in ran.stdout.split("\n") if line]
    draw, counts, pairs = random.Random(str(folder)), collections.Counter(), []
    documented = {}

    def add(kind, row, question, code):
        pairs.append(
            {"kind": kind, "language": row["language"], "question": question[:400],
             "header": header(row["path"], row["scope"]), "code": code[:MOST_CODE]}
        )  # fmt: skip

    for row in rows:
        code = row["code"].strip("\n")
        if row["kind"] == "section":
            body = plain(code)
            if len(body.split()) >= 25 and 2 <= len(row["doc"].split()) <= 25 and not BOILERPLATE.search(row["doc"]):
                add("section", row, row["doc"], code)
            continue
        if not row["doc"]:
            continue
        question, reason = question_of(row["doc"])
        if len(code) < 40 or (code.count("\n") < 2 and row["language"] in ("python", "c", "go", "java")):
            reason = reason or "too little code"
        counts[reason] += 1
        if reason:
            continue
        documented.setdefault(row["name"].lower().replace("_", ""), row)
        add("type" if row["kind"] in ("class", "struct", "enum", "interface", "trait", "type", "union") else "function", row, asked(question, draw), code)
    for row in rows:
        if row["doc"] or row["kind"] == "section":
            continue
        words = spoken(row["name"]).removeprefix("test ").strip()
        target = documented.get(words.replace(" ", ""))
        if target and target["path"] != row["path"] and len(words) > 5:
            body = re.sub(r"\s+", " ", row["code"])[:200]
            add("test", target, f"{words}: {body}", target["code"])
    draw.shuffle(pairs)
    pairs = pairs[:MOST_OF_PACKAGE]
    few = 5 + len(pairs) // 12
    for kind, found in (("call", called(rows)), ("beside", beside(rows))):
        for question, target in draw.sample(found, min(few, len(found))):
            add(kind, target, question, target["code"].strip("\n"))
    return pairs, counts


CALL = re.compile(r"\b(\w{6,})\s*\(")
LONG = 200
"""Characters of code worth asking about, and worth finding."""


def callable_rows(rows):
    return [r for r in rows if r["kind"] in ("function", "method") and len(r["code"]) > LONG]


def called(rows):
    """Code that ends where it is about to call something, and what that is, if one thing has the name."""
    rows = callable_rows(rows)
    names = collections.Counter(r["name"] for r in rows)
    known = {r["name"]: r for r in rows if names[r["name"]] == 1}
    found = []
    for row in rows:
        calls = [c for c in CALL.finditer(row["code"]) if c[1] in known and known[c[1]] is not row and c.start() > LONG // 2]
        found += [(row["code"][max(0, c.end() - 2 * LONG) : c.end()], known[c[1]]) for c in calls[:1]]
    return found


def beside(rows):
    """Code, and what stands next to it in its file."""
    rows = callable_rows(rows)
    near = zip(rows, rows[1:], strict=False)
    return [(one["code"][-2 * LONG :], other) for one, other in near if one["path"] == other["path"]]


BANDS, ROWS = 6, 3


def signature(code):
    """MinHash over runs of five words, in bands: texts that share a band are nearly the same."""
    ids = numpy.array([held_out.hash_of(w) for w in re.findall(r"\w+", code)], numpy.uint64)
    if len(ids) < 5:
        return (hash(ids.tobytes()),)
    count = len(ids) - 4
    mixed = ids[:count]
    for step in range(1, 5):
        mixed = mixed * numpy.uint64(0x9E3779B97F4A7C15) + ids[step : step + count]
    least = (mixed[None, :] * FACTORS).min(axis=1)
    return tuple(hash((band, least[band * ROWS : (band + 1) * ROWS].tobytes())) for band in range(BANDS))


FACTORS = numpy.random.default_rng(3).integers(1, 2**61, (BANDS * ROWS, 1), numpy.uint64) | numpy.uint64(1)

HELD = None
"""What is held out; set before the processes that read packages are started."""


def judged(pairs):
    """The pairs that are not held out, each with its signature, and how many were."""
    leaks = HELD.leaks([f"{p['question']}\n{p['code']}" for p in pairs], [p["code"] for p in pairs])
    return [(p, signature(p["code"])) for p, leak in zip(pairs, leaks, strict=True) if not leak], int(leaks.sum())


def read_package(work, program, package):
    pairs, counts = of_package(program, work / "sources" / package["registry"] / package["folder"])
    kept, counts["held out"] = judged(pairs)
    name = f"{package['registry']}:{package['name']}@{package['version']}"
    return [({**p, "package": name, "licence": package["licence"]}, s) for p, s in kept], counts


def read_more(path):
    """Pairs made elsewhere: JSON lines (lang, pkg, doc, code), 5,000 at a time."""
    part = []
    for line in gzip.open(path, "rt"):
        row = json.loads(line)
        part.append(
            {"kind": "function", "language": row["lang"], "question": plain(row["doc"])[:400], "header": "",
             "code": row["code"][:MOST_CODE], "package": row["pkg"], "licence": None}
        )  # fmt: skip
        if len(part) == 5000:
            yield part
            part = []
    yield part


def runs_of(folder):
    return held_out.sampled_runs(held_out.files(folder))


def bare(package):
    """The name of a package wherever it comes from and whatever its version."""
    name = package.lower().split("/")[-1].partition("@")[0].rpartition(":")[2]
    return re.sub(r"^(rust|node|ruby|python3?|php|golang|haskell|lib)-|-(java|dev|cpp)$|[\d.]+$", "", name) or name


class Apart:
    """Which pairs are kept apart: by their package, so that all its versions are on one side."""

    def __init__(self, folder):
        self.before = {path.stem: [json.loads(line) for line in path.open()] for path in sorted(folder.glob("*.jsonl"))}
        self.names = {bare(row["package"]) for rows in self.before.values() for row in rows}

    def is_known(self, row):
        """Of a package that was measured with before: in no language may it be trained on."""
        return bare(row["package"]) in self.names

    def is_measured(self, row):
        language = row["language"]
        drawn = int(hashlib.sha1(bare(row["package"]).encode()).hexdigest(), 16)
        return language in THIN and language not in self.before and drawn % MEASURED[language] == 0


def manner(row):
    """How a pair asks: in words, or by code that leads to it."""
    return row["kind"] if row["kind"] in ("test", "call", "beside") else "words"


class Sieve:
    """Lets through what was not said or written before."""

    def __init__(self):
        self.questions, self.bands, self.counts = collections.Counter(), set(), collections.Counter()

    def knows(self, rows):
        """Copies of these do not pass."""
        for row in rows:
            for how in ("words", "test", "call", "beside"):
                self.bands.update((how, band) for band in signature(row["code"]))

    def passes(self, row, bands):
        self.questions[row["question"].lower()] += 1
        if self.questions[row["question"].lower()] > 3:
            self.counts["said before"] += 1
            return False
        # The same code may be what a test, a call and its own documentation lead to.
        bands = {(manner(row), band) for band in bands}
        if not self.bands.isdisjoint(bands):
            self.counts["near copy"] += 1
            return False
        self.bands.update(bands)
        return True


def main():
    global HELD
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("work", type=pathlib.Path)
    arguments.add_argument("bench", type=pathlib.Path)
    arguments.add_argument("program", help="the wherein binary")
    arguments.add_argument("--trees", type=pathlib.Path, nargs="*", default=[], help="trees that the evaluations search")
    arguments.add_argument("--more", type=pathlib.Path, nargs="*", default=[], help="pairs made elsewhere")
    asked = arguments.parse_args()
    packages = [json.loads(line) for line in (asked.work / "packages.jsonl").open()]
    packages = sorted((p for p in packages if not p.get("left_out")), key=lambda p: (p["registry"], p["name"]))
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        texts = [*held_out.questions(asked.bench), *held_out.corpora(asked.bench)]
        found = [held_out.sampled_runs(texts), *pool.map(runs_of, asked.trees)]
    HELD = held_out.HeldOut.read(asked.bench).with_runs(numpy.concatenate(found))
    print(len(HELD.runs), "runs of words held out", flush=True)
    totals, sieve, measured = collections.Counter(), Sieve(), collections.defaultdict(list)
    apart = Apart(asked.work / "held")
    for rows in apart.before.values():
        sieve.knows(rows)
    with concurrent.futures.ProcessPoolExecutor(2) as pool, (asked.work / "pairs.jsonl").open("w") as out:

        def take(rows):
            for row, bands in rows:
                if apart.is_known(row):
                    totals["kept apart before"] += 1
                elif not sieve.passes(row, bands):
                    continue
                elif apart.is_measured(row):
                    measured[row["language"]].append(row)
                else:
                    out.write(json.dumps(row) + "\n")
                    totals[f"kept {row['kind']} {row['language']}"] += 1

        for rows, counts in pool.map(functools.partial(read_package, asked.work, asked.program), packages, chunksize=16):
            totals.update(counts)
            take(rows)
            totals["packages"] += 1
            if totals["packages"] % 500 == 0:
                print(totals["packages"], len(packages), sum(v for k, v in totals.items() if str(k).startswith("kept")), flush=True)
        for path in asked.more:
            for rows, leaks in pool.map(judged, read_more(path)):
                totals["held out"] += leaks
                take(rows)
            print(path.name, sum(v for k, v in totals.items() if str(k).startswith("kept")), flush=True)
    totals.update(sieve.counts)
    (asked.work / "held").mkdir(exist_ok=True)
    for language, kept in measured.items():
        with (asked.work / "held" / f"{language}.jsonl").open("w") as out:
            out.writelines(json.dumps(row) + "\n" for row in kept)
        totals[f"measured {language}"] = len(kept)
    for key, count in sorted(totals.items(), key=str):
        print(count, key)


if __name__ == "__main__":
    main()
