"""Changes and publications that come late: out of order, out of the dead letters, or from somebody who fell asleep."""

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from itertools import permutations

import pytest

import projections.follows
from projections.apply import apply
from projections.events import Followed
from store.people.follows import Pair, pairs_of
from store.postgres.client import Postgres
from store.write_log import dead_letters
from store.write_log.journal import ClientTrace, version_of
from tests.support.concurrent_follows import Crossing
from tests.support.follow_checks import check_rows, shown
from tests.support.refused_rows import refusing
from tests.support.stores import standalone
from tests.support.system import System
from workers.dead_letters import try_again
from workers.worker import Worker

HISTORY = [(0, "1000-0", True), (1, "1001-0", True), (0, "1002-0", False), (1, "1003-0", False), (1, "1004-0", True)]
"""Who of the two, when, and whether they follow the other from then on; each of the two through another partition."""


def event(pair: tuple[int, int], which: int) -> Followed:
    who, version, follows = HISTORY[which]
    return Followed(who, version_of(version), pair[who], pair[1 - who], follows, ClientTrace())


@standalone
async def test_any_order_of_deliveries_each_of_them_repeated_ends_alike(system: System) -> None:
    orders = list(permutations(range(len(HISTORY))))
    pairs = [(4 * n + 1, 4 * n + 3) if n % 2 else (4 * n + 3, 4 * n + 1) for n in range(len(orders))]
    for turn in range(len(HISTORY)):
        delivered = [
            event(pair, which)
            for pair, order in zip(pairs, orders, strict=True)
            for which in order[max(0, turn - 1) : turn + 1]
        ]
        async with system.state.postgres.transaction() as transaction:
            await apply(system.state, transaction, delivered)

    names = {user: str(user) for pair in pairs for user in pair}
    await check_rows(system, names, [(str(other), str(one)) for one, other in pairs])
    assert await system.rows("SELECT count(*) FROM follow_log") == [(len(HISTORY) * len(pairs),)]


async def replay(system: System) -> None:
    (letter,) = await dead_letters.read(system.state.postgres)
    await try_again(system.state, letter)
    assert await dead_letters.read(system.state.postgres) == []


async def a_dead_letter(crossing: Crossing, answered: Collection[str] = ()) -> None:
    """The one of a pair follows the other, which the database refuses; the other answers it with these verbs."""
    ((one, other),) = crossing.pairs
    async with refusing(crossing.system, "follow_log", f"user_id <> {one.user_id}"):
        await crossing.change("follow", one, other)
        for verb in answered:
            await crossing.change(verb, other, one)
        await crossing.settle()


@standalone
@pytest.mark.parametrize("answered", [(), ("follow",), ("follow", "unfollow")])
async def test_replaying_a_follow_that_was_taken_back_since_changes_nothing_but_the_log(
    system: System, answered: tuple[str, ...]
) -> None:
    crossing = await Crossing.of(system, 1)
    ((one, other),) = crossing.pairs
    await a_dead_letter(crossing, answered)
    await crossing.change("unfollow", one, other)
    await crossing.settle()
    await crossing.check_shown()
    tables = ("follows", "following", "followers", "counters")
    before = [await system.rows(f"SELECT * FROM {table}") for table in tables]  # noqa: S608

    await replay(system)

    assert [await system.rows(f"SELECT * FROM {table}") for table in tables] == before  # noqa: S608
    await crossing.check()


@pytest.mark.parametrize("answered", [("follow",), ("follow", "unfollow")])
async def test_replaying_a_follow_that_stands_meets_what_the_other_did_since(
    system: System, answered: tuple[str, ...]
) -> None:
    crossing = await Crossing.of(system, 1)
    await a_dead_letter(crossing, answered)
    for one in crossing.people:
        await shown(one.person, crossing.names)  # and so everything is cached

    await replay(system)

    await crossing.check()


@standalone
async def test_a_replay_and_a_crossing_answer_at_the_same_moment_make_two_friends(system: System) -> None:
    crossing = await Crossing.of(system, 1)
    ((one, other),) = crossing.pairs
    await a_dead_letter(crossing)
    await crossing.change("follow", other, one)

    await asyncio.gather(replay(system), crossing.handle(await crossing.read_batches()))

    await crossing.settle()
    await crossing.check()
    assert (await shown(one.person, crossing.names))[other.person.handle].relation == "FRIENDS"


@asynccontextmanager
async def asleep_between_reading_and_publishing(monkeypatch: pytest.MonkeyPatch, worker: Worker) -> AsyncIterator[None]:
    """The worker's next batch is committed, and what it will publish is read; it publishes after the block."""
    read, awake = asyncio.Event(), asyncio.Event()

    async def fall_asleep(postgres: Postgres, pairs: Sequence[tuple[int, int]]) -> list[Pair]:
        found = await pairs_of(postgres, pairs)
        read.set()
        await awake.wait()
        return found

    with monkeypatch.context() as sleepy:
        sleepy.setattr(projections.follows, "pairs_of", fall_asleep)
        step = asyncio.create_task(worker.step())
        async with asyncio.timeout(20):
            await read.wait()
    yield
    awake.set()
    assert await step == 1


@standalone
@pytest.mark.parametrize("cached", [True, False])
async def test_a_publisher_that_wakes_puts_nothing_older_over_what_is_there(
    system: System, monkeypatch: pytest.MonkeyPatch, cached: bool
) -> None:
    crossing = await Crossing.of(system, 1)
    ((one, other),) = crossing.pairs
    await crossing.change("follow", one, other)
    await crossing.settle()
    if cached:
        await crossing.check()
    await crossing.change("follow", other, one)

    async with asleep_between_reading_and_publishing(monkeypatch, crossing.workers[1]):
        await crossing.change("unfollow", one, other)
        assert await crossing.workers[0].step() == 1
        await shown(other.person, crossing.names)

    await crossing.settle()
    await crossing.check()
