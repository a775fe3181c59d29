"""Late changes and publications: out of order, replayed dead letters, and workers that paused."""

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from itertools import permutations

import pytest

import projections.entries.follows
from domain.versions import version_of
from models.follows import FollowState, Pair
from projections.apply import apply
from projections.entries.follows import Followed
from store.people.follows import pairs_of
from store.postgres.client import Postgres
from store.write_log import dead_letters
from store.write_log.journal import ClientTrace
from tests.support.concurrent_follows import Crossing
from tests.support.follow_checks import check_rows, shown
from tests.support.refused_rows import refusing
from tests.support.stores import standalone
from tests.support.system import System
from workers.replay_dead_letters import apply_again
from workers.worker import Worker

HISTORY = [(0, "1000-0", True), (1, "1001-0", True), (0, "1002-0", False), (1, "1003-0", False), (1, "1004-0", True)]
"""Follower (0 or 1), journal id, and whether the change is a follow. Each of the two has another partition."""


def event(pair: tuple[int, int], at: int) -> Followed:
    side, version, follows = HISTORY[at]
    state = FollowState.FOLLOWS if follows else FollowState.NONE
    return Followed(side, version_of(version), pair[side], pair[1 - side], state, False, ClientTrace())


@standalone
async def test_every_order_of_repeated_deliveries_ends_in_the_same_rows(system: System) -> None:
    orders = list(permutations(range(len(HISTORY))))
    pairs = [(4 * n + 1, 4 * n + 3) if n % 2 else (4 * n + 3, 4 * n + 1) for n in range(len(orders))]
    for turn in range(len(HISTORY)):
        delivered = [
            event(pair, at)
            for pair, order in zip(pairs, orders, strict=True)
            for at in order[max(0, turn - 1) : turn + 1]
        ]
        async with system.state.postgres.transaction() as transaction:
            await apply(system.state, transaction, delivered)

    names = {user: str(user) for pair in pairs for user in pair}
    await check_rows(system, names, [(str(other), str(one)) for one, other in pairs])
    assert await system.rows("SELECT count(*) FROM follow_log") == [(len(HISTORY) * len(pairs),)]


async def replay_dead_letter(system: System) -> None:
    (letter,) = await dead_letters.read(system.state.postgres)
    await apply_again(system.state, letter)
    assert await dead_letters.read(system.state.postgres) == []


async def make_dead_letter(crossing: Crossing, answered: Collection[str] = ()) -> None:
    """Makes a dead letter of a follow. The followed user then sends these verbs about the follower."""
    ((one, other),) = crossing.pairs
    async with refusing(crossing.system, "follow_log", f"user_id <> {one.user_id}"):
        await crossing.change("follow", one, other)
        for verb in answered:
            await crossing.change(verb, other, one)
        await crossing.settle()


@standalone
@pytest.mark.parametrize("answered", [(), ("follow",), ("follow", "unfollow")])
async def test_a_replayed_follow_that_was_undone_changes_only_the_log(
    system: System, answered: tuple[str, ...]
) -> None:
    crossing = await Crossing.of(system, 1)
    ((one, other),) = crossing.pairs
    await make_dead_letter(crossing, answered)
    await crossing.change("unfollow", one, other)
    await crossing.settle()
    await crossing.check_shown()
    tables = ("follows", "following", "followers", "counters")
    before = [await system.stored(table) for table in tables]

    await replay_dead_letter(system)

    assert [await system.stored(table) for table in tables] == before
    await crossing.check()


@pytest.mark.parametrize("answered", [("follow",), ("follow", "unfollow")])
async def test_a_replayed_follow_is_combined_with_later_changes_of_the_followed_user(
    system: System, answered: tuple[str, ...]
) -> None:
    crossing = await Crossing.of(system, 1)
    await make_dead_letter(crossing, answered)
    for one in crossing.people:
        await shown(one.person, crossing.names)  # fills the caches

    await replay_dead_letter(system)

    await crossing.check()


@standalone
async def test_a_replayed_follow_and_a_concurrent_follow_back_make_friends(system: System) -> None:
    crossing = await Crossing.of(system, 1)
    ((one, other),) = crossing.pairs
    await make_dead_letter(crossing)
    await crossing.change("follow", other, one)

    await asyncio.gather(replay_dead_letter(system), crossing.handle(await crossing.read_batches()))

    await crossing.settle()
    await crossing.check()
    assert (await shown(one.person, crossing.names))[other.person.handle].relation == "FRIENDS"


@asynccontextmanager
async def paused_between_reading_and_publishing(monkeypatch: pytest.MonkeyPatch, worker: Worker) -> AsyncIterator[None]:
    """Commits the worker's next batch and reads the rows to publish. The worker publishes them after the block."""
    read, resumed = asyncio.Event(), asyncio.Event()

    async def read_and_pause(postgres: Postgres, pairs: Sequence[tuple[int, int]]) -> list[Pair]:
        found = await pairs_of(postgres, pairs)
        read.set()
        await resumed.wait()
        return found

    with monkeypatch.context() as patched:
        patched.setattr(projections.entries.follows, "pairs_of", read_and_pause)
        step = asyncio.create_task(worker.step())
        async with asyncio.timeout(20):
            await read.wait()
    yield
    resumed.set()
    assert await step == 1


@standalone
@pytest.mark.parametrize("cached", [True, False])
async def test_a_paused_publisher_does_not_replace_newer_cached_values(
    system: System, monkeypatch: pytest.MonkeyPatch, cached: bool
) -> None:
    crossing = await Crossing.of(system, 1)
    ((one, other),) = crossing.pairs
    await crossing.change("follow", one, other)
    await crossing.settle()
    if cached:
        await crossing.check()
    await crossing.change("follow", other, one)

    async with paused_between_reading_and_publishing(monkeypatch, crossing.workers[1]):
        await crossing.change("unfollow", one, other)
        assert await crossing.workers[0].step() == 1
        await shown(other.person, crossing.names)

    await crossing.settle()
    await crossing.check()
