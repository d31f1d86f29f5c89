"""Drives every tool of `wherein mcp` with the official client, over both transports and by both ways to
begin. What is checked is what a client sees: names, schemas, texts, structured content, errors."""

import asyncio
import os
import re
import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager

from mcp import Client, StdioServerParameters
from mcp.types import Implementation

WHEREIN, WORK = sys.argv[1], sys.argv[2]
TOOLS = ["search", "read", "symbols", "refs", "impact", "map", "similar", "status", "more"]
PLAIN = {"type", "properties", "required", "items", "enum", "description"}
CERTIFICATE = re.compile(r"^# searched .*(complete|INCOMPLETE: .*)$")


def environment(name):
    """A cache of its own, so that each begins with nothing."""
    home = os.path.join(WORK, ".home", name)
    os.makedirs(home, exist_ok=True)
    return {"PATH": os.environ["PATH"], "HOME": home, "XDG_CACHE_HOME": home}


def over_stdio(name, tree="larder"):
    root = os.path.join(WORK, tree)
    return StdioServerParameters(
        command=WHEREIN, args=["mcp", "--root", root], env=environment(name)
    )


@contextmanager
def over_http(name, tree="larder"):
    root = os.path.join(WORK, tree)
    server = subprocess.Popen(
        [WHEREIN, "serve", root, "--listen", "127.0.0.1:0"],
        stdout=subprocess.PIPE, text=True, env=environment(name),
    )
    try:
        address = re.search(r"http://[^/\s]*", server.stdout.readline()).group()
        yield f"{address}/mcp"
    finally:
        server.terminate()
        server.wait()


class Caller:
    """One conversation."""

    def __init__(self, client):
        self.client = client
        self.progress = []

    async def raw(self, tool, **arguments):
        async def progress(done, total, message):
            self.progress.append((done, total, message))

        return await self.client.call_tool(tool, arguments, progress_callback=progress)

    async def ask(self, tool, **arguments):
        for _ in range(5):
            result = await self.raw(tool, **arguments)
            text = result.content[0].text
            # A busy machine may not be done in time.
            if "being indexed for the first time" not in text:
                break
        assert not result.is_error, f"{tool} {arguments}: {text}"
        assert CERTIFICATE.match(text.splitlines()[-1]), text
        return text, result.structured_content

    async def refused(self, tool, words, **arguments):
        result = await self.raw(tool, **arguments)
        text = result.content[0].text
        assert result.is_error and words in text, f"{tool} {arguments}: {text}"


def lint(schema, at):
    assert set(schema) <= PLAIN, f"{at} uses {set(schema) - PLAIN}"
    assert schema["type"] in ("object", "string", "integer", "array"), at
    assert schema["type"] != "object" or schema["properties"], f"{at} takes nothing"
    for name, below in schema.get("properties", {}).items():
        lint(below, f"{at}.{name}")
    if schema["type"] == "array":
        lint(schema["items"], f"{at}[]")


async def every_tool(client, keeps_conversation):
    caller = Caller(client)
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == TOOLS
    for tool in tools:
        lint(tool.input_schema, tool.name)
        assert tool.annotations.read_only_hint and tool.description

    text, facts = await caller.ask("search", query="where is a key looked up, newest table first", scope="code", budget=1500)
    first = facts["items"][0]
    head = f"{first['path']}:{first['start_line']}-{first['end_line']}"
    assert text.startswith(head) and first["text"].splitlines()[0] in text, text

    again, facts = await caller.ask("search", query="where is a key looked up, newest table first", scope="code", budget=1500)
    assert ("(seen)" in again) == keeps_conversation, again
    text, facts = await caller.ask("read", spans=[head])
    assert first["text"].splitlines()[0] in text and text.startswith(head), text

    text, facts = await caller.ask("symbols", budget=150)
    assert facts["more"] in text
    more, _ = await caller.ask("more", handle=facts["more"])
    assert not set(text.splitlines()[:-2]) & set(more.splitlines()[:-1]), "pages do not overlap"
    name = facts["items"][0]["symbol"]
    for relation in ("uses", "callers", "callees"):
        text, facts = await caller.ask("refs", target=name, relation=relation)
        assert facts["items"][0]["symbol"] == name, text
    text, facts = await caller.ask("impact", target=first["path"])
    assert "reaches" in text, text
    text, facts = await caller.ask("map", focus=[first["path"]], budget=4000)
    assert first["path"] in [item["path"] for item in facts["items"]], text
    for _ in range(600):
        text, _ = await caller.ask("status")
        encoded = re.search(r"(\d+) of (\d+) chunks", text)
        if encoded.group(1) == encoded.group(2):
            break
        await asyncio.sleep(0.1)
    assert encoded.group(1) == encoded.group(2), text
    text, facts = await caller.ask("similar", at=head)
    assert facts["items"] and facts["items"][0]["path"], text

    await caller.refused("read", "leads out of the served folders", spans=["../lathe/Cargo.toml"])
    await caller.refused("read", "leads out of the served folders", spans=["/etc/passwd"])
    await caller.refused("refs", "Nearest names", target=name + "x")
    await caller.refused("search", "needs", query="")
    await caller.refused("more", "Call the tool again", handle="m000000")
    text, _ = await caller.ask("search", query="orbital mechanics of telescopes in a Kafka cluster")
    assert text.startswith("nothing found"), text


def large_tree():
    """Enough files to be indexed for a while; nothing encodes them."""
    os.makedirs(os.path.join(WORK, "large"))
    for n in range(1500):
        with open(os.path.join(WORK, "large", f"f{n}.py"), "w") as file:
            file.write(f"def function_{n}(first, second):\n    return first + second * {n}\n" * 40)
    with open(os.path.join(WORK, "large", "wherein.toml"), "w") as file:
        file.write('model = "none"\n')


async def progress_is_told(server):
    async with Client(server) as client:
        caller = Caller(client)
        text, _ = await caller.ask("search", query="function_1499", budget=300)
        assert "f1499.py" in text, text
        done = [progress[0] for progress in caller.progress]
        assert done and done == sorted(done), done


async def text_alone_for_those_who_would_not_read_it():
    named = Implementation(name="claude-code", version="9")
    async with Client(over_stdio("named"), client_info=named) as client:
        result = await client.call_tool("status", {})
        assert result.structured_content is None and "files" in result.content[0].text


async def main():
    for mode in ("legacy", "auto"):
        async with Client(over_stdio(f"stdio-{mode}"), mode=mode) as client:
            await every_tool(client, True)
            print(f"stdio, {mode}: {client.protocol_version} drives every tool")
        with over_http(f"http-{mode}") as url:
            async with Client(url, mode=mode) as client:
                # Without sessions there is no conversation to remember.
                await every_tool(client, mode == "legacy")
                print(f"HTTP, {mode}: {client.protocol_version} drives every tool")
    large_tree()
    await progress_is_told(over_stdio("progress-stdio", "large"))
    with over_http("progress-http", "large") as url:
        await progress_is_told(url)
    await text_alone_for_those_who_would_not_read_it()
    print("progress and text alone are as they should be")


asyncio.run(main())
