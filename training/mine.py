"""Makes questions that the benchmarks lack from trees of source: `mine.py OUT TREE...`

In: folders of source. Out: for each tree OUT/mined-messages--NAME.csv, OUT/mined-docs--NAME.csv and
OUT/absent--NAME.csv in the form that `wherein eval spans` reads, `query,path:start-end:grade`. A message is a text that the program prints,
its pieces joined, its gaps filled with numbers and names, and a log's preamble or what is raised put before it, to be led
back to the line that prints it. A docs question is a heading of a document, asked as somebody would who wants to get
something done. What is absent comes from absent.csv: questions about things of which no word stands in the
tree. All are drawn by a fixed seed.
"""

import csv
import random
import re
import sys
from pathlib import Path

MOST_MESSAGES = 40
MOST_DOCS = 25
MOST_ABSENT = 14
CODE = {".py", ".rs", ".go", ".ts", ".js", ".java", ".rb", ".php", ".c", ".cc", ".cpp", ".h", ".cs",
        ".kt", ".swift", ".scala", ".ex", ".lua", ".hs", ".zig"}
DOCS = {".md", ".rst", ".txt", ".adoc"}
ASIDE = re.compile(r"(^|/)(tests?|spec|examples?|fixtures|vendor|node_modules|third_party|locale)(/|$)|test")
STRING = re.compile(r'"((?:[^"\\\n]|\\.)+)"')
# In these a text may stand in other marks too.
QUOTED = re.compile(r"\"((?:[^\"\\\n]|\\.)+)\"|(?<!\w)'((?:[^'\\\n]|\\.)+)'|`((?:[^`\\\n]|\\.)+)`")
MANY_MARKS = {".py", ".ts", ".js", ".rb", ".php", ".lua"}
LENGTH = range(18, 200)
# What begins otherwise is the rest of a text.
BEGINS = re.compile(r"[A-Z0-9'\"{%$[<`#]|[a-z]+[ _]")
RAISED = re.compile(r"\b(?:raise|throw(?:\s+new)?)\s*\(?\s*([A-Z][\w.:\\]*)")
GAP = re.compile(r"\{[^{}]{0,30}\}|%[-0-9.]*[sdvqrxwfi]|\$\{[^{}]{0,40}\}|#\{[^{}]{0,40}\}")
LOUD = re.compile(r"rais|throw|error|warn|log|panic|fatal|fail|bail|expect|print|abort|assert", re.I)
PREAMBLES = ["", "", "Error: ", "ERROR ", "WARN {module}: ", "[2024-03-02 11:20:14] WARNING {module} - ",
             "2024-06-03T08:15:42Z ERROR {module} ", "{module}: ", "fatal: "]
VALUES = ["42", "17", "0x7f3a", "user-1138", "/var/lib/app/data", "3.5", "orders", "None", "eu-west",
          "a1b2c3", "10.0.0.7", "main", "1024"]

VERBS = set("add use set configure create install run view enable disable write build customize upgrade "
            "migrate combine change remove define deploy test debug check choose get start make".split())


def main():
    out, *trees = sys.argv[1:]
    Path(out).mkdir(parents=True, exist_ok=True)
    for tree in map(Path, trees):
        name, dice = "-".join(tree.parts[-2:]), random.Random(tree.name)
        made = [("mined-messages", messages, MOST_MESSAGES), ("mined-docs", docs, MOST_DOCS), ("absent", absent, MOST_ABSENT)]
        for kind, make, most in made:
            write(Path(out) / f"{kind}--{name}.csv", sample(make(tree, dice), most, dice))


def files(tree, endings):
    for path in sorted(tree.rglob("*")):
        name = path.relative_to(tree).as_posix()
        if path.suffix in endings and path.is_file() and path.stat().st_size < 300_000:
            try:
                yield name, path.read_text(encoding="utf-8").splitlines()
            except UnicodeDecodeError:
                continue


def messages(tree, dice):
    for name, lines in files(tree, CODE):
        if ASIDE.search(name.lower()):
            continue
        for number in range(1, len(lines) + 1):
            near = " ".join(lines[max(0, number - 3):number])
            for text in texts(lines[number - 1:number + 2], Path(name).suffix):
                words = re.findall(r"[A-Za-z]{2,}", GAP.sub(" ", text))
                is_sentence = len(words) >= 4 and text.count(" ") >= 3 and BEGINS.match(text)
                if is_sentence and len(text) in LENGTH and LOUD.search(near) and "\\" not in text:
                    raised = RAISED.search(near)
                    yield said(text, Path(name).stem, raised and raised[1], dice), f"{name}:{number}-{number}:2"


def texts(lines, ending):
    """The texts of the first line; the last of them goes on where the lines behind it begin with a text."""
    marks = QUOTED if ending in MANY_MARKS else STRING
    found = ["".join(groups) if isinstance(groups, tuple) else groups for groups in marks.findall(lines[0])]
    for line in lines[1:]:
        more = marks.match(line.lstrip(" \t+.|"))
        if not found or not more:
            break
        found[-1] += next(filter(None, more.groups()))
    return [text.replace('\\"', '"').replace("\\'", "'") for text in found]


def said(text, module, raised, dice):
    """A message as it would stand in a log, or as a program ends that nobody caught it in."""
    filled = GAP.sub(lambda _: dice.choice(VALUES), text)
    if raised and dice.random() < 0.5:
        return dice.choice(["{}: {}", "Uncaught {}: {}", "{}: {}"]).format(raised, filled)
    return dice.choice(PREAMBLES).format(module=module) + filled


def docs(tree, dice):
    for name, lines in files(tree, DOCS):
        if ASIDE.search(name.lower()) or "changelog" in name.lower() or "release" in name.lower():
            continue
        heads = [n for n, line in enumerate(lines) if re.match(r"#{1,4} \S", line)]
        for head, end in zip(heads, heads[1:] + [len(lines)]):
            title = re.sub(r"[`*_]|\[|\]\(.*?\)|\{.*?\}|<.*?>", "", lines[head].lstrip("# ")).strip()
            if 2 <= len(title.split()) <= 9 and title.isascii() and end - head >= 4:
                yield asked(title, dice), f"{name}:{head + 1}-{min(end, head + 25)}:2"


def asked(title, dice):
    """A heading as somebody would ask for what it describes."""
    title = title[0].lower() + title[1:] if title[1:2].islower() else title
    first = title.split()[0].lower()
    if first in VERBS:
        forms = ["how do I {}", "how to {}", "{}", "can I {}?"]
    elif first.endswith("ing"):
        forms = ["{}", "what is the way of {}", "what do I need for {}"]
    else:
        forms = ["{}", "how does {} work", "what is meant by {}", "explain {}", "guide to {}"]
    return dice.choice(forms).format(title)


def absent(tree, _):
    """Questions of absent.csv none of whose key words stands anywhere in the tree."""
    text = "\n".join(name + "\n" + "\n".join(lines) for name, lines in files(tree, CODE | DOCS))
    with (Path(__file__).parent / "absent.csv").open(newline="") as listed:
        for row in csv.DictReader(listed):
            if not re.search(row["keywords"], text, re.IGNORECASE):
                yield row["query"], "no/such/file:1-1:2"


def sample(made, most, dice):
    made = list(dict(reversed(list(made))).items())
    return sorted(dice.sample(made, min(most, len(made))))


def write(path, made):
    if made:
        with path.open("w", newline="") as out:
            csv.writer(out).writerows([("query", "result1", "result2", "result3"), *((q, r, "", "") for q, r in made)])


if __name__ == "__main__":
    main()
