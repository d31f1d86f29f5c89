"""Trains the ranker: `ranker.py OUT SAMPLES.csv...`

In: what `wherein eval PROTOCOL ... --samples FILE.csv` writes, a row a candidate: question, group,
tree, right, path, start, then the features by name. Out: boosted trees in the text form that
`crates/engine/src/search/rerank/trees.rs` reads, and on standard output how well they do on trees
they were not trained on. The trees correct the fused score, so that a question unlike those seen in
training keeps the order it came with.

Needs lightgbm, numpy and pandas.
"""

import sys
from pathlib import Path

import lightgbm
import numpy
import pandas

FOLDS = 5
SETTINGS = {
    "objective": "lambdarank",
    "lambdarank_truncation_level": 12,
    "learning_rate": 0.05,
    "num_leaves": 8,
    "min_data_in_leaf": 60,
    "feature_fraction": 0.6,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 10.0,
    "verbose": -1,
    "seed": 1,
    "deterministic": True,
    "num_threads": 2,
}
ROUNDS = 200
# What the fused score is multiplied with before the trees are added; as in rerank/mod.rs.
FUSED = 30.0
# Benchmarks that tell right lines from wrong ones; the others know right files only.
SPANS = ("octocode",)
HEAD = ["question", "group", "tree", "right", "path", "start"]


def main():
    out, *files = sys.argv[1:]
    data = pandas.concat([read(file) for file in files], ignore_index=True)
    features = [name for name in data.columns if name not in HEAD + ["set", "weight", "fold"]]
    data["fold"] = folds(data["tree"])
    scores = numpy.zeros(len(data))
    for fold in range(FOLDS):
        seen, held = data[data.fold != fold], data.fold == fold
        if held.any():
            trees = train(seen, features).predict(data.loc[held, features])
            scores[held] = trees + FUSED * data.loc[held, "fused"]
    report(data, scores)
    write(Path(out), train(data, features), features)


def read(file):
    """One benchmark's samples. Each benchmark weighs the same, whatever its number of questions."""
    data = pandas.read_csv(file)
    data["set"] = Path(file).stem
    if not data["set"].iloc[0].startswith(SPANS):
        # Every chunk of a right file counts as right there; only its best one is to be learnt from.
        data = data.drop_duplicates(["tree", "question", "path"]).copy()
    data["question"] = data["set"] + "/" + data["tree"] + "/" + data["question"].astype(str)
    right = data.groupby("question")["right"].transform("max")
    data = data[right > 0].copy()
    data["weight"] = 1.0 / max(1, data["question"].nunique()) ** 0.5
    return data


def folds(trees):
    """Trees in folds, so that no question is judged by a ranker that has seen its tree."""
    order = {tree: number % FOLDS for number, tree in enumerate(sorted(trees.unique()))}
    return trees.map(order)


def train(data, features):
    sizes = data.groupby("question", sort=False).size()
    weights = data["weight"] / data["weight"].mean()
    start = FUSED * data["fused"]
    table = lightgbm.Dataset(
        data[features], data["right"], group=sizes, weight=weights, init_score=start
    )
    return lightgbm.train(SETTINGS, table, ROUNDS)


def report(data, scores):
    data = data.assign(score=scores, place=data.groupby("question").cumcount())
    print("set: questions, MRR and NDCG@10 over files before and after, on trees not trained on")
    for name, rows in data.groupby("set"):
        before, after = [], []
        for _, question in rows.groupby("question"):
            before.append(judge(question.sort_values("place")))
            after.append(judge(question.sort_values("score", ascending=False, kind="stable")))
        before, after = numpy.mean(before, axis=0), numpy.mean(after, axis=0)
        print(f"{name}: {len(rows['question'].unique())}, "
              f"MRR {before[0]:.3f} -> {after[0]:.3f}, NDCG {before[1]:.3f} -> {after[1]:.3f}")


def judge(rows):
    files = rows.drop_duplicates("path")
    right = rows.groupby("path")["right"].max()
    gains = right[files["path"]].to_numpy()
    first = numpy.argmax(gains) + 1
    discounts = 1.0 / numpy.log2(numpy.arange(2, 12))
    ideal = discounts[: int(min(10, gains.sum()))].sum()
    return 1.0 / first, (gains[:10] * discounts[: len(gains[:10])]).sum() / ideal


def write(out, model, features):
    lines = ["# Written by training/ranker.py; the features by number:"]
    lines += [f"# {number} {name}" for number, name in enumerate(features)]
    for tree in model.dump_model()["tree_info"]:
        lines.append("tree")
        nodes = []
        flatten(tree["tree_structure"], nodes)
        lines += nodes
    out.write_text("\n".join(lines) + "\n")


def flatten(node, nodes):
    """Appends a node and those below it; says its number."""
    number = len(nodes)
    nodes.append("")
    if "leaf_value" in node:
        nodes[number] = f"{node['leaf_value']:.6g}"
    else:
        left = flatten(node["left_child"], nodes)
        right = flatten(node["right_child"], nodes)
        nodes[number] = f"{node['split_feature']} {node['threshold']:.9g} {left} {right}"
    return number


if __name__ == "__main__":
    main()
