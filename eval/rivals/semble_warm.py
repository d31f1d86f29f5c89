"""Asks semble inside one process, as its agents' server does, and prints the seconds of each answer.

    semble_warm.py TREE TIMES QUESTION…

Runs in semble's own Python environment; the index is opened once and every question asked once before
the clock runs.
"""

import json
import sys
import time

from semble import SembleIndex


def main():
    tree, times, questions = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    index = SembleIndex.from_path(tree)
    seconds = []
    for _ in range(times + 1):
        for question in questions:
            started = time.perf_counter()
            index.search(question, top_k=10)
            seconds.append(time.perf_counter() - started)
    print(json.dumps(seconds[len(questions) :]))


if __name__ == "__main__":
    main()
