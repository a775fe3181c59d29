"""Deleting a collection removes the saves in it, a few at a time, by ordinary entries of the owner's journal."""

import pytest

from domain.ids import EPOCH_MS
from tests.support.collections import created, delete, items, own, places, save_into
from tests.support.fallback_mode import directly
from tests.support.reconciliation import dismiss, drift, execute
from tests.support.saves import save, saved, seen
from tests.support.stores import standalone
from tests.support.system import Person, System
from workers import empty_collections as emptying
from workers.empty_collections import empty_collections

pytestmark = standalone
FIRST = 1_000_000
"""The lowest id of the things that are saved by rows only. Ids tell when something was made: these are from 2019."""
LEFT = "SELECT count(*) FROM saves JOIN collections USING (user_id, collection_id) WHERE deleted"
EMPTIED = "SELECT deleted, emptied FROM collections ORDER BY collection_id"
SUM = "SELECT sum(value) FROM counters WHERE kind = 13 AND entity_id BETWEEN :first AND :last"
MANY = """INSERT INTO saves (user_id, business_id, entity_id, collection_id, version)
  SELECT {user}, 100, {first} + n, {collection}, (({now} - n)::bigint << 20) FROM generate_series(1, {count}) n"""
COUNTED = """INSERT INTO counters (business_id, entity_id, kind, value, version)
  SELECT 100, {first} + n, 13, 1, 1 FROM generate_series(1, {count}) n"""


async def step(system: System) -> int:
    """Does one step of the work on deleted collections."""
    return await empty_collections(system.state, lambda: True)


async def finish(system: System) -> int:
    """Does steps until nothing is left, and stores what they append. Returns the number of steps."""
    for count in range(1000):
        appended = await step(system)
        await system.drain()
        if not appended and await system.rows(LEFT) == [(0,)]:
            await step(system)
            return count
    raise AssertionError


async def filled(system: System, count: int, person: Person) -> str:
    """Returns a collection with `count` saves, which are written to rows."""
    collection = await created(person, "many")
    await system.drain()
    ((user,),) = await system.rows("SELECT user_id FROM users WHERE handle = :handle", handle=person.handle)
    id_ = int(collection.rpartition(".")[2])
    now = EPOCH_MS + 1_000_000
    for statement in (MANY, COUNTED):
        await execute(system, statement.format(user=user, first=FIRST, collection=id_, now=now, count=count))
    return collection


async def test_the_collection_disappears_at_once_and_its_saves_later(system: System) -> None:
    alice, videos = system.person("alice"), await system.videos("v1", "v2", "v3")
    one, two = await created(alice, "one"), await created(alice, "two", public=True)
    await save_into(alice, one, *videos[:2])
    await save_into(alice, two, videos[2])
    await system.drain()
    await delete(alice, one)
    assert ([id_ for id_, *_ in await own(alice)], await items(alice, one)) == ([two], None)
    assert await step(system) == 0  # the deletion is not stored yet
    await system.drain()
    assert await places(alice) == {videos[2]: two, videos[1]: None, videos[0]: None}

    assert await step(system) == 2
    assert (await saved(alice), await seen(alice, videos[0])) == ([videos[2]], (0, False))
    assert await step(system) == 0  # the removals are pending
    await system.drain()
    assert await system.rows(EMPTIED) == [(True, False), (False, False)]
    assert await step(system) == 0
    assert await system.rows(EMPTIED) == [(True, True), (False, False)]
    assert [await seen(alice, id_) for id_ in videos] == [(0, False), (0, False), (1, True)]
    assert await drift(system) == {}


async def test_a_save_that_was_moved_meanwhile_stays(system: System) -> None:
    alice, videos = system.person("alice"), await system.videos("v1", "v2", "v3")
    one, two = await created(alice, "one"), await created(alice, "two")
    await save_into(alice, one, *videos)
    await system.drain()
    await delete(alice, one)
    await system.drain()
    await save(alice, videos[0])
    await save_into(alice, two, videos[1])
    assert await step(system) == 3  # of which two change nothing
    await system.drain()
    await finish(system)
    assert await places(alice) == {videos[1]: two, videos[0]: None}
    assert [await seen(alice, id_) for id_ in videos] == [(1, True), (1, True), (0, False)]
    assert await drift(system) == {}


async def test_the_work_goes_on_after_a_crash_at_any_point(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emptying, "_AT_ONCE", 50)
    alice = system.person("alice")
    collection = await filled(system, 230, alice)
    await delete(alice, collection)
    await system.drain()

    assert await step(system) == 50
    assert await step(system) == 0  # again, by another worker, before anything is stored
    await system.drain()
    await dismiss(system)
    system._drainer = None
    assert await system.rows(LEFT) == [(180,)]
    assert await step(system) == 50
    await system.empty_redis()  # what was appended is lost with the journals
    assert await step(system) == 50
    assert 2 < await finish(system) < 20
    assert await system.rows("SELECT count(*), sum(value) FROM counters WHERE kind = 13") == [(230, 0)]
    assert await system.rows(EMPTIED) == [(True, True)]
    assert await drift(system) == {}


async def test_a_step_removes_from_one_collection_of_each_owner(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emptying, "_AT_ONCE", 2)
    people, videos = [system.person(handle) for handle in ("alice", "bob")], await system.videos("v1", "v2", "v3")
    for person in people:
        for name, targets in (("one", videos[:2]), ("two", videos[2:])):
            collection = await created(person, name)
            await save_into(person, collection, *targets)
            await delete(person, collection)
    await system.drain()

    assert await step(system) == 4
    await system.drain()
    for person in people:
        assert [(await seen(person, id_))[1] for id_ in videos] == [False, False, True]
    assert await step(system) == 0  # the first collections are empty now
    assert await step(system) == 2
    await system.drain()
    assert [(await seen(person, videos[2]))[1] for person in people] == [False, False]
    assert await drift(system) == {}


async def test_owners_take_turns(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emptying, "_COLLECTIONS", 1)
    monkeypatch.setattr(emptying, "_AT_ONCE", 1)
    alice, bob, videos = (
        system.person("alice"),
        system.person("bob"),
        await system.videos(*(f"v{n}" for n in range(20))),
    )
    for person, targets in ((alice, videos), (bob, videos[:1])):
        collection = await created(person, "one")
        await save_into(person, collection, *targets)
        await delete(person, collection)
    await system.drain()

    while (await seen(bob, videos[0]))[1]:
        assert await step(system) == 1
        await system.drain()
        assert await saved(alice)  # the chance that bob is not chosen in 20 steps is one in a million


async def test_nothing_is_appended_while_writes_are_direct_or_by_other_workers(system: System) -> None:
    alice = system.person("alice")
    collection = await filled(system, 3, alice)
    await delete(alice, collection)
    await system.drain()
    async with directly(system):
        assert await step(system) == 0
    assert await empty_collections(system.state, lambda: False) == 0
    assert await step(system) == 3


@pytest.mark.prove
@pytest.mark.timeout(900)
async def test_a_collection_of_a_hundred_thousand_saves_is_emptied(system: System) -> None:
    alice, bob, (video,) = system.person("alice"), system.person("bob"), await system.videos("v1")
    collection = await filled(system, 100_000, alice)
    await delete(alice, collection)
    await system.drain()
    steps = 0
    while await system.rows(LEFT) != [(0,)]:
        assert await step(system) <= emptying._AT_ONCE
        lengths = await system.state.journals.lengths(range(system.settings.partitions))
        assert max(lengths) <= 2 * emptying._AT_ONCE
        verb = "save" if steps % 2 else "unsave"
        payload = await bob.ask(
            f"mutation ($id: ID!) {{ {verb}(input: {{targetId: $id}}) {{ userErrors {{ code }} }} }}", id=video
        )
        assert payload[verb]["userErrors"] == []
        await system.drain()
        if steps == 50:  # another worker goes on
            await step(system)
            await dismiss(system)
            system._drainer = None
        steps += 1
    await step(system)
    assert steps >= 100_000 // emptying._AT_ONCE
    assert await system.rows(SUM, first=FIRST, last=FIRST + 100_000) == [(0,)]
    assert await system.rows(EMPTIED) == [(True, True)]
