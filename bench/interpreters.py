"""Measures the CPU time of one request: of Plaudit on several Python interpreters, of the least server
(bench/floor.py), and of the GraphQL server in JavaScript (bench/peers).

`BENCH_PYTHONS` names further interpreters, as `name=path` with commas between them. Each must have Plaudit installed,
compiled or not. All servers run on the same stores and take turns.
"""

import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, AsyncExitStack
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import psutil

from bench import floor, home, wrk
from bench.client import Client, connected, graphql
from bench.community import Pair
from bench.home import HOME
from bench.journal import until_stored
from bench.likes import LIKE, LIKED, requests
from bench.machine import Machine
from bench.peers.likes import cache_entities, crowds
from bench.peers.pages import FULL, PEER, SQUARE
from bench.peers.peer import peer
from bench.results import Result, compared
from bench.rounds import alternate

_OTHERS = "BENCH_PYTHONS"
OWN = "this interpreter"
FLOOR = "the least server"
_UNLIKE = LIKE.replace("like(", "unlike(", 1)


class Side(NamedTuple):
    """A server that is measured: its name, a client of it, and its process."""

    name: str
    client: Client
    process: psutil.Process

    def used(self) -> float:
        """Returns the CPU seconds that the process has used so far."""
        times = self.process.cpu_times()
        return float(times.user + times.system)


async def measure(machine: Machine) -> list[Result]:
    """Measures the CPU time of a square, of a home page and of a like, in microseconds, relative to the time on this
    interpreter.
    """
    count, viewer = machine.sizes.home_posts, machine.community.people[0]
    shown = {
        "square": graphql(viewer.token, SQUARE, {"count": count}),
        "home": graphql(viewer.token, HOME, {"first": count}),
    }
    async with AsyncExitStack() as stack:
        api = await stack.enter_async_context(connected(machine.api_port, 1))
        await home.settled(machine, api, shown["home"])
        entity = machine.community.shown[-1].global_id
        liked = {
            name: graphql(viewer.token, text, {"id": entity}) for name, text in (("like", LIKE), ("unlike", _UNLIKE))
        }
        file = await floor.recorded(machine, shown | liked)
        sides = [await _side(stack, name, started) for name, started in _servers(machine, file)]
        results: list[Result] = []
        for name, request in shown.items():
            asked = wrk.write([request], machine.home / "requests")
            results += await _compared(machine, name, sides, partial(_page, machine, asked))
        stack.enter_context(machine.worker())
        await cache_entities(machine, api)
        results += await _compared(machine, "like", sides, partial(_like, machine, api, _half_crowds(machine)))
    return results


def _servers(machine: Machine, file: Path) -> Iterator[tuple[str, AbstractContextManager[int]]]:
    """Yields the name of each server, and a context manager that starts the server and yields its port. `file` is the
    recording for the least server.
    """
    named = [one.split("=", 1) for one in os.environ.get(_OTHERS, "").split(",") if one]
    for name, python in [(OWN, sys.executable), *named]:
        argv = python, "-P", "-m", "plaudit", "api"
        yield name, machine.program(f"api {name}", argv, "/readyz")
    yield FLOOR, machine.program("floor", (sys.executable, "-m", "bench.floor"), "/", **{floor.FILE: str(file)})
    yield PEER, peer(machine)


async def _side(stack: AsyncExitStack, name: str, started: AbstractContextManager[int]) -> Side:
    before = set(psutil.Process().children())
    port = stack.enter_context(started)
    (process,) = set(psutil.Process().children()) - before
    return Side(name, await stack.enter_async_context(connected(port, 1)), process)


async def _compared(
    machine: Machine, what: str, sides: list[Side], turn: Callable[[Side], Awaitable[float]]
) -> list[Result]:
    own, *others = await alternate(machine.sizes.rounds, *[partial(turn, side) for side in sides])
    named = f"µs of CPU for a {what}"
    return [
        compared("cpu", f"{named}: {sides[0].name}", own, own),
        *[compared("cpu", f"{named}: {side.name}", each, own) for side, each in zip(sides[1:], others, strict=True)],
    ]


async def _flood(machine: Machine, side: Side, file: Path, expected: str) -> float:
    """Sends the requests of a file to a server as fast as it answers. Returns its CPU time for a request in
    microseconds.
    """
    before = side.used()
    flood = await wrk.flood(side.client.port, file, expected, machine.sizes.wrk_seconds, machine.sizes.wrk_connections)
    return 1e6 * (side.used() - before) / flood.answered


async def _page(machine: Machine, file: Path, side: Side) -> float:
    return await _flood(machine, side, file, FULL)


def _half_crowds(machine: Machine) -> Iterator[list[Pair]]:
    """Yields half of the pairs of one turn after the other, because there may be many sides."""
    for pairs in crowds(machine):
        yield pairs[: len(pairs) // 2]
        yield pairs[len(pairs) // 2 :]


async def _like(machine: Machine, api: Client, crowd: Iterator[list[Pair]], side: Side) -> float:
    likers, pairs = machine.sizes.likers, iter(next(crowd))
    if side.name != FLOOR:
        await api.flood(requests(islice(pairs, likers)), LIKED)  # caches the reactions of each user
        await side.client.flood(requests(islice(pairs, likers)), LIKED)  # verifies the tokens
    file = wrk.write(requests(pairs), machine.home / "requests")
    used = await _flood(machine, side, file, '"userErrors":[]')
    await until_stored(machine)
    return used
