"""Asks a fleet as agents do, by the protocol's official client.

In, as JSON: the program to start or the address of a server, and calls, each with the token it shows. Out, as
JSON: what the tools are, and for each call its text, what programs read, and whether it was refused."""

import asyncio
import json
import sys

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client


def over_stdio(job, token):
    shown = {"WHEREIN_FLEET_TOKEN": token} if token else {}
    return StdioServerParameters(command=job["program"], args=job["arguments"], env={**job["environment"], **shown})


async def converse(job, client, calls):
    async with client as client:
        job["tools"] = [tool.model_dump() for tool in (await client.list_tools()).tools]
        for call in calls:
            result = await client.call_tool(call["tool"], call["arguments"])
            call["text"], call["facts"] = result.content[0].text, result.structured_content
            call["refused"] = bool(result.is_error)


async def main():
    job = json.load(sys.stdin)
    by_token = {}
    for call in job["calls"]:
        by_token.setdefault(call["token"], []).append(call)
    for token, calls in by_token.items():
        if "address" not in job:
            await converse(job, Client(over_stdio(job, token)), calls)
            continue
        headers = {"wherein-fleet-token": token} if token else {}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            await converse(job, Client(streamable_http_client(job["address"], http_client=http)), calls)
    json.dump({"tools": job["tools"], "calls": job["calls"]}, sys.stdout)


asyncio.run(main())
