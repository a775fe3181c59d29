"""Compares likes through the API with the peer and with hand-written code, which run the same Redis script, and with
one Postgres transaction for each like.
"""

from collections.abc import Iterator
from contextlib import AsyncExitStack

from bench import naive, scratch, wrk
from bench.client import Client, connected, graphql
from bench.community import BUSINESS, Pair
from bench.journal import until_stored
from bench.likes import LIKE, LIKED, requests
from bench.machine import Machine
from bench.page import ENTITIES, agreed
from bench.peers.pages import BY_HAND, PEER
from bench.peers.peer import peer
from bench.results import Result, compared
from bench.rounds import Turn, alternate

_GOALS = {PEER: 0.35, "one transaction each": 1.0, BY_HAND: 0.8}
_PAGE = 50


async def measure(machine: Machine) -> list[Result]:
    """Measures acknowledged likes per second of all servers, which take turns.

    In each turn, 40 users who were in no other turn like 500 entities. All entities are cached. No user likes an entity
    twice, unless a server answers more than 6000 likes per second. A worker runs all the time. It stores the likes of
    all servers except the one with transactions, and has stored them before the next turn begins.
    """
    await scratch.make(machine.settings, naive.SCHEMA, naive.TABLES)
    async with AsyncExitStack() as stack:
        stack.enter_context(machine.worker())
        servers = peer(machine), machine.baseline("naive"), machine.baseline("by_hand")
        ports = [machine.api_port, *map(stack.enter_context, servers)]
        clients = [await stack.enter_async_context(connected(port, 1)) for port in ports]
        api, by_script, _, by_hand = clients
        await cache_entities(machine, api)
        await agreed([api, by_script, by_hand], _like(machine))
        some = crowds(machine)
        turns = [_turn(machine, api, side, some) for side in clients]
        ours, *theirs = await alternate(machine.sizes.rounds, *turns)
    return [
        compared("peers", f"likes/s, against {name}", ours, rates, at_least=goal)
        for (name, goal), rates in zip(_GOALS.items(), theirs, strict=True)
    ]


async def cache_entities(machine: Machine, api: Client) -> None:
    """Fills the cache with all entities and their counters, by requests to the API."""
    keys = [entity.key for entity in machine.community.entities]
    viewer = machine.community.people[0]
    for at in range(0, len(keys), _PAGE):
        await api.ask(graphql(viewer.token, ENTITIES, {"business": BUSINESS, "keys": keys[at : at + _PAGE]}))


def _like(machine: Machine) -> bytes:
    """Returns a request for a like that no turn sends. Only the first such request changes something, so that the
    answers of all servers must be equal.
    """
    viewer, entity = machine.community.people[-1], machine.community.shown[-1]
    return graphql(viewer.token, LIKE, {"id": entity.global_id})


def crowds(machine: Machine) -> Iterator[list[Pair]]:
    """Yields the pairs of a user and an entity for one turn after the other. No section has used these pairs: the other
    sections begin at the other end of all pairs.
    """
    people, entities = machine.community.people, machine.community.entities
    for at in range(0, len(people), machine.sizes.likers):
        some = range(at, at + machine.sizes.likers)
        yield [
            (people[i], entities[(i - 1 - shift) % len(entities)])
            for shift in range(machine.sizes.liked_entities)
            for i in some
        ]


def _turn(machine: Machine, api: Client, side: Client, crowds: Iterator[list[Pair]]) -> Turn:
    sizes = machine.sizes

    async def rate() -> float:
        pairs = next(crowds)
        first, second, rest = pairs[: sizes.likers], pairs[sizes.likers : 2 * sizes.likers], pairs[2 * sizes.likers :]
        await api.flood(requests(iter(first)), LIKED)  # caches the reactions of each user
        await side.flood(requests(iter(second)), LIKED)  # verifies the tokens
        file = wrk.write(requests(iter(rest)), machine.home / "requests")
        flood = await wrk.flood(side.port, file, LIKED.decode(), sizes.wrk_seconds, sizes.wrk_connections)
        await until_stored(machine)
        return flood.rate

    return rate
