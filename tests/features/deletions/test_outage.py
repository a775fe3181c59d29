"""A deletion holds from its acknowledgement, and ends completely, whatever fails meanwhile."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from runner.postgres import Postgres
from runner.server import Server
from settings import Settings
from store.people import account_rows, users
from store.redis.client import RedisDown
from tests.support.deletions import DELETE, delete, deletion, finish, step
from tests.support.fallback_mode import begin, end
from tests.support.outages import known_to_be_back, stopped
from tests.support.posts import published
from tests.support.reconciliation import drift
from tests.support.stores import standalone
from tests.support.subscriptions import serving
from tests.support.suspended_writes import scene
from tests.support.system import LENIENT, Person, System
from workers.deletions import purge, undo
from workers.deletions.run import delete_accounts

GONE = [("ACCOUNT_DELETED", None)]
LEFT = """SELECT (SELECT count(*) FROM reactions WHERE user_id = :user)
    + (SELECT count(*) FROM saves WHERE user_id = :user)
    + (SELECT count(*) FROM posts WHERE author_id = :user AND NOT deleted)
    + (SELECT count(*) FROM comment_contents WHERE author_id = :user AND NOT deleted)
    + (SELECT count(*) FROM collections WHERE user_id = :user)
    + (SELECT count(*) FROM following WHERE :user IN (user_id, followee_id)) AS left"""


async def is_clean(system: System, user: str) -> None:
    """Checks that nothing of a user is left, and that all derived values are right."""
    assert await system.rows(LEFT, user=int(user.removeprefix("User:"))) == [(0,)]
    assert await drift(system) == {}


async def shows(reader: Person, id_: str) -> bool:
    return (await reader.ask("query ($id: ID!) { node(id: $id) { id } }", id=id_))["node"] is not None


@standalone
async def test_a_deletion_is_refused_and_has_no_effect_while_postgres_is_down(
    system: System, postgres: Postgres
) -> None:
    bob, ids = await scene(system)
    reader = system.person("alice")
    assert await shows(reader, ids["bob"])
    async with stopped(postgres, system.state.postgres):
        assert await bob.errors(DELETE, mode="ERASE", days=0, user=None, key=None) == [("UNAVAILABLE", ["deleteUser"])]
    await system.drain()
    assert await shows(reader, ids["bob"])
    assert await deletion(bob) is None


@standalone
async def test_a_deletion_holds_if_postgres_goes_down_after_it(system: System, postgres: Postgres) -> None:
    bob, ids = await scene(system)
    await delete(bob, days=30)
    assert not await shows(system.person("alice"), ids["post"])
    async with stopped(postgres, system.state.postgres):
        assert await bob.errors("{ square { nodes { id } } }") == GONE
        assert not await shows(system.person("alice"), ids["post"])


@standalone
async def test_a_deletion_during_direct_writes_holds_and_ends_completely(system: System, valkey: Server) -> None:
    bob, ids = await scene(system)
    reader = system.person("alice")
    await asyncio.to_thread(valkey.stop)
    try:
        await begin(system)
        assert (await delete(bob))["userErrors"] == []
        assert await bob.errors("{ square { nodes { id } } }") == GONE
        assert not await shows(reader, ids["post"])
        assert await delete_accounts(system.state, lambda: True, {}) == 0  # waits for Redis
    finally:
        valkey.start()
    await known_to_be_back(system.state.redis)
    await end(system)
    await system.drain()
    await finish(system)
    await is_clean(system, ids["bob"])


async def test_what_the_user_did_before_is_removed_even_if_it_was_not_stored_yet(system: System) -> None:
    bob, ids = await scene(system)
    (post,) = await published(bob, "not stored yet")
    await bob.like(ids["video"])
    await delete(bob)
    await finish(system)
    assert not await shows(system.person("alice"), post)
    await is_clean(system, ids["bob"])


@standalone
@pytest.mark.parametrize("calls", range(1, 30, 4))
async def test_a_worker_that_dies_at_any_moment_loses_nothing(
    system: System, monkeypatch: pytest.MonkeyPatch, calls: int
) -> None:
    bob, ids = await scene(system)
    await bob.like(ids["video"])
    await delete(bob)
    left = calls

    def dying(original: Any) -> Any:
        async def call(*args: Any, **more: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                raise RedisDown
            return await original(*args, **more)

        return call

    steps = (account_rows, "remove"), (account_rows, "empty"), (users, "blank"), (purge, "unname"), (undo, "unname")
    for module, name in steps:
        monkeypatch.setattr(module, name, dying(getattr(module, name)))
    monkeypatch.setattr(system.state.own_sets, "change", dying(system.state.own_sets.change))
    monkeypatch.setattr(system.state.patches, "append", dying(system.state.patches.append))
    await finish(system)
    assert left <= 0 or calls > 20  # the last calls are those of a deletion that had few things to remove
    await is_clean(system, ids["bob"])


async def test_two_workers_at_once_lose_nothing_and_count_nothing_twice(system: System) -> None:
    bob, ids = await scene(system)
    await bob.like(ids["video"])
    await delete(bob)
    for _ in range(4):
        await asyncio.gather(*[delete_accounts(system.state, lambda: True, {}) for _ in range(2)])
        await system.drain()
    await finish(system)
    await is_clean(system, ids["bob"])


@standalone
async def test_a_deletion_ends_completely_after_redis_has_lost_everything(system: System) -> None:
    bob, ids = await scene(system)
    await bob.like(ids["video"])
    await system.drain()
    await delete(bob)
    await step(system)
    await step(system)
    await system.state.redis.client.flushall()
    await system.state.redis.load_scripts()
    await begin(system)
    await end(system)
    await finish(system)
    await is_clean(system, ids["bob"])


@standalone
async def test_an_open_subscription_of_a_deleted_user_ends(make_settings: Callable[..., Settings]) -> None:
    async with serving(make_settings(moderation=LENIENT)) as live:
        bob, alice = live.person("bob"), live.person("alice")
        (video,) = await live.videos("v1")
        await bob.id()
        async with live.socket("bob") as socket:
            await socket.subscribe([video])
            assert (await socket.value())["id"] == video
            await delete(bob)
            await alice.like(video)
            await live.drain()
            message = await socket.receive()
    assert (message["type"], message["payload"][0]["extensions"]["code"]) == ("error", "ACCOUNT_DELETED")


async def test_a_step_appends_few_changes_so_that_other_users_do_not_wait(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undo, "AT_ONCE", 30)
    bob, ids = await scene(system)
    videos = await system.videos(*(f"many{n}" for n in range(100)))
    for start in range(0, 100, 20):
        await asyncio.gather(*map(bob.like, videos[start : start + 20]))
    await system.drain()
    await delete(bob)
    await system.drain()
    grown = []
    for _ in range(30):
        before = sum(await system.state.journals.lengths(range(system.settings.partitions)))
        await delete_accounts(system.state, lambda: True, {})
        grown.append(sum(await system.state.journals.lengths(range(system.settings.partitions))) - before)
        await system.drain()
    assert max(grown) == 30
    await finish(system)
    await is_clean(system, ids["bob"])
