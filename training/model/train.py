"""From pairs to weights, on one accelerator: a large encoder, then smaller ones that make its vectors.

In: a folder with `pairs*.jsonl.xz` (language, question, header, code), `measure/NAME/{corpus,queries}.jsonl.xz`,
the weights to start from (`start/`: config.json, tokenizer.json, model.safetensors; `start-quick/`, if there is one,
for passages) and, if there is one, a larger model to be taught by (`teacher/`, see teacher.py). Out: a folder a model
with the same three files, and `log.txt` with every figure. Stages are timed; the whole takes under 25 minutes on one
H200.
"""

import argparse
import collections
import pathlib

import torch
from tokenizers import Tokenizer

import progress
import teacher
from encoder import between, layers_of, load, load_layers, save, shallower, vectors
from learning import Example, distil, follow, mistaken, train
from measure import Measure, late, measure, of_fewer_bits, quantised, together
from progress import now, say
from texts import Pairs, read_data


def adopt(model, before, after):
    """Gives each token that is new in a vocabulary the mean of the vectors of the pieces it was made of."""
    old = Tokenizer.from_file(str(before))
    old.no_truncation()
    old.no_padding()
    known, added = old.get_vocab(), 0
    with torch.no_grad():
        weights = model.words.weight.clone()
        for token, place in Tokenizer.from_file(str(after)).get_vocab().items():
            if known.get(token) != place:
                ids = old.encode(token, add_special_tokens=False).ids
                model.words.weight[place] = weights[ids].mean(0)
                added += 1
    say("vocabulary:", added, "words of code in the places of tokens that code does not use")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("data", type=pathlib.Path)
    arguments.add_argument("out", type=pathlib.Path)
    arguments.add_argument("--until", type=float, default=1300, help="seconds after which no stage goes on")
    arguments.add_argument("--batch", type=int, default=4096)
    arguments.add_argument("--epochs", type=float, default=3)
    arguments.add_argument("--rate", type=float, default=2e-4)
    arguments.add_argument("--teacher-batch", type=int, default=2048)
    arguments.add_argument("--teacher-rate", type=float, default=8e-5)
    arguments.add_argument("--example", type=int, default=10**9, help="most pairs of which a teacher makes vectors")
    arguments.add_argument("--share", type=float, default=0.53, help="of the time after which the first training is over")
    arguments.add_argument("--rounds", type=int, default=0, help="rounds of training against mined mistakes")
    arguments.add_argument("--all", action="store_true", help="also what does not ship: curves, two layers, none")
    asked = arguments.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    progress.begin(asked.out / "log.txt")
    torch.manual_seed(1)
    torch.set_float32_matmul_precision("high")
    start, words = asked.data / "start", asked.data / "words/tokenizer.json"
    sets, shards = read_data(asked.data, words)
    tokenizer = Tokenizer.from_file(str(words))
    measures = [Measure(read, tokenizer) for read in sets]
    pairs = Pairs(shards, tokenizer)
    del shards
    texts = pairs.texts
    say("pairs", texts.count, collections.Counter(pairs.languages).most_common())
    say("tokens a passage", float(texts.raw.lengths.float().mean()), "telling in the rest", float(texts.rest.lengths.float().mean()), "question", float(texts.questions.lengths.float().mean()))
    model, config = load(start)
    adopt(model, start / "tokenizer.json", words)
    Stages(asked, model, config, tokenizer, pairs, measures).run()


STUDENTS = {
    False: ((4, [0, 2, 3, 5], 1.0),),
    True: ((3, [0, 2, 5], 0.40), (4, [0, 2, 3, 5], 0.65), (2, [0, 5], 0.78)),
}
"""Encoders for passages: how many layers, which of the large model's they begin as, and by what share of the time
that is left each is done; without and with those that do not ship."""


class Stages:
    """The whole way, each stage within its share of the time."""

    def __init__(self, asked, model, config, tokenizer, pairs, measures):
        self.asked, self.model, self.config, self.tokenizer = asked, model, config, tokenizer
        self.pairs, self.measures = pairs, measures
        self.few = [m for m in measures if m.name in ("python-valid", "java", "rust", "own-typescript")] or measures
        self.until, self.hard, self.example = asked.until, None, None

    def run(self):
        measure("before training", self.measures, self.model)
        start = shallower(self.model, self.config, range(len(self.model.layers)))
        if (self.asked.data / "teacher").exists():
            self.taught()
        else:
            self.alone()
        self.settle(start)
        save(self.model, self.config, self.tokenizer, self.asked.out / "large")
        self.students()
        if self.asked.all:
            self.curves()
            late(self.few[:2], self.model)
        say("done")

    def taught(self):
        """A larger model learns from the pairs, unless it has, and the model from it."""
        asked, folder = self.asked, self.asked.data / "teacher"
        large, is_trained = teacher.load(folder, self.config["hidden_size"])
        if not is_trained:
            large.look_along(self.pairs.texts)
            measure("teacher, before training", self.measures, large)
            train(large, self.pairs, asked.epochs, asked.teacher_rate, asked.teacher_batch, 2, self.until * asked.share, "teacher")
            teacher.save(large, folder, asked.out / "teacher")
        measure("teacher", self.measures, large)
        self.example = Example(large, self.pairs, asked.example)
        say("example made")
        together(self.measures, (large, self.model), self.example.join(self.model))
        del large
        torch.cuda.empty_cache()
        until = now() + (self.until - now()) * 0.65
        follow(self.model, self.example, self.pairs, 20, asked.rate, asked.batch, 1, until, "large")

    def alone(self):
        asked = self.asked
        train(self.model, self.pairs, asked.epochs, asked.rate, asked.batch, 1, self.until * asked.share, "large")
        measure("large, first round", self.measures, self.model)
        for turn in range(asked.rounds):
            self.hard = mistaken(self.model, self.pairs)
            until = self.until * (asked.share + 0.16 * (turn + 1) / asked.rounds)
            train(self.model, self.pairs, 1, 6e-5 / (turn + 1), asked.batch // 2, 10 + turn, until, f"large, mined {turn + 1}", self.hard)
            measure(f"large, mined {turn + 1}", self.measures, self.model)

    def settle(self, start):
        """On the way from where training began to where it ended lies a better model than at either end."""
        mean = lambda share, model: sum(measure(f"large, {share} of the way", self.measures, model).values())
        ways = {share: between(start, self.model, self.config, share) for share in (0.5, 0.75, 1.0)}
        best = max(ways, key=lambda share: mean(share, ways[share]))
        say("the way taken", best)
        self.model = ways[best]

    def curves(self):
        for rule, lengths in (("raw", (48, 64, 96, 128)), ("told", (96, 112, 128))):
            for most in lengths:
                measure("large", self.few, self.model, rule=rule, most=most)
        measure("large, weights of bytes", self.few, quantised(self.model, self.config))
        of_fewer_bits(self.few, self.model, self.model)

    def students(self):
        model, texts = self.model, self.pairs.texts
        model.eval()
        example = self.example or Example(model, self.pairs, texts.count)
        questions = vectors(model, texts.count, texts.question).bfloat16()
        say("questions made")
        began = now()
        left = self.until - began
        common = (questions, example, self.pairs)
        for layers, which, share in STUDENTS[self.asked.all]:
            student = self.student(layers, which)
            distil(student, *common, 12, 3e-4, self.asked.batch, 20 + layers, began + left * share, f"{layers} layers")
            save(student, self.config, self.tokenizer, self.asked.out / f"layers{layers}", layers_only=True)
            self.look(layers, student)
        if self.asked.all:
            self.static(common, began + left * 0.81)

    def student(self, layers, which):
        student = shallower(self.model, self.config, which)
        before = self.asked.data / "start-quick"
        if before.exists() and layers_of(before) == layers:
            load_layers(student, before)
        return student

    def static(self, common, until):
        """Vectors of words alone, added up."""
        model = self.model
        static = shallower(model, self.config, [])
        distil(static, *common, 1, 3e-3, self.asked.batch, 40, until, "no layers")
        measure("no layers, questions by the large one", self.few, model, static)
        measure("no layers, questions too", self.few, static)

    def look(self, layers, student):
        label = f"{layers} layers, questions by the large one"
        measure(label, self.measures, self.model, student)
        for rule, most in (("raw", 128), ("raw", 96), ("raw", 64), ("told", 128), ("told", 112), ("told", 96)):
            measure(label, self.few, self.model, student, rule, most)
        measure(f"{layers} layers, questions too", self.few, student)


if __name__ == "__main__":
    main()
