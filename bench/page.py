"""A page of entities with their counters and the viewer's reactions, everything cached: the API, or by hand."""

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bench.client import Client, Unexpected, connected, graphql
from bench.community import BUSINESS
from bench.journal import persisted, until_persisted
from bench.likes import LIKED, requests
from bench.machine import Machine
from bench.results import Result, compared
from bench.rounds import alternate

PAGE = """query ($business: String!, $keys: [String!]!) {
  entities(business: $business, keys: $keys) {
    id title likeCount dislikeCount viewCount shareCount viewerReaction
  }
}"""


@dataclass(frozen=True, slots=True)
class Sides:
    """The page as a request, and who answers it."""

    page: bytes
    ours: Client
    theirs: Client


async def measure(machine: Machine) -> list[Result]:
    """Pages per second."""
    async with serving(machine) as sides:
        return await race(machine, sides)


async def race(machine: Machine, sides: Sides) -> list[Result]:
    """The same over servers that are running already."""
    expected = await same(sides)

    async def turn(client: Client) -> float:
        return (await client.flood(itertools.repeat(sides.page), expected, machine.sizes.round_seconds)).rate

    rates = await alternate(machine.sizes.rounds, lambda: turn(sides.ours), lambda: turn(sides.theirs))
    return [compared("page", f"pages/s, {machine.sizes.page_entities} warm entities", *rates)]


@asynccontextmanager
async def serving(machine: Machine) -> AsyncIterator[Sides]:
    """Both servers, and a page for somebody who likes some of what is on it."""
    connections = machine.sizes.page_connections
    keys = [entity.key for entity in machine.community.shown]
    page = graphql(machine.community.people[0].token, PAGE, {"business": BUSINESS, "keys": keys})
    with machine.baseline("handwritten") as port:
        async with connected(machine.api_port, connections) as ours, connected(port, connections) as theirs:
            with machine.worker():
                await _liked(machine, ours)
            yield Sides(page, ours, theirs)


async def same(sides: Sides) -> bytes:
    """What both servers answer once their caches are warm. Raises Unexpected where they differ by a single byte."""
    await sides.ours.ask(sides.page)
    mine, hers = await sides.ours.ask(sides.page), await sides.theirs.ask(sides.page)
    if mine != hers:
        raise Unexpected(mine + b"\n" + hers)
    return mine


async def _liked(machine: Machine, client: Client) -> None:
    """Every entity of the page gets likes of several people, every other one also that of the page's viewer."""
    viewer, *others = machine.community.people[: machine.sizes.page_likers + 1]
    shown = machine.community.shown
    pairs = [(person, entity) for person in others for entity in shown] + [(viewer, one) for one in shown[::2]]
    before = await persisted(machine)
    await client.flood(requests(iter(pairs)), LIKED)
    await until_persisted(machine, before + len(pairs))
