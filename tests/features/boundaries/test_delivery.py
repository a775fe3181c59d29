"""The second script of a block, which tells the slot of the blocked user: lost, late, and told by a worker."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from store.people.boundaries import BoundaryStore
from store.redis.client import RedisDown
from tests.support.boundaries import block, change, unblock
from tests.support.follows import follow
from tests.support.system import Person, System

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
    store = system.state.boundaries
    (number,) = [row[0] for row in await system.rows("SELECT user_id FROM users WHERE handle = 'bob'")]
    before = await store.read(store.ask(number))
    await block(alice, b)

    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(BoundaryStore, "answered", lambda *_: before)
        payload = (
            await bob.ask(
                "mutation ($id: ID!) { follow(input: {userId: $id}) { user { id } userErrors { code } } }", id=a
            )
        )["follow"]

    assert payload == {"user": None, "userErrors": [{"code": "BLOCKED"}]}


async def test_the_blockers_of_a_user_whom_many_block_are_looked_up(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.people.boundaries._MOST_BLOCKERS", 2)
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
