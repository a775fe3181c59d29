"""Reconciliation of blocks, mutes and muted threads: rows by both users, and the sets in Redis."""

import pytest
from sqlalchemy import text

from tests.support.boundaries import block, mute, mute_thread
from tests.support.reconciliation import drift
from tests.support.system import Person, System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])
PARTS = ("blocks", "sets")
SEEN = "query ($id: ID!) { node(id: $id) { id } }"


async def separated(system: System) -> tuple[Person, Person, str, str]:
    """Returns alice, who blocks bob and mutes carol and a thread, and bob; and the ids of both. All boundaries are
    cached.
    """
    alice, bob = system.person("alice"), system.person("bob")
    a, b = await alice.id(), await bob.id()
    await block(alice, b)
    await mute(alice, await system.person("carol").id())
    await mute_thread(alice, (await system.videos("v1"))[0])
    await system.drain()
    assert (await sees(alice, b), await sees(bob, a)) == (False, False)
    return alice, bob, a, b


async def sees(person: Person, user_id: str) -> bool:
    return (await person.ask(SEEN, id=user_id))["node"] is not None


async def test_nothing_drifts_after_blocks_and_mutes(system: System) -> None:
    await separated(system)
    assert await drift(system, *PARTS) == {}


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM blocked_by",
        "UPDATE blocked_by SET stands = false",
        "UPDATE blocked_by SET version = version - 1",
        "DELETE FROM blocks",
    ],
)
async def test_rows_of_blocks_that_differ_are_repaired(system: System, damage: str) -> None:
    alice, bob, a, b = await separated(system)
    before = await system.stored("blocks"), await system.stored("blocked_by")
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(text(damage))

    assert (await drift(system, "blocks")).keys() == {"blocks"}
    assert (await drift(system, "blocks", repair=True)).keys() == {"blocks"}

    assert (await system.stored("blocks"), await system.stored("blocked_by")) == before
    assert await drift(system, *PARTS) == {}
    assert (await sees(alice, b), await sees(bob, a)) == (False, False)


@pytest.mark.parametrize("kind", ["block", "mute", "thread", "blocker"])
async def test_sets_with_a_wrong_member_are_dropped(system: System, kind: str) -> None:
    alice, bob, a, b = await separated(system)
    keys = [
        key.decode() async for some in system.state.redis.scan(100) for key in some if f"}}:own:{kind}:" in key.decode()
    ]
    dave = await system.person("dave").id()
    number = int(dave.partition(":")[2]) if dave.partition(":")[2].isdigit() else 7
    member = f"2:{number}" if kind == "thread" else number
    await system.state.redis.gather([("ZADD", key, 1 << 50, member) for key in keys], write=True)

    found = await drift(system, "sets")
    assert found == {f"cached_{kind}": len(keys)}
    assert await drift(system, "sets", repair=True) == found

    assert await drift(system, "sets") == {}
    assert (await sees(alice, b), await sees(bob, a), await sees(alice, dave)) == (False, False, True)
    assert await drift(system, "sets") == {}
