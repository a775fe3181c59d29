"""Floors are 1, 2, 3 … in the order of approval, whichever worker stores the comments."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from store import keys
from store.cache.values import Cached
from store.content import comments
from tests.support.comments import add, added, counts, decide, delete, floors, number, seen
from tests.support.stores import standalone
from tests.support.system import Person, System
from workers.worker import Worker


async def _two_workers(system: System) -> tuple[Worker, Worker]:
    """Returns two workers, each with half of the partitions."""
    one, other = system.worker(), system.worker()
    for _ in range(3):
        await one.ownership.renew()
        await other.ownership.renew()
    assert len(one.owned) == len(other.owned) == 2
    return one, other


async def _until(workers: Sequence[Worker], done: asyncio.Event) -> None:
    """Runs the workers concurrently until `done` is set and the journals are empty."""

    async def work(worker: Worker) -> None:
        while await worker.step() or not done.is_set():
            await asyncio.sleep(0)

    await asyncio.gather(*map(work, workers))


async def _issued(system: System) -> dict[int, list[int]]:
    """Returns the issued floors by root, or by 0 for the floors of root comments."""
    rows = await system.rows("SELECT coalesce(root_id, 0), floor FROM comment_contents WHERE floor IS NOT NULL")
    found: dict[int, list[int]] = {}
    for root, floor in rows:
        found.setdefault(root, []).append(floor)
    return {root: sorted(floors) for root, floors in found.items()}


@standalone
@pytest.mark.timeout(120)
async def test_two_workers_issue_floors_without_gaps_while_users_write_and_delete_and_moderators_decide(
    system: System,
) -> None:
    (video,) = await system.videos("v1")
    people, mia = [system.person(f"p{i}") for i in range(8)], system.person("mia", "moderate")
    roots = [await added(people[i], video, f"root {i}") for i in range(2)]
    await system.drain()
    await (await system.owner()).ownership.leave()
    workers, done = await _two_workers(system), asyncio.Event()
    gone: list[str] = []

    async def talk(person: Person) -> None:
        for n in range(5):
            mine = [await added(person, video, f"{person.handle} {n}")]
            mine += [await added(person, video, f"{person.handle} {n} to {root}", to=root) for root in roots]
            if n == 3:
                assert (await delete(person, mine[1]))["userErrors"] == []
                gone.append(mine[1])
            if n == 4 and await seen(mia, mine[0]):
                await decide(mia, mine[0], "REJECT")
                await decide(mia, mine[0], "APPROVE")

    async def talk_all() -> None:
        await asyncio.gather(*map(talk, people))
        done.set()

    await asyncio.gather(talk_all(), _until(workers, done))

    issued = await _issued(system)
    assert issued == {place: list(range(1, len(some) + 1)) for place, some in issued.items()}
    assert len(issued[0]) == 2 + 40
    assert len(issued[number(roots[1])]) == 40
    last = dict(await system.rows("SELECT entity_id, floors FROM comment_subjects"))
    assert sorted(last.values()) == sorted(len(some) for some in issued.values())
    assert await counts(mia, video) == (2 + 40 + 40 + 40 - len(gone), 42)
    assert await system.rows("SELECT * FROM dead_letters") == []


@standalone
async def test_a_comment_keeps_its_floor_and_no_floor_is_issued_twice(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    first, second = await added(alice, video, "first"), await added(alice, video, "second")
    await system.drain()
    await delete(alice, second)
    await decide(mia, first, "REJECT")
    await system.drain()
    third = await added(alice, video, "third")
    await system.drain()
    await decide(mia, first, "APPROVE")
    await system.drain()

    assert await floors(system, first, second, third) == [1, 2, 3]


@standalone
async def test_floors_follow_the_order_of_approval_not_of_writing(system: System) -> None:
    """Both comments wait for a moderator because of their links."""
    (video,) = await system.videos("v1")
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    links = " ".join(f"https://example.com/{n}" for n in range(20))
    early, late = await added(alice, video, "a" + links), await added(alice, video, "b" + links)
    await system.drain()
    assert await floors(system, early, late) == [None, None]

    await decide(mia, late, "APPROVE")
    await decide(mia, early, "APPROVE")
    await system.drain()

    assert await floors(system, early, late) == [2, 1]


@standalone
async def test_a_batch_issues_floors_in_the_order_of_its_events(system: System) -> None:
    (video,) = await system.videos("v1")
    ids = [(await add(system.person(f"p{i}"), video, f"{i}"))["comment"]["id"] for i in range(6)]

    await system.drain()

    assert await floors(system, *ids) == [1, 2, 3, 4, 5, 6]


async def test_a_comment_that_is_stored_again_with_another_floor_replaces_its_cached_copy(system: System) -> None:
    """After a failover, the comment has the same version and another floor."""
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    comment = await added(alice, video, "hello")
    await system.drain()
    assert (await seen(system.person(None), comment))["floor"] == 1
    id_ = number(comment)
    row = (await comments.by_id(system.state.postgres, [id_]))[id_]

    again = comments.encode(replace(row, floor=2))
    await system.state.cache.publish([(keys.comment(id_), again)], 60_000)

    (raw,) = await system.state.cache.redis.get_many([keys.comment(id_)])
    assert raw
    assert comments.decode(Cached.parse(raw)).floor == 2  # type: ignore[union-attr]
