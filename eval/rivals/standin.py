"""Writes a static embedding model of the usual size with random numbers: to measure cost, not quality.

    standin.py FOLDER

Runs in semble's own Python environment. The tokenizer is a WordPiece one over pieces of words, so that
texts are cut into about as many tokens as by a real one.
"""

import itertools
import string
import sys

import numpy
from model2vec import StaticModel
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

WORDS, NUMBERS = 62_500, 256


def pieces():
    """Letters first, then runs of two and more of them, at the start of a word and inside it."""
    letters = string.ascii_lowercase + string.digits + string.punctuation
    yield from ["[PAD]", "[UNK]"]
    for length in (1, 2, 3, 4):
        alphabet = letters if length == 1 else string.ascii_lowercase + "_"
        for run in itertools.product(alphabet, repeat=length):
            yield "".join(run)
            yield "##" + "".join(run)


def main():
    vocabulary = {piece: n for n, piece in enumerate(itertools.islice(pieces(), WORDS))}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    vectors = numpy.random.default_rng(1).standard_normal((len(vocabulary), NUMBERS)).astype("float32")
    StaticModel(vectors=vectors, tokenizer=tokenizer).save_pretrained(sys.argv[1])


if __name__ == "__main__":
    main()
