"""The second script of a block, which tells the slot of the blocked user: lost, late, and told by a worker."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from loaders.boundaries import ViewerBoundaries
from projections.registry import events_of
from store.own_sets.boundaries import BoundaryStore
from store.people.follows import drop_lists
from store.redis.client import RedisDown
from tests.support.boundaries import block, change, unblock
from tests.support.follows import follow
from tests.support.reconciliation import drift
from tests.support.system import Person, System
from tests.support.workers import ready
from workers.persist import persist
from workers.publish import publish

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone", "cluster"])

RELATION = "query ($id: ID!) { node(id: $id) { ... on User { viewerRelation } } }"


@contextmanager
def lost() -> Iterator[None]:
    """Loses the second scripts that requests send while the block runs."""

    async def fail(*_: object) -> None:
        raise RedisDown

    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(BoundaryStore, "receive", fail)
        yield


async def relation(person: Person, user_id: str) -> str | None:
    node = (await person.ask(RELATION, id=user_id))["node"]
    return str(node["viewerRelation"]) if node else None


async def test_a_worker_tells_the_blocked_user_if_the_request_could_not(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a, b = await alice.id(), await bob.id()
    await follow(bob, a)
    with lost():
        await block(alice, b)
    assert await relation(alice, b) is None  # at once for alice
    assert await relation(bob, a) == "FOLLOWING"

    await system.drain()
    await system.drain()  # stores the end of the follow

    assert await relation(bob, a) is None
    assert await system.rows("SELECT * FROM following") == []


async def test_a_block_that_arrives_after_its_unblock_changes_nothing(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a, b = await alice.id(), await bob.id()
    with lost():
        await block(alice, b)
    await unblock(alice, b)
    await follow(bob, a)

    await system.drain()

    assert await relation(bob, a) == "FOLLOWING"


async def test_a_block_ends_a_follow_although_its_unblock_is_stored_already(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a, b = await alice.id(), await bob.id()
    worker = await ready(system)
    await follow(bob, a)
    await worker.step()
    with lost():
        await block(alice, b)
        await unblock(alice, b)
    blocked, unblocked = await worker.read(worker.owned)
    await persist(system.state, worker.owned, [blocked, unblocked])

    for entry in (blocked, unblocked):  # two publications
        await publish(system.state, events_of(entry), ())
    await worker.step()
    await worker.step()  # stores the end of the follow

    assert await relation(bob, a) == "NONE"
    assert await system.rows("SELECT * FROM following") == []


async def test_a_removal_that_is_told_late_ends_the_follow_once(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a, b = await alice.id(), await bob.id()
    await follow(bob, a)
    with lost():
        assert (await change(alice, "removeFollower", b))["userErrors"] == []
    await system.drain()
    assert await relation(bob, a) == "NONE"

    await follow(bob, a)
    await system.drain()
    assert await relation(bob, a) == "FOLLOWING"


async def test_a_follow_is_refused_by_the_script_if_a_block_arrives_meanwhile(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a, b = await alice.id(), await bob.id()
    await relation(bob, a)  # caches bob's boundaries
    await block(alice, b)

    async def nobody(*_: object) -> frozenset[int]:
        return frozenset()

    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(ViewerBoundaries, "hidden_among", nobody)  # as if the request had read them before the block
        payload = (
            await bob.ask(
                "mutation ($id: ID!) { follow(input: {userId: $id}) { user { id } userErrors { code } } }", id=a
            )
        )["follow"]

    assert payload == {"user": None, "userErrors": [{"code": "BLOCKED"}]}


async def test_the_blockers_of_a_user_whom_many_block_are_looked_up(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.people.boundary_rows.MOST_BLOCKERS", 2)
    bob = system.person("bob")
    b = await bob.id()
    people = [system.person(f"p{number}") for number in range(5)]
    ids = [await person.id() for person in people]
    for person in people[:4]:
        await block(person, b)
    expected = [None] * 4 + ["NONE"]
    assert [await relation(bob, id_) for id_ in ids] == expected
    await system.drain()
    assert [await relation(bob, id_) for id_ in ids] == expected

    await system.empty_redis()

    assert [await relation(bob, id_) for id_ in ids] == expected  # from rows
    assert [await relation(bob, id_) for id_ in ids] == expected  # from the filled cache
    await unblock(people[0], b)
    assert await relation(bob, ids[0]) == "NONE"
    await system.drain()
    assert await relation(bob, ids[0]) == "NONE"


async def test_a_full_journal_does_not_refuse_the_end_of_a_follow(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a, b = await alice.id(), await bob.id()
    await follow(bob, a)
    with lost():
        await block(alice, b)
    monkeypatch.setattr(system.state.boundaries, "_journal_bound", 0)

    await system.drain()
    await system.drain()

    assert await relation(bob, a) is None
    assert await system.rows("SELECT * FROM following") == []


async def test_a_mark_that_redis_has_lost_is_written_again(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a, b = await alice.id(), await bob.id()
    await block(alice, b)
    ((number,),) = await system.rows("SELECT user_id FROM users WHERE handle = 'bob'")
    await system.state.redis("DEL", system.state.keys.own_set("blocker", number), write=True)
    await system.state.redis("DEL", system.state.keys.boundaries(number), write=True)
    assert await relation(bob, a) == "NONE"  # loaded from rows, which lack the block

    await system.drain()

    assert await relation(bob, a) is None


async def test_sets_that_expire_one_by_one_are_loaded_again(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a, b = await alice.id(), await bob.id()
    assert await relation(bob, a) == "NONE"
    await block(system.person("carol"), b)  # changes the stamp of bob
    ((number,),) = await system.rows("SELECT user_id FROM users WHERE handle = 'bob'")
    keys, redis = system.state.keys, system.state.redis
    lives = [
        await redis("PTTL", key)
        for key in (keys.boundaries(number), keys.own_set("block", number), keys.own_set("blocker", number))
    ]
    assert lives[0] <= min(lives[1:]) + 50  # the stamp expires first

    await redis("DEL", keys.own_set("block", number), write=True)

    await follow(bob, a)
    assert await relation(bob, a) == "FOLLOWING"


async def test_a_repeated_block_does_not_hide_a_follow_that_is_newer(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a, b = await alice.id(), await bob.id()
    await follow(bob, a)
    await change(alice, "block", b, "k")
    await unblock(alice, b)
    await follow(bob, a)
    await system.drain()
    await drop_lists(system.state.cache, [int(a.removeprefix("User:"))])

    assert (await change(alice, "block", b, "k"))["userErrors"] == []

    assert await relation(alice, b) == "FOLLOWED_BY"
    assert await drift(system) == {}
