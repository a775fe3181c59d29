"""Compares likes through the API with likes that are one Postgres transaction each."""

from collections.abc import Iterator
from contextlib import AsyncExitStack
from itertools import islice

from bench import naive, scratch
from bench.client import Client, Flood, connected, graphql
from bench.community import Pair
from bench.journal import persisted, until_persisted
from bench.machine import Machine
from bench.results import Result, compared
from bench.rounds import alternate

LIKE = """mutation ($id: ID!) {
  like(input: {targetId: $id}) { target { id likeCount viewerReaction } userErrors { code } }
}"""
LIKED = b'"viewerReaction":"LIKE"},"userErrors":[]'


def requests(pairs: Iterator[Pair]) -> Iterator[bytes]:
    """Yields one request for each pair, in which the person likes the entity."""
    return (graphql(person.token, LIKE, {"id": entity.global_id}) for person, entity in pairs)


async def measure(machine: Machine) -> list[Result]:
    """Measures acknowledged likes per second and stored likes per second: of many entities, and of one hot entity at a
    time.
    """
    await scratch.make(machine.settings, naive.SCHEMA, naive.TABLES)
    connections, community = machine.sizes.connections, machine.community
    async with AsyncExitStack() as stack:
        stack.enter_context(machine.worker())
        ports = [machine.api_port, stack.enter_context(machine.baseline("naive"))]
        ours, theirs = [await stack.enter_async_context(connected(port, connections)) for port in ports]
        # From here on both servers have cached all users and their reactions.
        await persisted_flood(machine, ours, islice(community.pairs, machine.sizes.users), float("inf"))
        await theirs.flood(requests(islice(community.pairs, machine.sizes.users)), LIKED)
        return [
            *await _compared(machine, ours, theirs, "many entities", community.pairs),
            *await _compared(machine, ours, theirs, "one hot entity", community.hot_pairs),
        ]


async def _compared(machine: Machine, ours: Client, theirs: Client, what: str, pairs: Iterator[Pair]) -> list[Result]:
    stored: list[float] = []
    seconds = machine.sizes.round_seconds

    async def our_turn() -> float:
        flood, late = await persisted_flood(machine, ours, pairs, seconds)
        stored.append(flood.answered / (flood.seconds + late))
        return flood.rate

    async def their_turn() -> float:
        return (await theirs.flood(requests(pairs), LIKED, seconds)).rate

    acknowledged, baseline = await alternate(machine.sizes.rounds, our_turn, their_turn)
    return [
        compared("likes", f"likes/s acknowledged: {what}", acknowledged, baseline),
        compared("likes", f"likes/s persisted: {what}", stored[1:], baseline),
    ]


async def persisted_flood(
    machine: Machine, client: Client, pairs: Iterator[Pair], seconds: float
) -> tuple[Flood, float]:
    """Sends likes of these pairs through the API for `seconds`. Returns the result, and the seconds from the last
    answer until all likes were in Postgres.
    """
    before = await persisted(machine)
    flood = await client.flood(requests(pairs), LIKED, seconds)
    return flood, await until_persisted(machine, before + flood.answered)
