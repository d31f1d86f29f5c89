"""Trains the rankers and what says how sure they are: `ranker.py OUT SAMPLES.csv...`

In: what `wherein eval PROTOCOL ... --samples FILE.csv` writes, a row a candidate: question, group,
tree, right, path, start, then the features by name. Files SET--NAME.csv make one set; the set `absent`
holds questions about things that are not in the tree. Out: boosted trees in the text form that
`crates/engine/src/search/rerank/written.rs` reads, OUT/asked.txt and OUT/pasted.txt, which put files into order for
questions and for what is pasted, OUT/asked-chunks.txt and OUT/pasted-chunks.txt, which order the chunks of a file, and
OUT/confidence.txt, and on standard output how well they do on trees they were not trained on. A ranker
corrects the fused score, so that a question unlike those seen in training keeps the order it came with.

Needs lightgbm, numpy and pandas.
"""

import os
import sys
from pathlib import Path

import lightgbm
import numpy
import pandas

FOLDS = 5
# Repositories are dealt into folds as many times: which of them fall together moves a set's mean by half a point.
DEALS = 3
SETTINGS = {
    "objective": "lambdarank",
    "lambdarank_truncation_level": 12,
    "learning_rate": 0.15,
    "num_leaves": 8,
    # Splits drawn at random are as good on trees left out, and learn half as much by heart.
    "extra_trees": True,
    "min_data_in_leaf": 100,
    "feature_fraction": 0.6,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 10.0,
    "verbose": -1,
    "deterministic": True,
    "num_threads": 2,
}
# With twice as many lessons as before, 250 are better than 150 by .3 points and more on nearly every set of trees left out.
ROUNDS = 250
# How chunks of one file are told apart: fewer lessons, so fewer trees, and splits where they part best.
WITHIN = {**SETTINGS, "extra_trees": False}
ROUNDS_WITHIN = 100
# As many rankers are trained and their mean taken: one alone is better or worse by half a point for no reason.
SEEDS = (1, 2, 3, 4)
# What the fused score is multiplied with before the trees are added; as in weights.rs.
FUSED = 30.0
# What a candidate loses for each better one of its file, but not where what is pasted is from a file; as in weights.rs.
AGAIN = 5.0
FROM_A_FILE = ["question.is_code", "question.is_trace"]
# Sets of pasted code.
PIECES = ("repoeval", "cut", "calls")
# Benchmarks that tell right lines from wrong ones; the others know right files only.
SPANS = ("octocode", "mined", "written-spans", "written-docs")
# What is pasted, by its features; as in rerank/mod.rs.
PASTED = ["question.is_code", "question.is_message", "question.is_trace"]
# More of these never makes a candidate worse, less of those never better: what is learnt from some trees
# then holds for others too. Without it the ranker lost on octocode what it won on semble.
MORE = """lexical lexical.of_best lexical.rank dense dense.rank fused fused.rank in.stem in.folders in.names
in.scope in.signatures in.docs in.any name.exact name.share stem.share file.sum file.rank definitions symbols
paths file.covered file.words file.words_of_best text.line text.run file.defines file.dense file.dense_first
file.dense_mean
most.lexical most.dense most.in.names most.in.scope most.in.signatures most.in.docs most.in.any most.name.exact
most.name.share most.definitions most.symbols most.text.line most.text.run""".split()
LESS = """dense.below_best fused.below_best file.is_test file.is_example file.is_aside file.is_stub
file.is_config chunk.is_test file.is_record""".split()
SURE = {name: value for name, value in SETTINGS.items() if name != "lambdarank_truncation_level"}
SURE |= {"objective": "binary", "extra_trees": False, "learning_rate": 0.05, "feature_fraction": 0.5, "seed": 1}
# What confidence looks at beside the features; as in rerank/mod.rs.
RANKER = ["ranker", "ranker.below_best"]
CONFIDENCE = RANKER + """dense question.best_dense question.usual_dense question.unknown lexical text.line text.run
file.is_docs file.covered in.any name.share name.exact definitions symbols paths in.names question.best_lexical question.is_name
question.is_path question.is_message question.is_trace question.is_code""".split()
# How much a set counts beside the square root of its number of questions: questions that people ask
# more, mined ones that there are so many of less.
IMPORTANCE = {"semble": 1.5, "written": 1.5, "written-spans": 1.2, "written-rubric": 1.2, "octocode-code": 2.0,
              "octocode-docs": 2.0, "swe": 1.5, "codescout": 1.5, "mined-docs": 0.5, "cut": 0.4, "calls": 0.5}
# Messages are pasted; the few that are taken for questions should not tell how questions are answered.
MESSAGES = {"asked": 0.45, "pasted": 0.75}
HEAD = ["question", "group", "tree", "right", "path", "start"]


def main():
    out, *files = sys.argv[1:]
    data = pandas.concat([read(file) for file in files], ignore_index=True)
    features = [name for name in data.columns if name not in HEAD + ["set"]]
    deals = [folds(data["tree"], deal) for deal in range(DEALS)]
    data["fold"] = deals[0]
    data["ranker"] = 0.0
    is_pasted = data[PASTED].max(axis=1) > 0
    for name, part in [("asked", data[~is_pasted]), ("pasted", data[is_pasted])]:
        lessons = Lessons.of(part, {**IMPORTANCE, "mined-messages": MESSAGES[name]})
        worths = pandas.DataFrame(0.0, part.index, ["file", "chunk"])
        for dealt, seeds in zip(deals, numpy.array_split(SEEDS, DEALS)):
            for fold in range(FOLDS):
                held = part[dealt[part.index] == fold]
                if len(held):
                    worths.loc[held.index] += lessons.without(dealt, fold).train(features, seeds).worths(held) / DEALS
        data.loc[part.index, "ranker"] = dealt_within(part, worths)
        print(f"{name}: on trees not trained on")
        report(data.loc[part.index])
        ranker = lessons.train(features, SEEDS)
        print(f"{name}: on trees trained on")
        report(part.assign(ranker=dealt_within(part, ranker.worths(part))))
        write(Path(out) / f"{name}.txt", ranker.files, features, features)
        write(Path(out) / f"{name}-chunks.txt", ranker.chunks, features, features)
    sure = page(data)
    judge_confidence(sure)
    write(Path(out) / "confidence.txt", [train_confidence(sure)], CONFIDENCE, features + RANKER)


def read(file):
    data = pandas.read_csv(file)
    data["set"] = Path(file).stem.split("--")[0]
    data["question"] = data["set"] + "/" + data["tree"] + "/" + data["question"].astype(str)
    return data


class Lessons:
    """What a ranker can learn from: which file is right, and within right files which chunk."""

    def __init__(self, files, chunks):
        self.files, self.chunks = files, chunks

    @classmethod
    def of(cls, data, importance):
        right = data.groupby(["question", "path"])["right"]
        files = data.assign(right=right.transform("max"))
        # The first candidate of a file stands for it.
        files = files[~files.duplicated(["question", "path"])]
        files = files[files.groupby("question")["right"].transform("max") > 0]
        is_told = data["set"].str.startswith(SPANS) & (right.transform("max") > 0) & (right.transform("min") == 0)
        chunks = data[is_told].assign(question=data["question"] + " " + data["path"])
        chunks = chunks.sort_values("question", kind="stable")
        return cls(weighed(files, importance), weighed(chunks, importance))

    def without(self, dealt, fold):
        return Lessons(*(part[dealt[part.index] != fold] for part in (self.files, self.chunks)))

    def train(self, features, seeds):
        files = train(self.files, features, seeds, FUSED * self.files["fused"], SETTINGS, ROUNDS)
        ranker = Ranker(features, files, [])
        start = ranker.worth_of_file(self.chunks)
        # Half as many will do here, and be read in half the time when the program starts.
        return Ranker(features, files, train(self.chunks, features, seeds[::2], start, WITHIN, ROUNDS_WITHIN))


class Ranker:
    def __init__(self, features, files, chunks):
        self.features, self.files, self.chunks = features, files, chunks

    def worth_of_file(self, data):
        return mean(self.files, data[self.features]) + FUSED * data["fused"]

    def worths(self, data):
        return pandas.DataFrame({"file": self.worth_of_file(data), "chunk": mean(self.chunks, data[self.features])})


def mean(models, table):
    return numpy.mean([model.predict(table) for model in models], axis=0)


def dealt_within(data, worths):
    """What each candidate is worth: its file's worths, the most to the chunk that is best within the file."""
    table = pandas.DataFrame({"question": data["question"], "path": data["path"], "file": worths["file"]})
    table["within"] = worths["file"] + worths["chunk"]
    order = lambda by: table.sort_values(["question", "path", by], ascending=[True, True, False], kind="stable")
    return pandas.Series(order("file")["file"].to_numpy(), order("within").index).reindex(data.index)


def weighed(data, importance):
    questions = data.groupby("set")["question"].transform("nunique")
    return data.assign(weight=data["set"].map(importance).fillna(1.0) / questions ** 0.5)


def page(data):
    """The first hits of each question in the ranker's order; pasted code is not a question that may have no
    answer."""
    data = data[~data["set"].str.startswith(PIECES)]
    data = data.sort_values(["question", "ranker"], ascending=[True, False], kind="stable")
    data = data[data.groupby("question").cumcount() < 10].copy()
    data["ranker.below_best"] = data.groupby("question")["ranker"].transform("max") - data["ranker"]
    questions = data.groupby("set")["question"].transform("nunique")
    data["weight"] = 600 / questions.clip(lower=100)
    data.loc[data["set"].str.startswith("absent"), "weight"] *= 3
    return data


def train_confidence(data):
    signs = [(name in MORE + RANKER[:1]) - (name in LESS + RANKER[1:] + ["question.unknown"]) for name in CONFIDENCE]
    table = lightgbm.Dataset(data[CONFIDENCE], data["right"] > 0, weight=data["weight"])
    return lightgbm.train({**SURE, "monotone_constraints": signs}, table, 150)


def judge_confidence(data):
    """A page is as sure as the surest of its first five hits."""
    sure = numpy.zeros(len(data))
    for fold in range(FOLDS):
        held = (data.fold == fold).to_numpy()
        if held.any():
            sure[held] = train_confidence(data[~held]).predict(data.loc[held, CONFIDENCE])
    data = data.assign(sure=sure)
    print("how sure: hits that are right where it says so, on trees not trained on")
    bins = pandas.cut(data["sure"], [0, 0.1, 0.2, 0.4, 0.6, 0.8, 1])
    for span, rows in data.groupby(bins, observed=True):
        print(f"{span}: {len(rows)} hits, said {rows['sure'].mean():.2f}, right {(rows['right'] > 0).mean():.2f}")
    pages = data[data.groupby("question").cumcount() < 5].groupby(["set", "question"])["sure"].max()
    for least in (0.02, 0.03, 0.04, 0.05, 0.1, 0.2):
        lost = (pages < least).groupby("set").mean()
        print(f"below {least}: " + ", ".join(f"{name} {share:.3f}" for name, share in lost.items()))


def folds(trees, deal):
    """Repositories dealt into folds, so that no question is judged by a ranker that has seen its tree, a part of it or
    another version. Trees stand at TREES/SET/REPOSITORY, or at TREES/REPOSITORY."""
    base = os.path.commonpath(list(trees.unique()))
    parts = {tree: os.path.relpath(tree, base).split(os.sep) for tree in trees.unique()}
    names = trees.map({tree: names[min(1, len(names) - 1)] for tree, names in parts.items()})
    dealt = numpy.random.RandomState(deal).permutation(sorted(names.unique()))
    return names.map({name: number % FOLDS for number, name in enumerate(dealt)})


def train(data, features, seeds, start, settings, rounds):
    sizes = data.groupby("question", sort=False).size()
    weights = data["weight"] / data["weight"].mean()
    table = lightgbm.Dataset(data[features], data["right"], group=sizes, weight=weights, init_score=start)
    signs = [(name in MORE) - (name in LESS) for name in features]
    settings = {**settings, "monotone_constraints": signs}
    return [lightgbm.train({**settings, "seed": int(seed)}, table, rounds) for seed in seeds]


def report(data):
    """NDCG@10 over files, before and after; of sets that know spans, MRR and Hit@5 over chunks too."""
    data = data[data.groupby("question")["right"].transform("max") > 0]
    for name, rows in data.groupby("set"):
        before, after, first = [], [], []
        for _, question in rows.groupby("question", sort=False):
            before.append(judge(question))
            ordered = again(question.sort_values("ranker", ascending=False, kind="stable"))
            after.append(judge(ordered))
            first.append(numpy.argmax(ordered["right"].to_numpy() > 0) + 1)
        before, after, first = numpy.mean(before, axis=0), numpy.mean(after, axis=0), numpy.array(first)
        chunks = f", chunks MRR {(1 / first).mean():.3f}, Hit@5 {(first <= 5).mean():.3f}" if name.startswith(SPANS) else ""
        print(f"{name}: {len(first)}, MRR {before[0]:.3f} -> {after[0]:.3f}, NDCG {before[1]:.3f} -> {after[1]:.3f}{chunks}")


def again(ordered):
    """What a candidate loses for each better one of its file."""
    lost = AGAIN * ordered.groupby("path").cumcount() * (ordered[FROM_A_FILE].max(axis=1) == 0)
    return ordered.assign(ranker=ordered["ranker"] - lost).sort_values("ranker", ascending=False, kind="stable")


def judge(rows):
    files = rows.drop_duplicates("path")
    right = rows.groupby("path")["right"].max()
    gains = right[files["path"]].to_numpy()
    first = numpy.argmax(gains) + 1
    discounts = 1.0 / numpy.log2(numpy.arange(2, 12))
    ideal = discounts[: int(min(10, gains.sum()))].sum()
    return 1.0 / first, (gains[:10] * discounts[: len(gains[:10])]).sum() / ideal


def write(out, models, features, listed):
    """The trees of all models end to end, their values divided so that the sum is the models' mean."""
    lines = ["# Written by training/ranker.py; the features by number:"]
    lines += [f"# {number} {name}" for number, name in enumerate(listed)]
    numbers = [listed.index(name) for name in features]
    for tree in [tree for model in models for tree in model.dump_model()["tree_info"]]:
        lines.append("tree")
        nodes = []
        flatten(tree["tree_structure"], numbers, len(models), nodes)
        lines += nodes
    out.write_text("\n".join(lines) + "\n")


def flatten(node, numbers, share, nodes):
    """Appends a node and those below it; says its number."""
    number = len(nodes)
    nodes.append("")
    if "leaf_value" in node:
        nodes[number] = f"{node['leaf_value'] / share:.6g}"
    else:
        left = flatten(node["left_child"], numbers, share, nodes)
        right = flatten(node["right_child"], numbers, share, nodes)
        feature = numbers[node["split_feature"]]
        nodes[number] = f"{feature} {node['threshold']:.9g} {left} {right}"
    return number


if __name__ == "__main__":
    main()
