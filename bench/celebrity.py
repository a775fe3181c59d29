"""Measures whether follows of one very popular account slow down how fast a worker stores other follows."""

import asyncio
import itertools
import secrets
import time
from collections.abc import Iterator, Sequence

import orjson

from bench.community import Person
from bench.machine import Machine
from bench.results import Result, compared
from bench.rounds import alternate
from bench.working import emptied, working
from models.counters import EntityRef
from models.follows import FOLLOW, FollowState
from models.own_sets import Transition
from settings import USERS
from store.write_log.operations import Operation, Status

_AT_ONCE = 500
_ONE_IN = 7
"""One follow in this many is of the popular account: about 1000 a second, at the 7000 that a worker stores."""

Follow = tuple[Person, Person]


async def measure(machine: Machine) -> list[Result]:
    """Measures how fast a worker stores follows: if one in seven is of the popular account, compared to follows of
    different accounts only.
    """
    people = machine.community.people
    # People of the first half are the popular accounts of the rounds. The others follow each other and one of them.
    fans = len(people) // 2
    quiet, celebrities, backlog = _pairs(people[fans:]), iter(people[:fans]), _ONE_IN * (len(people) - fans)

    def with_celebrity() -> list[Follow]:
        celebrity = next(celebrities)
        follows = list(itertools.islice(quiet, backlog))
        follows[::_ONE_IN] = [(person, celebrity) for person in people[fans:]]
        return follows

    await _warm(machine, people)
    async with working(machine) as worker:

        async def drained(follows: Sequence[Follow]) -> float:
            for at in range(0, len(follows), _AT_ONCE):
                await asyncio.gather(*[_follow(machine, one) for one in follows[at : at + _AT_ONCE]])
            started = time.perf_counter()
            assert await emptied(worker) == len(follows)
            return len(follows) / machine.settings.batches.entries / (time.perf_counter() - started)

        famous, unknown = await alternate(
            machine.sizes.rounds,
            lambda: drained(with_celebrity()),
            lambda: drained(list(itertools.islice(quiet, backlog))),
        )
    return [compared("celebrity", "batches/s while one account gains followers", famous, unknown)]


def _pairs(people: Sequence[Person]) -> Iterator[Follow]:
    """Yields follows as (follower, followee). Neighbouring follows have different followers and followees. No follow
    occurs twice.
    """
    for shift in range(1, len(people)):
        for i, person in enumerate(people):
            yield person, people[(i + shift) % len(people)]


async def _warm(machine: Machine, people: Sequence[Person]) -> None:
    boundaries = machine.state.boundaries
    for person in people:
        await machine.state.own_sets.warm(FOLLOW, person.user_id)
        await boundaries.read(boundaries.ask(person.user_id))


async def _follow(machine: Machine, pair: Follow) -> None:
    follower, followee = pair
    operation = Operation(secrets.token_hex(16), "bench", 60_000)
    entry = orjson.dumps({"actor": follower.user_id, "followee": followee.user_id, "ip": "203.0.113.7"})
    change = Transition(FOLLOW, EntityRef(USERS, followee.user_id), FollowState.FOLLOWS, entry)
    outcome = await machine.state.own_sets.change(follower.user_id, change, operation)
    assert outcome.status is Status.DONE
