"""The doors of a fleet: HTTP, the tools of agents, the web page; and what no door may show."""

import json
import os
import pathlib
import random
import re
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from fleet import PROGRAM, QUESTIONS, REPOSITORIES, TREES, WORK, check
from servers import free_port, wait_for

HERE = pathlib.Path(__file__).parent
COMBINATIONS = 1000
PLAIN = {"type", "properties", "required", "items", "enum", "description"}


@contextmanager
def served(fleet, tree):
    port = free_port()
    server = fleet.start("serve", str(tree), "--listen", f"127.0.0.1:{port}")
    try:
        wait_for(port)
        yield port
    finally:
        server.kill()
        server.wait()


def ask(port, path, parameters, token=""):
    address = f"http://127.0.0.1:{port}{path}?{urllib.parse.urlencode(parameters)}"
    request = urllib.request.Request(address, headers={"wherein-fleet-token": token})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code


def guard(fleet, allowed):
    """Gives out tokens, each with the repositories it may see."""
    lines = []
    for token, names in allowed.items():
        digest = subprocess.run([PROGRAM, "fleet", "token"], input=token, capture_output=True, text=True)
        digest = digest.stdout.split('"')[1]
        lines.append(f'[[token]]\ndigest = "{digest}"\nrepositories = {json.dumps(sorted(names))}\n')
    (fleet.folder / "access.toml").write_text("\n".join(lines))


def tokens(fleet):
    """A thousand tokens and repositories at random: nothing outside is seen through any door."""
    names = [it["name"] for it in fleet.status()["repositories"]]
    chance = random.Random(11)
    allowed = {f"token-{number}": set(chance.sample(names, chance.randint(1, 6))) for number in range(100)}
    guard(fleet, allowed)
    questions = [f"zebra{number:02}" for number in range(REPOSITORIES)]
    questions += [question["query"] for question in QUESTIONS[:20]]
    asked = [combination(chance, names, questions, number) for number in range(COMBINATIONS)]
    for it in asked:
        it |= opened(chance, names, allowed[it["token"]])
    # Conversations of agents begin anew with every token, so each asks ten times.
    by_stdio = [it for it in asked if it["token"] in ("token-7", "token-29", "token-53")]
    by_agents = [it for it in asked if it["token"].endswith(("1", "4"))]
    tree = WORK / "repositories" / "org1" / "repo01"
    with served(fleet, tree) as port:
        rest = [it for it in asked if it not in by_stdio and it not in by_agents]
        over_http(port, rest, allowed)
        if agents_can_be_asked():
            over_agents(fleet, f"{len(by_agents)} of agents over HTTP", by_agents, allowed, {"address": f"http://127.0.0.1:{port}/mcp"})
            over_agents(fleet, f"{len(by_stdio)} of agents", by_stdio, allowed, own_program(fleet, tree))
            handles_show_nothing_more(fleet, port, allowed)
            handles_read_nothing_more(fleet, port, allowed)
        else:
            over_http(port, by_agents + by_stdio, allowed)
        one_refusal(port, allowed)
        by_command(fleet, asked, allowed)
        listed = set(ask(port, "/api/fleet/repositories", [], "token-3")["repositories"])
        check("the list of repositories is the token's", listed == allowed["token-3"])
        for token in ("", "guess"):
            check("without its token nothing is shown", ask(port, "/api/fleet/search", [("text", "zebra07")], token) == 401)
            check("nor read", ask(port, "/api/fleet/file", [("path", asked[0]["path"])], token) == 401)
        other_doors(port)
    code, _, err = fleet.search("zebra07")
    check("the command line needs a token too", code == 2 and "token" in err)
    fleet.environment["WHEREIN_FLEET_TOKEN"] = "token-5"
    for number in range(0, REPOSITORIES, 5):
        _, found, _ = fleet.search(f"zebra{number:02}")
        named = {name for hit in found["hits"] for name in hit["repositories"]}
        check("the command line shows what the token may see", named <= allowed["token-5"])


def combination(chance, names, questions, number):
    patterns = [chance.choice(names), "*", "**", "org*/repo*"]
    return {
        "token": f"token-{number % 100}",
        "text": chance.choice(questions),
        "mode": chance.choice(["hybrid", "lexical", *["dense"] * 8]),
        "repositories": chance.choice(patterns) if chance.random() < 0.5 else None,
    }


def over_http(port, asked, allowed):
    leaks = seen = 0

    def found_by(it):
        parameters = [("text", it["text"]), ("limit", "19"), ("mode", it["mode"])]
        if it["repositories"]:
            parameters += [("repositories", it["repositories"])]
        return ask(port, "/api/fleet/search", parameters, it["token"])

    for it, found in zip(asked, two_at_once(found_by, asked)):
        named = {name for hit in found["hits"] for name in hit["repositories"]}
        named |= {facet["repository"] for facet in found["facets"]}
        shown = {"/".join(hit["path"].split("/")[:2]) for hit in found["hits"]}
        shown |= {"/".join(also["path"].split("/")[:2]) for hit in found["hits"] for also in hit.get("also_at", [])}
        seen += len(found["hits"])
        leaks += bool((named | shown) - allowed[it["token"]])
    check("no hit outside what a token may see", leaks == 0 and seen > 0, f"{len(asked)} questions, {seen} hits")
    over_http_read(port, asked, allowed)


def two_at_once(ask_one, asked):
    """Answers in the order of what is asked, by two askers side by side."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(ask_one, asked))


def opened(chance, names, allowed):
    """A file of any repository, or of one that may be seen, as hits name it; others may hold the same."""
    name = chance.choice(names if chance.random() < 0.5 else sorted(allowed))
    root = WORK / "repositories" / name
    # What another part wrote into a repository of this fleet may not have been synced to it.
    file = chance.choice(sorted(path for path in root.rglob("*") if path.is_file() and path.name != "late.md"))
    return {"of": name, "path": f"{name}/{file.relative_to(root)}", "file": file}


def over_http_read(port, asked, allowed):
    """A file is read by who may see its repository, though others hold the same, and by nobody else."""
    wrong, read = [], 0
    shown_to = lambda it: ask(port, "/api/fleet/file", [("path", it["path"])], it["token"])
    for it, shown in zip(asked, two_at_once(shown_to, asked)):
        may = it["of"] in allowed[it["token"]]
        read += may
        is_whole = may and shown["repository"] == it["of"] and same_lines(shown["text"], it["file"])
        wrong += [] if (is_whole if may else shown == 404) else [(it["path"], it["token"], shown)]
    check("no file is read outside what a token may see", not wrong and read > 0, f"{len(asked)} files, {read} read {wrong[:1]}")


def same_lines(text, file):
    """Secrets are left out, so what is read may differ in a line."""
    ours, theirs = text.splitlines(), file.read_text(encoding="utf-8").rstrip("\r\n").splitlines()
    return len(ours) == len(theirs) and sum(a != b for a, b in zip(ours, theirs)) <= 3


def one_refusal(port, allowed):
    """What may not be seen is told apart in nothing from what is not there."""
    hidden = next(name for name in sorted({it for names in allowed.values() for it in names}) if name not in allowed["token-5"])
    known = sorted(allowed["token-5"])[0]
    told = {path: problem(port, path, "token-5") for path in (f"{hidden}/own.md", "no/such/own.md", f"{known}/nothing.md")}
    same = {text.replace(path, "PATH") for path, text in told.items()}
    check("a hidden file and a missing one are refused alike", len(same) == 1, str(same))


def problem(port, path, token):
    address = f"http://127.0.0.1:{port}/api/fleet/file?{urllib.parse.urlencode({'path': path})}"
    try:
        urllib.request.urlopen(urllib.request.Request(address, headers={"wherein-fleet-token": token}), timeout=60)
    except urllib.error.HTTPError as error:
        return error.read().decode()
    return "it was shown"


def by_command(fleet, asked, allowed):
    """The same on the command line, for some: one that may be read and three that may not."""
    may = next(it for it in asked if it["of"] in allowed[it["token"]])
    for it in [may, *[it for it in asked if it["of"] not in allowed[it["token"]]][:3]]:
        fleet.environment["WHEREIN_FLEET_TOKEN"] = it["token"]
        code, out, err = fleet.run("fleet", "read", it["path"])
        is_read = code == 0 and same_lines(out.rstrip("\r\n"), it["file"])
        is_hidden = code == 1 and not out and "there is no file" in err
        check("a command reads what its token may see", is_read if it is may else is_hidden, err.strip())
    del fleet.environment["WHEREIN_FLEET_TOKEN"]


def read_by_agents(fleet, who, asked, allowed, door):
    """The tool `read`, for paths of the fleet."""
    call = lambda it: {"tool": "read", "token": it["token"], "arguments": {"spans": [it["path"]], "budget": 300}}
    calls = agent(fleet, door, [call(it) for it in asked])["calls"]
    may = {(it["path"], it["token"]) for it in asked if it["of"] in allowed[it["token"]]}
    path = lambda it: it["arguments"]["spans"][0]
    wrong = [it for it in calls if it["refused"] == ((path(it), it["token"]) in may)]
    told = {it["text"].replace(path(it), "PATH").split(". Nearest")[0] for it in calls if it["refused"]}
    check("no tool reads what a token may not see", not wrong and len(told) == 1 and may, f"{who}, {len(may)} of {len(calls)} read, {told} {wrong[:1]}")


def handles_read_nothing_more(fleet, port, allowed):
    """The rest of a file, asked for by somebody who may not see it."""
    door = {"address": f"http://127.0.0.1:{port}/mcp"}
    own, name = next((token, name) for token, names in allowed.items() for name in sorted(names))
    root = WORK / "repositories"
    long = max((path for path in (root / name).rglob("*") if path.is_file()), key=lambda path: path.stat().st_size)
    path, other = long.relative_to(root), next(token for token in allowed if name not in allowed[token])
    first = {"tool": "read", "token": own, "arguments": {"spans": [str(path)], "budget": 200}}
    handle = agent(fleet, door, [first])["calls"][0]["facts"]["more"]
    asked = [{"tool": "more", "token": token, "arguments": {"handle": handle, "budget": 300}} for token in (own, other)]
    ours, others = agent(fleet, door, asked)["calls"]
    check("a handle reads on for its own asker alone", not ours["refused"] and others["refused"], others["text"][:90])


def over_agents(fleet, who, asked, allowed, door):
    """Every repository's name that stands anywhere in an answer is one that the token may see."""
    call = lambda it: {"tool": "search", "token": it["token"], "arguments": {"query": it["text"], "repositories": [it["repositories"] or "*"], "budget": 4000}}
    calls = agent(fleet, door, [call(it) for it in asked])["calls"]
    refused = [it["text"] for it in calls if it["refused"]]
    named = lambda it: set(re.findall(r"org\d/repo\d\d", it["text"] + json.dumps(it["facts"])))
    leaks = [it for it in calls if named(it) - allowed[it["token"]]]
    marks = sum(len(re.findall(r"org\d/repo\d\d/\S+:\d", it["text"])) for it in calls)
    check("no tool names what a token may not see", not leaks and not refused and marks > 0, f"{who}, {marks} hits {refused[:1]}")
    read_by_agents(fleet, who, asked, allowed, door)


def handles_show_nothing_more(fleet, port, allowed):
    """The rest of an answer, asked for by somebody else, is what that one may see of it."""
    door = {"address": f"http://127.0.0.1:{port}/mcp"}
    wide = max(allowed, key=lambda token: len(allowed[token]))
    other = next(token for token in allowed if not allowed[token] & allowed[wide])
    first = {"tool": "search", "token": wide, "arguments": {"query": "the mark of this one is", "repositories": ["*"], "budget": 100}}
    handle = agent(fleet, door, [first])["calls"][0]["facts"]["more"]
    asked = [{"tool": "more", "token": token, "arguments": {"handle": handle, "budget": 4000}} for token in (wide, other, "", "guess")]
    own, others, none, guessed = agent(fleet, door, asked)["calls"]
    named = lambda it: set(re.findall(r"org\d/repo\d\d", it["text"] + json.dumps(it["facts"])))
    check("a handle shows its own asker the rest", named(own) and named(own) <= allowed[wide])
    check("and nobody else", named(others) <= allowed[other], others["text"][:60])
    check("nor one without a token", none["refused"] and guessed["refused"] and "WHEREIN_FLEET_TOKEN" in none["text"], none["text"][:60])


def other_doors(port):
    """Similar code, the graph and the tree's own files are about the served tree and take no fleet."""
    doors = [
        ("/api/similar", [("text", "The mark of this one is")]),
        ("/api/search", [("text", "the mark of this one is")]),
        ("/api/graph", []),
        ("/api/clusters", []),
        ("/api/file", [("path", "own.md")]),
        ("/api/symbols", [("query", "Only here")]),
        ("/api/refs", [("path", "own.md")]),
        ("/api/impact", [("path", "own.md")]),
    ]
    for path, parameters in doors:
        shown = ask(port, path, parameters, "token-5")
        check(f"{path} answers", isinstance(shown, dict), str(shown)[:40])
        marks = set(re.findall(r"zebra\d\d", json.dumps(shown)))
        check(f"{path} shows nothing of other repositories", marks <= {"zebra01"}, " ".join(marks))
        refused = ask(port, path, [*parameters, ("fleet", "true")], "token-5")
        check(f"{path} takes no fleet", refused in (400, 404, 422), str(refused)[:40])


def agents_can_be_asked():
    if os.environ.get("MCP_CLIENT"):
        return True
    print("not run: the tools of agents, whose client could not be had", flush=True)
    return False


def agent(fleet, door, calls):
    """Calls of tools by the protocol's official client."""
    job = json.dumps({**door, "calls": calls})
    done = subprocess.run([os.environ["MCP_CLIENT"], str(HERE / "agents.py")], input=job, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise SystemExit(f"the client of agents failed: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


def own_program(fleet, tree, **more):
    environment = {**fleet.environment, **more}
    return {"program": PROGRAM, "arguments": ["mcp", "--root", str(tree)], "environment": environment}


def agents(fleet, tear, mend):
    """The tool `search` asks a fleet, over both transports, and says what it could not ask."""
    if not agents_can_be_asked():
        return
    question = {"query": "throw the oldest entries out when memory is full", "repositories": ["*"]}
    calls = [
        {"tool": "search", "token": "", "arguments": question},
        {"tool": "search", "token": "", "arguments": {**question, "repositories": "larder", "also": ["where is a key looked up"]}},
        {"tool": "search", "token": "", "arguments": {**question, "repositories": ["[a"]}},
        {"tool": "search", "token": "", "arguments": {"query": question["query"]}},
    ]
    with served(fleet, TREES / "lathe") as port:
        for who, door in [("over HTTP", {"address": f"http://127.0.0.1:{port}/mcp"}), ("over stdio", own_program(fleet, TREES / "lathe"))]:
            answered = agent(fleet, door, json.loads(json.dumps(calls)))
            search = next(tool for tool in answered["tools"] if tool["name"] == "search")
            check(f"an agent may ask a fleet {who}", "repositories" in search["input_schema"]["properties"])
            for tool in answered["tools"]:
                plain(tool["input_schema"], tool["name"])
            everywhere, one, wrong, near = answered["calls"]
            first = everywhere["facts"]["items"][0]
            check("its hits name their repositories", everywhere["text"].startswith(first["repositories"][0] + "/"), first["path"])
            certificate = everywhere["text"].splitlines()[-1]
            check("its last line says what was searched", re.match(r"# searched \d+ repositories of the fleet, \d+ files, complete$", certificate), certificate)
            check("it names the others that may answer", "# files that may answer: " in everywhere["text"])
            check("one repository can be chosen", {name for it in one["facts"]["items"] for name in it["repositories"]} == {"larder"})
            check("a pattern that is none is refused", wrong["refused"] and "Mend" in wrong["text"], wrong["text"][:70])
            read_on(fleet, door, first, who)
            check("without repositories the served folder is searched", "fleet" not in near["text"].splitlines()[-1], near["text"].splitlines()[-1])
    tear()
    torn = agent(fleet, own_program(fleet, TREES / "lathe"), [calls[0] | {"arguments": {**question, "budget": 500}}])["calls"][0]
    mend()
    check("an agent is told what is missing", "INCOMPLETE: " in torn["text"].splitlines()[-1] and torn["facts"]["index"]["fleet"]["partial"], torn["text"].splitlines()[-1])
    alone = agent(fleet, own_program(fleet, TREES / "lathe", WHEREIN_STORE=""), [calls[0]])
    search = next(tool for tool in alone["tools"] if tool["name"] == "search")
    check("without a store no tool speaks of one", "repositories" not in search["input_schema"]["properties"] and alone["calls"][0]["refused"])


def read_on(fleet, door, hit, who):
    """A hit of a fleet is opened by its path; a file of the served folder comes from there; what is nowhere is said."""
    call = lambda *spans: {"tool": "read", "token": "", "arguments": {"spans": list(spans)}}
    near = next(path for path in sorted((TREES / "lathe").rglob("*.*")) if path.is_file() and path.stat().st_size > 100)
    near = str(near.relative_to(TREES / "lathe"))
    span = f"{hit['path']}:{hit['start_line']}-{hit['end_line']}"
    far, both, some, none = agent(fleet, door, [call(span), call(near, hit["path"]), call(span, "no/such/file.py"), call("no/such/file.py")])["calls"]
    check(f"a hit of a fleet can be read {who}", far["text"].startswith(f"{hit['path']}:{hit['start_line']}") and far["text"].splitlines()[-1].startswith("# read from the fleet: "), far["text"].splitlines()[-1])
    check("beside files of the served folder", near in both["text"] and hit["path"] in both["text"] and "# searched " in both["text"].splitlines()[-1], both["text"].splitlines()[-1])
    check("what is nowhere is said", not some["refused"] and "not read: there is no file no/such/file.py" in some["text"] and none["refused"], none["text"])


def plain(schema, at):
    """What every client takes: no unions, references or formats."""
    if set(schema) - PLAIN or schema["type"] not in ("object", "string", "integer", "array"):
        check(f"the schema of {at} is plain", False, str(schema))
    for name, below in schema.get("properties", {}).items():
        plain(below, f"{at}.{name}")
    if schema["type"] == "array":
        plain(schema["items"], f"{at}[]")


def page(fleet, tear, mend):
    """The web page asks a fleet, in a real browser; and the server describes what it answers to."""
    with served(fleet, TREES / "larder") as port:
        described(port)
        if not os.environ.get("CHROMIUM"):
            print("not run: the page, whose browser could not be had", flush=True)
            return
        browse(port, "repositories")
    tear()
    # Another server: the first has the files at hand.
    with served(fleet, TREES / "larder") as port:
        browse(port, "partial")
        mend()
        guard(fleet, {"page-token": ["larder"]})
        browse(port, "token")
        (fleet.folder / "access.toml").unlink()


def described(port):
    """The document of the addresses knows the fleet's, and the page about fleets every parameter of them."""
    paths = ask(port, "/api/openapi.json", [])["paths"]
    about = pathlib.Path("docs/fleet.md").read_text(encoding="utf-8")
    ours = {path: it["get"] for path, it in paths.items() if path.startswith("/api/fleet/")}
    check("the addresses of a fleet are described", set(ours) == {"/api/fleet/search", "/api/fleet/repositories", "/api/fleet/file"})
    named = {it["name"] for path in ours.values() for it in path["parameters"]} | set(ours)
    missing = [name for name in sorted(named) if f"`{name}`" not in about]
    check("and docs/fleet.md names all they take", not missing, ", ".join(missing))


def browse(port, what):
    variables = {**os.environ, "ADDRESS": f"http://127.0.0.1:{port}"}
    done = subprocess.run(["node", str(HERE / "page.mjs"), what], env=variables, capture_output=True, text=True, timeout=120)
    check(f"the page, {what}", done.returncode == 0, (done.stdout + done.stderr).strip()[-1500:])
