"""From pairs to a vocabulary for code.

Whole words that code uses often take the places of tokens that it never uses, so a passage takes fewer
tokens and the model stays as large as it was.

In: files of pairs as pack.py writes them, and a tokenizer to start from. Out: a tokenizer.
"""

import argparse
import collections
import json
import lzma
import pathlib

from tokenizers import Tokenizer

from texts import split

SAMPLE = 7
"""One pair in so many is counted."""


def counted(paths):
    words = collections.Counter()
    for path in paths:
        for number, line in enumerate(lzma.open(path, "rt")):
            if number % SAMPLE == 0:
                row = json.loads(line)
                text = split(f"{row['q']} {row['h']} {row['c']}").lower()
                words.update("".join(c if c.isalnum() else " " for c in text).split())
    return words


def with_words(described, words, most):
    """The description of a tokenizer in which up to `most` words have a token of their own."""
    pieces = Tokenizer.from_str(json.dumps({**described, "padding": None, "truncation": None}))
    used, wanted = collections.Counter(), []
    for word, count in words.most_common():
        ids = pieces.encode(word, add_special_tokens=False).ids
        used.update(dict.fromkeys(ids, count))
        if len(ids) > 1 and 3 <= len(word) <= 20 and word.isascii() and word.isalpha() and len(wanted) < most:
            wanted.append(word)
    vocabulary = described["model"]["vocab"]
    kept = {token["id"] for token in described["added_tokens"]} | set(used)
    # A single character must stay: it is what unknown words are made of.
    free = [(token, place) for token, place in vocabulary.items() if place not in kept and len(token.removeprefix("##")) > 1]
    for word, (token, place) in zip(wanted, free, strict=False):
        del vocabulary[token]
        vocabulary[word] = place
    print(min(len(wanted), len(free)), "words have a token of their own; places that were free:", len(free))
    described["model"]["vocab"] = dict(sorted(vocabulary.items(), key=lambda item: item[1]))
    return described


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("tokenizer", type=pathlib.Path)
    arguments.add_argument("out", type=pathlib.Path)
    arguments.add_argument("pairs", type=pathlib.Path, nargs="+")
    arguments.add_argument("--most", type=int, default=4000)
    asked = arguments.parse_args()
    described = with_words(json.loads(asked.tokenizer.read_text()), counted(asked.pairs), asked.most)
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_text(json.dumps(described))


if __name__ == "__main__":
    main()
