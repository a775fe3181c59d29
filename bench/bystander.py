"""Measures how long a client waits for a page while another client attacks the same process, with one request a second.

The attacks are requests that are large or expensive to parse: by their variables, by separators, by the document, by
its plan, or by a header.
"""

import asyncio
import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress

from bench.client import Connection, Unexpected, connected, graphql
from bench.community import BUSINESS
from bench.hot import ENTITY
from bench.machine import Machine
from bench.results import Result, percentiles, plain
from runner.ports import HOST

_EVERY = 0.02
"""The pause between an answer and the next request of the bystander, in seconds."""
_PATIENCE = 5.0
_NUMBER = 10_000_000
"""The number in the first document of an attack. Each document has another number, so that the process has not cached
it.
"""
_PUBLISH = "mutation ($i: PublishPostInput!) { publishPost(input: $i) { userErrors { code } } }"
_TYPES = "... on Reactable { likers(first: 1) { nodes { likes(first: 1) { nodes { # } } } } }"


def _images(number: int) -> bytes:
    images = [{"url": "x"}] * 75_000
    return _anonymous(f"{_PUBLISH} # {number}", {"i": {"text": "", "images": images, "idempotencyKey": "k"}})


def _undeclared(number: int) -> bytes:
    return _anonymous(f"{{ __typename }} # {number}", {f"a{i}": 1 for i in range(60_000)})


def _document(number: int) -> bytes:
    aliases = " ".join(f"a{i}: user {{ id handle bio }}" for i in range(199))
    return _anonymous(f"{{ viewer {{ {aliases} }} }} # {number}", {})


def _plan(number: int) -> bytes:
    inner = " ".join(f"a{i}: id" for i in range(50))
    for _ in range(4):
        inner = _TYPES.replace("#", inner)
    return _anonymous(f"query ($i: [ID!]!) {{ nodes(ids: $i) {{ {inner} }} }} # {number}", {"i": []})


def _accept(_: int) -> bytes:
    return _anonymous("{ __typename }", {}).replace(b"\r\n\r\n", b"\r\nAccept: " + b"a/b," * 250_000 + b"\r\n\r\n", 1)


ATTACKS: dict[str, Callable[[int], bytes]] = {
    "a list of 75,000 images": _images,
    "60,000 variables": _undeclared,
    "a document of 800 fields": _document,
    "a plan for types of types": _plan,
    "an Accept of 1 MB": _accept,
}


def _anonymous(query: str, variables: dict[str, object]) -> bytes:
    return graphql("", query, variables).replace(b"Authorization: Bearer \r\n", b"")


async def measure(machine: Machine) -> list[Result]:
    """Measures the bystander, which is the client that reads pages: its milliseconds per page, and how many of 1000
    pages fail. Does so without an attack, and then with each attack.
    """
    viewer, entity = machine.community.people[0], machine.community.shown[0]
    page = graphql(viewer.token, ENTITY, {"business": BUSINESS, "key": entity.key})
    results: list[Result] = []
    async with connected(machine.api_port, 1) as client:
        for name, attack in {"no attack": None, **ATTACKS}.items():
            attacks = _numbered(attack(_NUMBER)) if attack else None
            waits, failed = await _waits(machine, client.connections[0], page, attacks)
            results += percentiles("bystander", f"ms to a page: {name}", waits)
            results.append(plain("bystander", f"of 1000 pages failed: {name}", 1000 * failed / len(waits)))
    return results


def _numbered(request: bytes) -> Iterator[bytes]:
    """Yields copies of a request without end, each with another number, so that the server has none of them cached."""
    for number in itertools.count(_NUMBER):
        yield request.replace(b"# %d" % _NUMBER, b"# %d" % number)


async def _waits(
    machine: Machine, bystander: Connection, page: bytes, attacks: Iterator[bytes] | None
) -> tuple[list[float], int]:
    """Reads the page again and again while the attack runs. Returns the milliseconds of each page, and how many answers
    were unexpected.
    """
    attacking = asyncio.create_task(_attack(machine.api_port, attacks)) if attacks else None
    waits, failed, until = list[float](), 0, time.perf_counter() + machine.sizes.attack_seconds
    while (asked := time.perf_counter()) < until:
        try:
            failed += b'"likeCount":' not in await bystander.ask(page)
        except Unexpected:
            failed += 1
        waits.append(1000 * (time.perf_counter() - asked))
        await asyncio.sleep(_EVERY)
    if attacking:
        attacking.cancel()
        with suppress(asyncio.CancelledError):
            await attacking
    return waits, failed


async def _attack(port: int, requests: Iterator[bytes]) -> None:
    """Sends one request a second, each on a connection of its own. Ignores the answers."""
    for request in requests:
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                reader, writer = await asyncio.open_connection(HOST, port)
                with closing(writer):
                    writer.write(request)
                    await reader.read(1000)
        await asyncio.sleep(1)
