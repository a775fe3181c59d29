"""Whether somebody whom everybody follows slows down those whom hardly anybody does."""

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
from store.people.follows import FollowsNotCached
from store.write_log.operations import Operation, Outcome, Status

_AT_ONCE = 500
_ONE_IN = 7
"""A worker drains some 7000 entries a second; 1000 of them are follows of the one."""

Follow = tuple[Person, Person]


async def measure(machine: Machine) -> list[Result]:
    """Batches per second of a backlog of follows: one in seven of one account, against all of different ones."""
    people = machine.community.people
    # The first half are whom to follow for a change; the others follow each other, and one of the first.
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
            return len(follows) / machine.settings.batch_entries / (time.perf_counter() - started)

        famous, unknown = await alternate(
            machine.sizes.rounds,
            lambda: drained(with_celebrity()),
            lambda: drained(list(itertools.islice(quiet, backlog))),
        )
    return [compared("celebrity", "batches/s while one account gains followers", famous, unknown)]


def _pairs(people: Sequence[Person]) -> Iterator[Follow]:
    """Neighbours are different people on both sides, and no pair comes twice."""
    for shift in range(1, len(people)):
        for i, person in enumerate(people):
            yield person, people[(i + shift) % len(people)]


async def _warm(machine: Machine, people: Sequence[Person]) -> None:
    for person in people:
        await machine.state.follows.warm(person.user_id)


async def _follow(machine: Machine, pair: Follow) -> None:
    follower, followee = pair
    operation = Operation(("", secrets.token_hex(16)), "bench", 60_000)
    entry = orjson.dumps({"actor": follower.user_id, "followee": followee.user_id, "ip": "203.0.113.7"})
    answer = await machine.state.follows.follow(follower.user_id, True, followee.user_id, operation, entry)
    assert not isinstance(answer, FollowsNotCached)
    assert answer == Outcome(Status.DONE)
