"""Compares the API's CPU time for likes of one very busy user with that for likes of many users at the same pace."""

import itertools
from collections.abc import Iterator, Sequence

from bench.client import Client, connected, graphql
from bench.community import Person
from bench.home import LIKED
from bench.hot import cpu_of
from bench.journal import until_stored
from bench.likes import LIKE
from bench.machine import Machine
from bench.pace import pace
from bench.results import Result, compared
from bench.rounds import Turn, alternate

UNLIKE = LIKE.replace("like(", "unlike(")


async def measure(machine: Machine) -> list[Result]:
    """Measures the CPU time of the API process for a like, while a worker stores the likes.

    Each answer has the new counter, for which the API must read the user's pending changes. The busy user has about a
    thousand of them. The first half of each turn, which lasts as long as a change is pending, is not measured: until
    then, pending changes accumulate.
    """
    one, many = machine.community.people[:1], machine.community.people[-machine.sizes.busy_users :]
    with machine.worker():
        async with connected(machine.api_port, machine.sizes.page_connections) as client:
            turns = [_turn(machine, client, _likes(machine, people)) for people in (one, many)]
            alone, together = await alternate(machine.sizes.rounds, *turns)
    what = f"µs of CPU for a like, one user against {len(many)}"
    return [compared("busy", what, alone, together, at_most=1.3)]


def _likes(machine: Machine, people: Sequence[Person]) -> Iterator[bytes]:
    """Yields requests without end: these people, one after the other, like the entities, and then take
    the likes back.
    """
    for query in itertools.cycle((LIKE, UNLIKE)):
        for entity, person in zip(machine.community.entities, itertools.cycle(people), strict=False):
            yield graphql(person.token, query, {"id": entity.global_id})


def _turn(machine: Machine, client: Client, likes: Iterator[bytes]) -> Turn:
    sizes = machine.sizes
    count = int(sizes.busy_per_second * sizes.busy_seconds)

    async def cpu() -> float:
        await pace(client, itertools.islice(likes, count), LIKED, sizes.busy_per_second)
        before = await cpu_of(client)
        await pace(client, itertools.islice(likes, count), LIKED, sizes.busy_per_second)
        used = await cpu_of(client) - before
        await until_stored(machine)
        return 1_000_000 * used / count

    return cpu
