"""Compares the square and the home page of the API with the peer, with hand-written code, and with the API without
plans.
"""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bench import home, wrk
from bench.client import Client, connected, graphql
from bench.home import HOME
from bench.machine import Machine
from bench.page import agreed
from bench.peers.peer import EACH_FIELD, WHOLE_PAGES, peer
from bench.results import Result, compared
from bench.rounds import Turn, alternate

SQUARE = """query ($count: Int!) {
  square(first: $count) {
    nodes { id text createdAt likeCount viewerReaction author { id handle displayName } }
    pageInfo { hasNextPage endCursor }
  }
}"""
FULL = '"hasNextPage":true'
PEER, WHOLE, BY_HAND, PLAIN = "Mercurius + JIT", "Mercurius + JIT, whole pages", "by hand", "graphql-core"
_GOALS = {"squares": {PEER: 1.3, BY_HAND: 1.0, PLAIN: 5.5}, "home pages": {PEER: 1.15, BY_HAND: 1.0, PLAIN: 5.5}}


@dataclass(frozen=True, slots=True)
class Sides:
    """A client of the API, clients of the servers that it is compared with, by name, and the requests for each page, by
    the name of the page.
    """

    api: Client
    others: dict[str, Client]
    pages: Mapping[str, Sequence[bytes]]


async def measure(machine: Machine) -> list[Result]:
    """Measures pages per second of all servers, which take turns."""
    results: list[Result] = []
    async with serving(machine) as sides:
        for name, requests in sides.pages.items():
            for request in requests:
                await agreed([sides.api, *sides.others.values()], request)
            file = wrk.write(requests, machine.home / "requests")
            turns = [turn(machine, client, file) for client in (sides.api, *sides.others.values())]
            api, *others = await alternate(machine.sizes.rounds, *turns)
            results += [
                compared("peers", f"{name}/s, against {other}", api, rates, at_least=_GOALS[name].get(other))
                for other, rates in zip(sides.others, others, strict=True)
            ]
    return results


@asynccontextmanager
async def serving(machine: Machine) -> AsyncIterator[Sides]:
    """Starts all servers, and prepares the pages of several viewers, one of whom has a pending like. Yields the clients
    and the pages.
    """
    viewers, count = machine.community.people[: machine.sizes.readers], machine.sizes.home_posts
    pages = {
        "squares": [graphql(viewer.token, SQUARE, {"count": count}) for viewer in viewers],
        "home pages": [graphql(viewers[0].token, HOME, {"first": count})],
    }
    async with home.serving(machine) as sides, AsyncExitStack() as stack:
        ports = [stack.enter_context(peer(machine, resolvers)) for resolvers in (EACH_FIELD, WHOLE_PAGES)]
        by_field, whole = [await stack.enter_async_context(connected(port, 1)) for port in ports]
        others = {PEER: by_field, WHOLE: whole, BY_HAND: sides.by_hand, PLAIN: sides.plain}
        yield Sides(sides.plans, others, pages)


def turn(machine: Machine, client: Client, file: Path, numbers: Iterator[int] | None = None) -> Turn:
    """Returns a function that measures pages per second of a server, with the requests in `file`. If `numbers` is
    given, each run makes the requests different, from the next of these numbers on.
    """
    sizes = machine.sizes

    async def rate() -> float:
        number = next(numbers) if numbers else None
        return (await wrk.flood(client.port, file, FULL, sizes.wrk_seconds, sizes.wrk_connections, number)).rate

    return rate
