"""Planted leaks are found, and what is merely alike is not."""

import gzip
import json
import pathlib
import random
import tempfile
import unittest

import held_out
import pack_trees
import pairs

FUNCTION = """def merge_intervals(intervals):
    ordered = sorted(intervals, key=lambda pair: pair[0])
    merged = [ordered[0]]
    for start, end in ordered[1:]:
        if start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
"""
OTHER = """def area(shapes):
    total = 0
    for shape in shapes:
        total += shape.width * shape.height
    return total
"""


def bench(folder):
    """Evaluation data as it is laid out, with one repository, one package, one function and one question."""
    (folder / "csn/python").mkdir(parents=True)
    (folder / "semble").mkdir()
    (folder / "semble/repos.json").write_text(json.dumps([{"name": "flask", "slug": "pallets/flask"}]))
    with gzip.open(folder / "csn/excluded-packages.txt.gz", "wt") as out:
        out.write("# held out\nsomebody/interval-tools\nfreshpkg\n")
    with gzip.open(folder / "csn/excluded-code-hashes.txt.gz", "wt") as out:
        out.write(f"{held_out.code_hash(OTHER)[0]} set\n")
    with gzip.open(folder / "csn/python/corpus.jsonl.gz", "wt") as out:
        out.write(json.dumps({"id": "1", "code": FUNCTION}) + "\n")
    question = "merge all overlapping intervals of a list into as few as possible and give them back sorted by start"
    (folder / "csn/python/queries.jsonl").write_text(json.dumps({"id": "q", "query": question}) + "\n")
    return question


class Leaks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(self.folder.name)
        self.question = bench(path)
        texts = [*held_out.questions(path), *held_out.corpora(path)]
        self.held = held_out.HeldOut.read(path).with_runs(held_out.sampled_runs(texts))

    def tearDown(self):
        self.folder.cleanup()

    def check(self, question, code, leaks):
        found = self.held.leaks([f"{question}\n{code}"], [code])
        self.assertEqual(bool(found[0]), leaks, (question, code))

    def test_code_of_an_evaluation_is_a_leak_however_it_is_dressed(self):
        self.check("Merges intervals.", FUNCTION, True)
        self.check("Merges intervals.", FUNCTION.replace("    ", "\t").upper(), True)
        self.check("Merges intervals.", "class A:\n" + FUNCTION.replace("def merge_intervals", "def other"), True)
        self.check("Sums areas.", "# a comment\n" + OTHER, True)

    def test_a_question_of_an_evaluation_is_a_leak(self):
        self.check(self.question, "def f():\n    return 1\n", True)

    def test_what_is_merely_alike_is_not(self):
        self.check("Merges intervals.", "def merge(a, b):\n    return sorted(a + b)\n", False)
        self.check("Sums areas.", OTHER.replace("width", "breadth"), False)

    def test_packages_and_repositories_are_known_by_name(self):
        for name, held in [
            ("flask", True), ("python-flask", True), ("Flask", True), ("freshpkg", True), ("rust-freshpkg", True),
            ("interval-tools", True), ("interval_tools", True), ("freshpkg2", True), ("flasks", False), ("numbers", False),
        ]:  # fmt: skip
            self.assertEqual(self.held.is_package(name), held, name)
        self.assertTrue(self.held.is_repository("Somebody/Interval-Tools"))
        self.assertFalse(self.held.is_repository("somebody/else"))

    def test_trees_of_an_evaluation_and_passages_that_are_its_are_left_out(self):
        for repository, name, licence, why in [
            ("pallets/flask", "flask", "MIT", "held out"), ("Somebody/interval-tools", "tools", "MIT", "held out"),
            ("else/freshpkg", "freshpkg", "MIT", "held out"), ("somebody/else", "else", "GPL-3.0", "licence"),
            ("somebody/else", "else", "Apache-2.0 OR LGPL-3.0", None),
        ]:  # fmt: skip
            found = pack_trees.why_not({"repository": repository, "name": name, "licence": licence}, self.held)
            self.assertEqual(found, why, repository)
        tree = pathlib.Path(self.folder.name) / "tree"
        tree.mkdir()
        (tree / "a.py").write_text("import os\n\n" + FUNCTION + "\ndef own(path):\n    return os.path.abspath(path)\n")
        length = FUNCTION.count("\n")
        places = [("a.py", 3, 2 + length), ("a.py", 4 + length, 5 + length)]
        passages = [{"path": path, "start_line": start, "end_line": end} for path, start, end in places]
        self.assertEqual(pack_trees.not_held_out(passages, tree, self.held), passages[1:])

    def test_a_large_tree_keeps_what_answers(self):
        passages = [{"path": f"{n // 3}.py", "start_line": n, "end_line": n} for n in range(3 * pack_trees.MOST)]
        kept = pack_trees.not_too_many(passages, {"7.py"}, random.Random(1))
        self.assertLessEqual(len(kept), pack_trees.MOST)
        self.assertEqual([p["start_line"] for p in kept if p["path"] == "7.py"], [21, 22, 23])


class Pairs(unittest.TestCase):
    def test_near_copies_share_a_band_and_others_do_not(self):
        shares = lambda a, b: not set(pairs.signature(a)).isdisjoint(pairs.signature(b))
        longer = FUNCTION * 2
        self.assertTrue(shares(longer, longer.replace("ordered[0]", "ordered[1]", 1)))
        self.assertFalse(shares(FUNCTION, OTHER))

    def test_a_package_measured_with_before_is_never_trained_on(self):
        with tempfile.TemporaryDirectory() as folder:
            row = {"package": "debian:ruby-axiom@0.1-3", "language": "ruby", "code": FUNCTION * 2}
            (pathlib.Path(folder) / "ruby.jsonl").write_text(json.dumps(row) + "\n")
            apart = pairs.Apart(pathlib.Path(folder))
        for package, known in [("debs:ruby-axiom@0.2-1", True), ("npm:@any/axiom@latest", True), ("debian:ruby-axiomatic@1-1", False)]:
            self.assertEqual(apart.is_known({"package": package}), known, package)
        sieve = pairs.Sieve()
        sieve.knows(apart.before["ruby"])
        copy = {"question": "Merges intervals.", "kind": "call", "code": row["code"]}
        self.assertFalse(sieve.passes(copy, pairs.signature(copy["code"])))
        self.assertTrue(sieve.passes({**copy, "code": OTHER}, pairs.signature(OTHER)))

    def test_a_doc_comment_becomes_a_question_or_says_why_not(self):
        for doc, expected in [
            ("Reads a file into memory.\n\n@param path the file", ("Reads a file into memory.", None)),
            ("Gets the {@link Foo} of a <b>bar</b>.", ("Gets the Foo of a bar .", None)),
            ("Copyright 2020 by somebody", (None, "boilerplate")),
            ("TODO", (None, "boilerplate")),
            ("Short.", (None, "too short")),
            ("Liest eine Datei komplett ein und gibt ihren Inhalt wieder", (None, "not English")),
        ]:
            self.assertEqual(pairs.question_of(doc), expected, doc)


if __name__ == "__main__":
    unittest.main()
