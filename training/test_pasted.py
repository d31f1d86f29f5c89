"""What is asked to be found stands where it is said to, and a piece that was cut stands nowhere."""

import json
import pathlib
import tempfile
import unittest
from unittest import mock

import pasted

STORE = "\n".join(
    f"def write_record_{n}(store, key):\n    entry = store.find(key, {n})\n    entry.value += {n}\n    return entry\n" for n in range(30)
)
CALLER = '''import store


def main(path):
    opened = store.open(path)
    found = write_record_7(
        opened,
        path.name,
    )
    print(found)
'''


class Pasted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree, self.out = pathlib.Path(folder.name) / "tree", pathlib.Path(folder.name) / "out"
        self.tree.mkdir()
        (self.tree / "store.py").write_text(STORE)
        (self.tree / "caller.py").write_text(CALLER)
        with mock.patch("sys.argv", ["pasted.py", str(self.out), str(self.tree)]):
            pasted.main()

    def rows(self, kind):
        return [json.loads(line) for line in (self.out / f"{kind}--tree.jsonl").read_text().splitlines()]

    def test_a_piece_is_no_longer_in_the_file_it_is_to_be_led_back_to(self):
        [row] = self.rows("cut")
        self.assertEqual(row["truth"], ["store.py"])
        self.assertIn(row["query"], STORE)
        left = (self.out / "tree/store.py").read_text()
        whole_lines = row["query"].splitlines()[1:-1]
        self.assertFalse([line for line in whole_lines if "write_record" in line and line in left])
        self.assertEqual((self.out / "tree/caller.py").read_text(), CALLER)

    def test_a_call_is_whole_and_leads_to_what_defines_it(self):
        [row] = self.rows("calls")
        self.assertEqual((row["truth"], row["exclude"]), (["store.py"], "caller.py"))
        self.assertEqual(row["query"].splitlines()[0], "    found = write_record_7(")
        self.assertEqual(row["query"].splitlines()[-1], "    )")


if __name__ == "__main__":
    unittest.main()
