"""Trains the rankers and what says how sure they are: `ranker.py OUT SAMPLES.csv...`

In: what `wherein eval PROTOCOL ... --samples FILE.csv` writes, a row a candidate: question, group,
tree, right, path, start, then the features by name. Files SET--NAME.csv make one set; the set `absent`
holds questions about things that are not in the tree. Out: boosted trees in the text form that
`crates/engine/src/search/rerank/trees.rs` reads, OUT/asked.txt and OUT/pasted.txt for questions and for what is
pasted, and OUT/confidence.txt, and on standard output how well they do on trees they were not trained on. A ranker
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
# How many candidates the ranker puts into order; as in weights.rs.
RERANKED = 60
SETTINGS = {
    "objective": "lambdarank",
    "lambdarank_truncation_level": 12,
    "learning_rate": 0.15,
    "num_leaves": 8,
    "min_data_in_leaf": 60,
    "feature_fraction": 0.6,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 10.0,
    "verbose": -1,
    "deterministic": True,
    "num_threads": 2,
}
ROUNDS = 160
# As many rankers are trained and their mean taken: one alone is better or worse by half a point for no reason.
SEEDS = (1, 2, 3, 4, 5, 6)
# What the fused score is multiplied with before the trees are added; as in rerank/mod.rs.
FUSED = 30.0
# Benchmarks that tell right lines from wrong ones; the others know right files only.
SPANS = ("octocode", "mined", "written-spans")
# What is pasted, by its features; as in rerank/mod.rs.
PASTED = ["question.is_code", "question.is_message", "question.is_trace"]
# More of these never makes a candidate worse, less of those never better: what is learnt from some trees
# then holds for others too. Without it the ranker lost on octocode what it won on semble.
MORE = """lexical lexical.of_best lexical.rank dense dense.rank fused fused.rank in.stem in.folders in.names
in.scope in.signatures in.docs in.any name.exact name.share stem.share file.sum file.rank definitions symbols
paths file.covered file.words file.words_of_best text.line text.run file.defines file.dense file.dense_first
file.dense_mean""".split()
LESS = """dense.below_best fused.below_best file.is_test file.is_example file.is_aside file.is_stub
file.is_config chunk.is_test file.is_record""".split()
SURE = {name: value for name, value in SETTINGS.items() if name != "lambdarank_truncation_level"}
SURE |= {"objective": "binary", "learning_rate": 0.05, "min_data_in_leaf": 100, "feature_fraction": 0.5, "seed": 1}
# What confidence looks at beside the features; as in rerank/mod.rs.
RANKER = ["ranker", "ranker.below_best"]
CONFIDENCE = RANKER + """dense question.best_dense question.usual_dense question.unknown lexical text.line text.run
file.covered in.any name.share name.exact definitions symbols paths in.names question.best_lexical question.is_name
question.is_path question.is_message question.is_trace question.is_code""".split()
# How much a set counts beside the square root of its number of questions: questions that people ask
# more, mined ones that there are so many of less.
IMPORTANCE = {"semble": 3.0, "written": 1.5, "written-spans": 1.2, "octocode-code": 2.0, "octocode-docs": 2.0,
              "swe": 1.5, "codescout": 1.5, "mined-messages": 0.2, "mined-docs": 0.2}
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
        lessons = learnable(part)
        for dealt, seeds in zip(deals, numpy.array_split(SEEDS, DEALS)):
            for fold in range(FOLDS):
                held = part[dealt[part.index] == fold]
                if len(held):
                    models = train(lessons[dealt[lessons.index] != fold], features, seeds)
                    data.loc[held.index, "ranker"] += scores(models, held, features) / DEALS
        print(f"{name}: sets with questions, MRR and NDCG@10 over files before and after, on trees not trained on")
        report(learnable(data.loc[part.index]))
        models = train(lessons, features, SEEDS)
        report(lessons.assign(ranker=scores(models, lessons, features)), "the same, trained on")
        write(Path(out) / f"{name}.txt", models, features, features)
    sure = page(data)
    judge_confidence(sure)
    write(Path(out) / "confidence.txt", [train_confidence(sure)], CONFIDENCE, features + RANKER)


def read(file):
    data = pandas.read_csv(file)
    data = data[data.groupby(["tree", "question"]).cumcount() < RERANKED].copy()
    data["set"] = Path(file).stem.split("--")[0]
    data["question"] = data["set"] + "/" + data["tree"] + "/" + data["question"].astype(str)
    return data


def learnable(data):
    """What the ranker can learn from."""
    # Every chunk of a right file counts as right where only files are known; its best one is to be learnt from.
    is_span = data["set"].str.startswith(SPANS)
    data = data[is_span | ~data.duplicated(["question", "path"])]
    data = data[data.groupby("question")["right"].transform("max") > 0].copy()
    questions = data.groupby("set")["question"].transform("nunique")
    data["weight"] = data["set"].map(IMPORTANCE).fillna(1.0) / questions ** 0.5
    return data


def page(data):
    """The first hits of each question in the ranker's order; pasted code is not a question that may have no
    answer."""
    data = data[~data["set"].str.startswith("repoeval")]
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


def train(data, features, seeds):
    sizes = data.groupby("question", sort=False).size()
    weights = data["weight"] / data["weight"].mean()
    start = FUSED * data["fused"]
    table = lightgbm.Dataset(
        data[features], data["right"], group=sizes, weight=weights, init_score=start
    )
    signs = [(name in MORE) - (name in LESS) for name in features]
    settings = {**SETTINGS, "monotone_constraints": signs}
    return [lightgbm.train({**settings, "seed": int(seed)}, table, ROUNDS) for seed in seeds]


def scores(models, data, features):
    return numpy.mean([model.predict(data[features]) for model in models], axis=0) + FUSED * data["fused"]


def report(data, what=""):
    data = data.assign(place=data.groupby("question").cumcount())
    if what:
        print(what)
    for name, rows in data.groupby("set"):
        before, after = [], []
        for _, question in rows.groupby("question"):
            before.append(judge(question.sort_values("place")))
            after.append(judge(question.sort_values("ranker", ascending=False, kind="stable")))
        before, after = numpy.mean(before, axis=0), numpy.mean(after, axis=0)
        print(f"{name}: {rows['question'].nunique()}, "
              f"MRR {before[0]:.3f} -> {after[0]:.3f}, NDCG {before[1]:.3f} -> {after[1]:.3f}")


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
