"""Sends many requests to a server with the load generator wrk. wrk needs far less CPU than a client in Python, which
would also need a turn of its event loop between two requests.
"""

import asyncio
from collections.abc import Iterable
from pathlib import Path

import orjson

from bench.client import Flood, Unexpected
from runner.ports import HOST

PROGRAM = "wrk"
_SCRIPT = Path(__file__).with_name("wrk.lua")


def write(requests: Iterable[bytes], file: Path) -> Path:
    """Writes requests into a file for `flood`. Returns the path of the file."""
    with file.open("wb") as opened:
        for request in requests:
            opened.write(b"%d\n%s" % (len(request), request))
    return file


async def flood(
    port: int, requests: Path, expected: str, seconds: int, connections: int, number: int | None = None
) -> Flood:
    """Sends the requests of a file in turn for `seconds`, on all connections, each as soon as the previous one is
    answered.

    If `number` is given, the ten zeros in each request are replaced by the numbers that follow `number`. Raises
    Unexpected if an answer has errors, or lacks the text `expected`.
    """
    options = ["-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "-s", str(_SCRIPT)]
    words = [f"http://{HOST}:{port}/graphql", "--", str(requests), expected, *([] if number is None else [str(number)])]
    process = await asyncio.create_subprocess_exec(
        PROGRAM, *options, *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    output, _ = await process.communicate()
    return parse(output)


def parse(output: bytes) -> Flood:
    """Returns the result that wrk has printed. Raises Unexpected if a request failed, or if wrk itself did."""
    last = output.rstrip().rpartition(b"\n")[2]
    if not last.startswith(b"{"):
        raise Unexpected(output)
    result = orjson.loads(last)
    if result["wrong"]:
        raise Unexpected(last)
    return Flood(result["answered"], result["microseconds"] / 1_000_000)
