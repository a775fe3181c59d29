"""A page of entities with their counters and the viewer's reactions, everything cached: the API, or by hand."""

import itertools
from contextlib import AsyncExitStack

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


async def measure(machine: Machine) -> list[Result]:
    """Pages per second."""
    connections = machine.sizes.page_connections
    async with AsyncExitStack() as stack:
        ports = [stack.enter_context(machine.api()), stack.enter_context(machine.baseline("handwritten"))]
        ours, theirs = [await stack.enter_async_context(connected(port, connections)) for port in ports]
        with machine.worker():
            await _liked(machine, ours)
        page = request(machine)
        expected = await same_page(page, ours, theirs)

        async def turn(client: Client) -> float:
            return (await client.flood(itertools.repeat(page), expected, machine.sizes.round_seconds)).rate

        rates = await alternate(machine.sizes.rounds, lambda: turn(ours), lambda: turn(theirs))
    return [compared("page", f"{machine.sizes.page_entities} entities, warm", "pages/s", *rates)]


def request(machine: Machine) -> bytes:
    """The page, for somebody who likes some of what is on it."""
    keys = [entity.key for entity in machine.community.shown]
    return graphql(machine.community.people[0].token, PAGE, {"business": BUSINESS, "keys": keys})


async def same_page(page: bytes, ours: Client, theirs: Client) -> bytes:
    """What both servers answer once their caches are warm. Raises Unexpected where they differ by a single byte."""
    await ours.ask(page)
    mine, hers = await ours.ask(page), await theirs.ask(page)
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
