"""Collections while Redis is replaced, or while Postgres is down."""

from runner.postgres import Postgres
from tests.support.collections import (
    DELETE,
    SAVE_INTO,
    STORED,
    UPDATE,
    created,
    delete,
    items,
    own,
    refusal,
    save_into,
    update,
)
from tests.support.fallback_mode import directly
from tests.support.outages import Away, both_ways
from tests.support.saves import unsave
from tests.support.stores import standalone
from tests.support.system import System


@standalone
async def test_collections_are_written_directly_while_redis_is_replaced(system: System) -> None:
    alice, (video,) = system.person("alice"), await system.videos("v1")
    one = await created(alice, "one", public=True)
    await system.drain()
    async with directly(system):
        two = await created(alice, "two")
        await update(alice, one, name="first")
        assert await own(alice) == [(two, "two", False), (one, "first", True)]
        await save_into(alice, two, video)
        assert (await items(alice, two), await items(system.person("bob"), one)) == ([video], [])
        await delete(alice, one)
        assert await alice.errors(SAVE_INTO, id=video, into=one) == [("UNAVAILABLE", ["save"])]
    payload = (await alice.ask(SAVE_INTO, id=video, into=one))["save"]
    assert refusal(payload) == ("TARGET_NOT_FOUND", ["collectionId"])
    assert (await own(alice), await items(alice, two)) == ([(two, "two", False)], [video])
    assert await created(alice, "two") == two  # a repetition


@standalone
async def test_a_change_of_a_collection_that_is_not_stored_yet_succeeds_when_redis_is_back(system: System) -> None:
    """A refusal would be stored with the idempotency key."""
    alice, (video,) = system.person("alice"), await system.videos("v1")
    one, two = await created(alice, "one"), await created(alice, "two")
    changes = {
        "save": (SAVE_INTO, {"id": video, "into": one, "key": "a"}),
        "updateCollection": (UPDATE, {"id": one, "name": "first", "key": "b"}),
        "deleteCollection": (DELETE, {"id": two, "key": "c"}),
    }
    async with directly(system):
        for mutation, (query, variables) in changes.items():
            assert await alice.errors(query, **variables) == [("UNAVAILABLE", [mutation])]
    for mutation, (query, variables) in changes.items():
        assert (await alice.ask(query, **variables))[mutation]["userErrors"] == []
    assert (await own(alice), await items(alice, one)) == ([(one, "first", False)], [video])


@standalone
@both_ways
async def test_cached_collections_hold_while_postgres_is_down(system: System, postgres: Postgres, away: Away) -> None:
    alice, (video,) = system.person("alice"), await system.videos("v1")
    one = await created(alice, "one")
    await save_into(alice, one, video)
    assert await items(alice, one) == [video]
    async with away(postgres, system.state.postgres):
        await update(alice, one, name="first")
        await unsave(alice, video)
        assert (await own(alice), await items(alice, one)) == ([(one, "first", False)], [])
    await system.drain()
    assert await system.rows(STORED) == [("first", False, False)]
