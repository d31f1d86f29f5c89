"""From the figures of a run to docs/performance.md and its plots."""

import plot
from scaling import exponent

MB, MS = 1e6, 1e3
SCAN = "ripgrep scan"

HEAD = """# Performance

Other tools, installed from the package registries, beside wherein: one run, one tree, one machine.
`just rivals TREE` makes this page; `eval/rivals` is how. Tools differ in what they do for their time:
csearch and ripgrep find texts and rank nothing, codegraph finds symbols only, and only the rows named
*semble* and *wherein both* search by meaning. So read the settings below before the ratios.

"""


def write(path, report):
    """Writes the page, and its plots into a folder beside it."""
    plots = path.parent / "performance"
    plots.mkdir(exist_ok=True)
    text = HEAD + circumstances(report) + table(report) + goals(report) + ratios(report) + pictures(report, plots)
    path.write_text(text + settings(report) + growth(report, plots))


def circumstances(report):
    machine, tree = report["machine"], report["tree"]
    loads = [tool["load"] for tool in report["tools"]]
    return (
        f"{tree['name']}: {tree['files']:,} files, {tree['bytes'] / MB:.0f} MB. {machine['date']}, {machine['cores']} "
        f"cores of {machine['cpu']}, {machine['system']}. The machine was shared: its load was {min(loads)} to "
        f"{max(loads)} while this ran, with priority for what was measured, so wall times say less than processor "
        "times. Questions are asked in a new process each; the page cache is warm. A peak of 24 MB or less cannot be "
        "told from that of the process that measures.\n\n"
    )


def table(report):
    head = (
        "| | index: CPU s | wall s | peak MB | on disk MB | cold question: CPU ms | wall ms p50 | p95 | peak MB | "
        "warm question: ms p50 | p95 | load |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n"
    )
    return head + "".join(row(tool) for tool in report["tools"]) + "\n"


def row(tool):
    index, query, warm = tool.get("index"), tool["query"], tool.get("warm")
    cells = ["–"] * 4
    if index:
        cells = [digits(index["cpu"]), digits(index["wall"]), f"{index['peak'] / MB:.0f}", digits(index["bytes"] / MB)]
    cells += [digits(query["cpu"] * MS), digits(query["wall"] * MS), digits(query["p95"] * MS), f"{query['peak'] / MB:.0f}"]
    cells += [digits(warm["wall"] * MS), digits(warm["p95"] * MS)] if warm else ["–"] * 2
    return f"| {tool['name']} {tool['version']} | " + " | ".join(cells) + f" | {tool['load']} |\n"


def goals(report):
    """What wherein is meant to reach, and whether this run shows it."""
    tools = {tool["name"]: tool for tool in report["tools"]}
    index = lambda name, key: tools.get(name, {}).get("index", {}).get(key)
    question = lambda name: tools.get(name, {}).get("query", {}).get("cpu")
    wanted = [("index by words, CPU, by csearch's", index("wherein words", "cpu"), index("csearch", "cpu"), 4)]
    for name in ("sifs", "semble", "sia-code", "codegraph"):
        wanted.append((f"the same by {name}'s", index("wherein words", "cpu"), index(name, "cpu"), 0.25))
    for name in (SCAN, "probe", "sifs", "semble", "sia-code", "codegraph"):
        wanted.append((f"cold question by words, CPU, by {name}'s", question("wherein words"), question(name), 1 / 3))
    wanted.append((f"cold question by both, CPU, by {SCAN}'s", question("wherein both"), question(SCAN), 1 / 3))
    wanted.append(("index by both, on disk, by semble's", index("wherein both", "bytes"), index("semble", "bytes"), 0.5))
    lines = ["| meant to be | at most | is | |\n|---|---|---|---|\n"]
    for name, ours, theirs, most in wanted:
        if ours and theirs:
            met = "yes" if ours / theirs <= most else "**no**"
            lines.append(f"| {name} | {digits(most)} | {digits(ours / theirs)} | {met} |\n")
    return "".join(lines) + "\n"


def ratios(report):
    """Each figure by that of ripgrep's scan, and by that of the best other tool of its kind."""
    tools = {tool["name"]: tool for tool in report["tools"]}
    scan = tools.get(SCAN)
    if not scan:
        return ""
    scanned = scan["query"]["cpu"]
    lines = ["| CPU time | index, in scans | cold question, in scans |\n|---|---|---|\n"]
    for tool in report["tools"]:
        index = digits(tool["index"]["cpu"] / scanned) if "index" in tool else "–"
        lines.append(f"| {tool['name']} | {index} | {digits(tool['query']['cpu'] / scanned)} |\n")
    return "A *scan* is one literal scan of the tree by ripgrep, in the same run.\n\n" + "".join(lines) + "\n" + best(tools)


def best(tools):
    """Ours by the best of the others, figure by figure; what does not rank is named apart."""
    figures = [
        ("index CPU", lambda tool: tool.get("index", {}).get("cpu")),
        ("index on disk", lambda tool: tool.get("index", {}).get("bytes")),
        ("index peak memory", lambda tool: tool.get("index", {}).get("peak")),
        ("cold question CPU", lambda tool: tool["query"]["cpu"]),
        ("cold question wall", lambda tool: tool["query"]["wall"]),
        ("warm question wall", lambda tool: tool.get("warm", {}).get("wall")),
    ]
    unranked = (SCAN, "csearch")
    lines = ["| | wherein words | wherein both | csearch | best of those that rank |\n|---|---|---|---|---|\n"]
    for name, figure in figures:
        others = {it: figure(tool) for it, tool in tools.items() if not it.startswith("wherein") and it not in unranked}
        others = {it: value for it, value in others.items() if value}
        if not others:
            continue
        winner = min(others, key=others.get)
        cells = [times(tools, it, figure, others[winner]) for it in ("wherein words", "wherein both", "csearch")]
        lines.append(f"| {name} | " + " | ".join(cells) + f" | 1 ({winner}) |\n")
    return "As multiples of the best other tool that ranks:\n\n" + "".join(lines) + "\n"


def times(tools, name, figure, unit):
    value = figure(tools[name]) if name in tools else None
    return digits(value / unit) if value else "–"


def pictures(report, folder):
    charts = [
        ("index", "Index from nothing, CPU seconds", "s", lambda tool: tool.get("index", {}).get("cpu")),
        ("disk", "Index on disk, MB", "MB", lambda tool: tool.get("index", {}).get("bytes", 0) / MB),
        ("question", "A question in a new process, CPU milliseconds", "ms", lambda tool: tool["query"]["cpu"] * MS),
    ]
    text = ""
    for name, title, unit, figure in charts:
        rows = [(tool["name"], figure(tool)) for tool in report["tools"]]
        if any(value for _, value in rows):
            (folder / f"{name}.svg").write_text(plot.bars(title + " (logarithmic)", unit, rows))
            text += f"![{title}](performance/{name}.svg)\n\n"
    return text


def settings(report):
    text = "## Settings\n\n"
    for tool in report["tools"]:
        indexed = often(tool["index"]["times"]) if "index" in tool else ""
        text += f"- **{tool['name']}** {tool['version']}: {tool['settings']}{indexed}; {tool['query']['times']} questions.\n"
    for tool in report["absent"]:
        text += f"- **{tool['name']}** is not in the table: {tool['why']}.\n"
    return text + "\n"


def often(times):
    return "; indexed once" if times == 1 else f"; indexed {times} times"


def growth(report, folder):
    """The curves of ours, with the exponent of each."""
    points = report["curves"]
    if len(points) < 2:
        return ""
    text = (
        "## Growth\n\nGenerated trees (`crates/serve/tests/soak/grow`), indexed by words once each, 15 questions in new "
        "processes, medians. A generated file is one chunk, and every question looks at the times of all files, so "
        "these are the dearest questions for their number of chunks. The exponent is the slope with logarithms on "
        "both sides: 1 is linear, 0 constant.\n\n"
        "| chunks | index CPU s | wall s | peak MB | on disk MB | cold question CPU ms | wall ms | peak MB |\n"
        "|---|---|---|---|---|---|---|---|\n"
    )
    columns = [("index_cpu", 1), ("index_wall", 1), ("index_peak", MB), ("bytes", MB), ("query_cpu", 1 / MS), ("query_wall", 1 / MS), ("query_peak", MB)]
    for it in points:
        text += f"| {it['chunks']:,} | " + " | ".join(digits(it[key] / unit) for key, unit in columns) + " |\n"
    text += "| exponent | " + " | ".join(f"{exponent(points, key):.2f}" for key, _ in columns) + " |\n\n"
    charts = [("index_cpu", "Index, CPU seconds", "s", 1), ("query_cpu", "Cold question, CPU milliseconds", "ms", 1 / MS), ("index_peak", "Index, peak memory", "MB", MB), ("bytes", "Index on disk", "MB", MB)]
    for key, title, unit, by in charts:
        name = key.replace("_", "-")
        drawn = plot.curve(title + " by chunks (logarithmic)", unit, [(it["chunks"], it[key] / by) for it in points])
        (folder / f"growth-{name}.svg").write_text(drawn)
        text += f"![{title} by chunks](performance/growth-{name}.svg)\n"
    return text


def digits(value):
    """Three that matter."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
