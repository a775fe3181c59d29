"""Pins of posts while a store is down, in another order, and repeated."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any

import pytest
from sqlalchemy import text

from commands import direct_log
from commands.changes import Patch
from models.patches import PinPatch
from models.pinned_posts import PinnedPosts
from runner.postgres import Postgres
from settings import Settings
from store import keys
from tests.support.fallback_mode import directly
from tests.support.outages import stopped
from tests.support.pinned_posts import PIN_POST, pin_all, pin_post, pinned_by, pinned_scene
from tests.support.restoring import dump, store_again
from tests.support.stores import standalone
from tests.support.system import LENIENT, Person, System, running

PINNED = "SELECT post_id FROM pinned_posts WHERE pinned ORDER BY version DESC"


def number(id_: str) -> int:
    return int(id_.partition(":")[2])


async def forget_pins(system: System, author: Person) -> None:
    """Removes the pinned posts of an author from the cache."""
    await system.state.cache.drop([keys.pinned_posts(number(await author.id()))])


@standalone
async def test_pins_work_while_writes_are_direct_and_keep_those_that_wait_in_the_journal(system: System) -> None:
    alice, bob, (one, two, three, _) = await pinned_scene(system, 1)
    await pin_all(alice, two)

    async with directly(system):
        await pin_post(alice, one, "unpinPost")
        assert await pinned_by(alice, "alice") == await pinned_by(bob, "alice") == []
        await pin_all(alice, three)
        assert await pinned_by(alice, "alice") == await pinned_by(bob, "alice") == [three]

    assert await pinned_by(alice, "alice") == await pinned_by(bob, "alice") == [three, two]


@standalone
async def test_a_pin_while_writes_are_direct_stands_although_an_older_unpin_waits_in_the_journal(
    system: System,
) -> None:
    alice, bob, (one, *_) = await pinned_scene(system, 1)
    await pin_post(alice, one, "unpinPost")

    async with directly(system):
        assert (await pin_post(alice, one))["user"]["pinnedPosts"] == [{"id": one}]

    assert await pinned_by(alice, "alice") == await pinned_by(bob, "alice") == [one]


@standalone
@pytest.mark.parametrize("log", [directly, nullcontext])
async def test_a_repeat_of_a_request_that_changed_nothing_changes_nothing(
    system: System, log: Callable[[System], AbstractAsyncContextManager[None]]
) -> None:
    alice, bob, (one, two, *_) = await pinned_scene(system, 1)

    async with log(system):
        await pin_post(alice, one, "pinPost", key="k")
        await pin_post(alice, one, "unpinPost")
        assert await pin_post(alice, one, "pinPost", key="k") == {
            "user": {"handle": "alice", "pinnedPosts": []},
            "userErrors": [],
        }
        await pin_post(alice, two, "unpinPost", key="k")
        await pin_post(alice, two, "pinPost")
        assert (await pin_post(alice, two, "unpinPost", key="k"))["user"]["pinnedPosts"] == [{"id": two}]
        mismatch = await pin_post(alice, one, "unpinPost", key="k")
    assert [error["code"] for error in mismatch["userErrors"]] == ["IDEMPOTENCY_MISMATCH"]
    await system.drain()
    assert await pinned_by(bob, "alice") == [two]


@standalone
async def test_pins_are_read_and_accepted_while_postgres_is_down(system: System, postgres: Postgres) -> None:
    alice, bob, (one, two, *_) = await pinned_scene(system, 1)
    assert await pinned_by(bob, "alice") == await pinned_by(alice, "alice") == [one]

    async with stopped(postgres, system.state.postgres):
        await pin_all(alice, two)
        assert await pinned_by(alice, "alice") == [two, one]
        assert await pinned_by(bob, "alice") == [one]
        await forget_pins(system, alice)
        payload = (await alice.ask(PIN_POST % "unpinPost", id=two, key=None))["unpinPost"]
        assert payload == {"user": {"handle": "alice", "pinnedPosts": None}, "userErrors": []}

    await system.drain()
    assert await pinned_by(bob, "alice") == await pinned_by(alice, "alice") == [one]


@standalone
async def test_a_fourth_pin_is_accepted_while_the_pins_cannot_be_read_and_unpins_the_oldest_one(
    system: System, postgres: Postgres
) -> None:
    alice, bob, (_, two, three, four) = await pinned_scene(system, 3)
    assert len(await pinned_by(alice, "alice")) == 3

    async with stopped(postgres, system.state.postgres):
        await forget_pins(system, alice)
        await pin_all(alice, four)
    assert await pinned_by(alice, "alice") == [four, three, two]
    await system.drain()
    assert await pinned_by(bob, "alice") == [four, three, two]
    await system.empty_redis()
    assert await pinned_by(bob, "alice") == [four, three, two]
    await pin_post(alice, four, "unpinPost")
    await system.drain()
    assert await pinned_by(bob, "alice") == [three, two]


async def pin_at_once(monkeypatch: pytest.MonkeyPatch, author: Person, *posts: str) -> None:
    """Pins posts in requests that all find the same pinned posts."""
    checked = asyncio.Barrier(len(posts))

    def together(write: Callable[..., Any]) -> Callable[..., Any]:
        async def writes(*args: Any, **more: Any) -> Any:
            await checked.wait()
            return await write(*args, **more)

        return writes

    with monkeypatch.context() as patched:
        patched.setattr(Patch, "journal", together(Patch.journal))
        patched.setattr(direct_log, "append", together(direct_log.append))
        await asyncio.gather(*[pin_all(author, post) for post in posts])


@standalone
@pytest.mark.parametrize("log", [directly, nullcontext])
async def test_the_later_of_two_pins_that_arrive_at_the_same_moment_unpins_the_oldest_one(
    system: System, monkeypatch: pytest.MonkeyPatch, log: Callable[[System], AbstractAsyncContextManager[None]]
) -> None:
    alice, bob, (_, two, three, four) = await pinned_scene(system, 2)

    async with log(system):
        await pin_at_once(monkeypatch, alice, three, four)
        first, second, third = await pinned_by(alice, "alice")
        assert ({first, second}, third) == ({three, four}, two)
        await pin_post(alice, first, "unpinPost")
        assert await pinned_by(alice, "alice") == [second, two]
    await system.drain()
    assert await pinned_by(bob, "alice") == await pinned_by(alice, "alice") == [second, two]
    assert await system.rows(PINNED) == [(number(second),), (number(two),)]
    await system.empty_redis()
    assert await pinned_by(bob, "alice") == [second, two]


@standalone
async def test_a_post_that_is_pinned_but_not_shown_can_be_unpinned(system: System) -> None:
    alice, bob, (one, two, three, four) = await pinned_scene(system, 3)
    insert = "INSERT INTO pinned_posts SELECT user_id, :post, true, 1 FROM pinned_posts LIMIT 1 RETURNING 1"
    await system.rows(insert, post=number(four))
    await system.empty_redis()
    assert await pinned_by(alice, "alice") == [three, two, one]

    await pin_post(alice, four, "unpinPost")
    await system.drain()
    await pin_post(alice, one, "unpinPost")
    await system.drain()

    assert await pinned_by(bob, "alice") == [three, two]


@standalone
async def test_pins_that_a_failover_lost_are_stored_again_in_one_batch_as_before(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0, journal_tail_seconds=60.0)) as system:
        alice, bob, (*_, three, four) = await pinned_scene(system, 2)
        dumped = await dump(system)
        await pin_at_once(monkeypatch, alice, three, four)
        await system.drain()
        pins = await pinned_by(alice, "alice")
        await pin_post(alice, pins[0], "unpinPost")
        await system.drain()
        stored = await system.rows("SELECT * FROM pinned_posts ORDER BY post_id")

        await store_again(system, dumped)

        assert await system.rows("SELECT * FROM pinned_posts ORDER BY post_id") == stored
        assert await pinned_by(bob, "alice") == pins[1:]


@standalone
async def test_an_older_change_does_not_undo_a_newer_row(system: System) -> None:
    alice, bob, (one, *_) = await pinned_scene(system)
    await pin_all(alice, one)
    async with system.state.postgres.transaction() as transaction:
        user, post = map(number, (await alice.id(), one))
        insert = text("INSERT INTO pinned_posts VALUES (:user, :post, false, CAST(:version AS bigint))")
        await transaction.execute(insert, user=user, post=post, version=1 << 62)

    await system.drain()

    assert await pinned_by(bob, "alice") == []


@pytest.mark.parametrize(
    "wrong",
    [{"pinned": 1}, {"pinned": None}, {"replaced": ["1"]}, {"replaced": None}, {"entity": "x"}, {"actor": None}],
)
def test_a_malformed_entry_is_refused(wrong: dict[str, object]) -> None:
    entry = {"actor": 7, "entity": 8, "pinned": True, "replaced": [9]}
    assert PinPatch.parse(1, entry) == (1, 7, 8, True, (9,))

    with pytest.raises((TypeError, ValueError)):
        PinPatch.parse(1, entry | wrong)


def test_pins_that_include_a_change_stay_as_they_are() -> None:
    pins = PinnedPosts((9, 8), version=5)

    assert PinPatch(5, 7, 10, True, (9,)).applied(pins) == PinPatch(4, 7, 9, False, ()).applied(pins) == pins
    assert PinPatch(6, 7, 10, True, (9,)).applied(pins) == PinnedPosts((10, 8), version=6)
