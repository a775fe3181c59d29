"""muteThread and unmuteThread: answers, refusals that write nothing, stored rows, outages and open subscriptions."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import Settings
from store.people.boundary_rows import write_thread_mutes
from tests.support.boundaries import (
    MUTES_THREAD,
    THREAD,
    block,
    mute,
    mute_thread,
    mutes_thread,
    thread,
    unmute_thread,
)
from tests.support.comments import added, delete
from tests.support.fallback_mode import directly
from tests.support.journal_entries import journalled
from tests.support.notifications import RECEIVE, kinds_and_subjects, post_of, unread
from tests.support.outages import Away, both_ways
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.subscriptions import eventually, serving
from tests.support.system import LENIENT, LIMITLESS, Person, System, running

STORED = "SELECT business_id, stands FROM thread_mutes ORDER BY business_id"


def refusal(payload: Any) -> tuple[str, list[str]]:
    """Returns code and field of a payload's one user error."""
    assert payload["target"] is None
    (error,) = payload["userErrors"]
    return error["code"], error["field"]


async def commented(system: System) -> tuple[Person, str, str, str]:
    """Returns alice, her post, bob's comment on it, and carol's reply."""
    alice, bob, carol = map(system.person, ("alice", "bob", "carol"))
    post = await post_of(system, alice)
    root = await added(bob, post, "root")
    await system.drain()
    reply = await added(carol, post, "reply", root)
    await system.drain()
    return alice, post, root, reply


async def test_a_reply_stands_for_the_thread_of_its_root(system: System) -> None:
    alice, post, root, reply = await commented(system)

    assert await thread(alice, "muteThread", reply) == {
        "target": {"id": reply, "viewerMutesThread": True},
        "userErrors": [],
    }
    for _ in ("at once", "persisted"):
        assert [await mutes_thread(alice, id_) for id_ in (post, root, reply)] == [False, True, True]
        assert await mutes_thread(system.person("bob"), root) is False
        assert await mutes_thread(system.person(None), root) is None
        await system.drain()
    assert await system.rows(STORED) == [(4, True)]

    unmuted = await thread(alice, "unmuteThread", root)
    assert unmuted == {"target": {"id": root, "viewerMutesThread": False}, "userErrors": []}
    await system.drain()
    assert await mutes_thread(alice, reply) is False
    assert await system.rows(STORED) == [(4, False)]


@standalone
async def test_repeated_changes_write_one_entry(system: System) -> None:
    alice, post, _, _ = await commented(system)
    await system.drain()
    first = await journalled(system)
    for _ in range(2):
        await thread(alice, "muteThread", post, key="k")
        await mute_thread(alice, post)
        assert await journalled(system) == first + 1
    for _ in range(2):
        await unmute_thread(alice, post)
        assert await journalled(system) == first + 2
    await thread(alice, "muteThread", post, key="k")  # a repetition, which changes nothing
    assert await mutes_thread(alice, post) is False


@standalone
async def test_threads_beyond_the_limit_are_refused(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=LENIENT, people={"boundary_limit": 1})) as system:
        alice, post, root, reply = await commented(system)
        await mute(alice, await system.person("bob").id())  # counts apart
        await mute_thread(alice, root)

        async with unchanged(system):
            assert refusal(await thread(alice, "muteThread", post)) == ("MUTE_LIMIT_REACHED", ["targetId"])
        await mute_thread(alice, reply)
        await unmute_thread(alice, reply)
        await mute_thread(alice, post)
        await system.drain()
        async with directly(system):
            assert refusal(await thread(alice, "muteThread", root)) == ("MUTE_LIMIT_REACHED", ["targetId"])
            await mute_thread(alice, post)


@standalone
async def test_wrong_input_is_refused_and_changes_nothing(system: System) -> None:
    alice, post, root, reply = await commented(system)
    user = await system.person("bob").id()
    await delete(system.person("bob"), root)
    await system.drain()
    await block(system.person("dave"), await alice.id())
    await mute_thread(alice, post)

    async with unchanged(system):
        for verb in ("muteThread", "unmuteThread"):
            for id_ in (user, "Post:7", "Comment:2.7", "Entity:video:none"):
                assert refusal(await thread(alice, verb, id_)) == ("TARGET_NOT_FOUND", ["targetId"]), id_
            for id_ in (post, reply):
                assert refusal(await thread(system.person("dave"), verb, id_)) == ("TARGET_NOT_FOUND", ["targetId"])
            assert refusal(await thread(alice, verb, root)) == ("TARGET_DELETED", ["targetId"])
            assert await alice.errors(THREAD % verb, id="post", key="k") == [("BAD_INPUT", [verb])]
            anonymous = system.person(None, device_id="d")
            assert await anonymous.errors(THREAD % verb, id=post) == [("UNAUTHENTICATED", [verb])]


@standalone
async def test_a_key_with_another_target_is_refused(system: System) -> None:
    alice, post, root, _ = await commented(system)
    assert (await thread(alice, "muteThread", post, key="k"))["userErrors"] == []
    again = await thread(alice, "muteThread", root, key="k")
    assert refusal(again) == ("IDEMPOTENCY_MISMATCH", ["idempotencyKey"])


@standalone
async def test_an_older_version_of_a_row_loses(system: System) -> None:
    rows = [(7, 2, 1, True, 20), (7, 2, 2, False, 20)]
    older = [(7, 2, 1, False, 10), (7, 2, 2, True, 10)]
    for some in (rows, older):
        async with system.state.postgres.transaction() as transaction:
            await write_thread_mutes(transaction, some)
    assert await system.rows("SELECT * FROM thread_mutes ORDER BY entity_id") == rows


@pytest.mark.parametrize("seed", range(3))
@standalone
async def test_random_changes_agree_with_a_model(system: System, seed: int) -> None:
    walk, muted = random.Random(seed), set[str]()
    alice = system.person("alice")
    threads = [*await system.videos("v1", "v2"), await post_of(system, alice)]
    for step in range(40):
        id_, mutes = walk.choice(threads), walk.random() < 0.5
        await (mute_thread if mutes else unmute_thread)(alice, id_)
        (muted.add if mutes else muted.discard)(id_)
        if walk.random() < 0.2:
            await system.drain()
            if walk.random() < 0.5:
                await system.empty_redis()
        assert {id_ for id_ in threads if await mutes_thread(alice, id_)} == muted, step
    await system.drain()
    ((stored,),) = await system.rows("SELECT count(*) FROM thread_mutes WHERE stands")
    assert stored == len(muted)


@standalone
async def test_threads_can_be_muted_while_redis_is_replaced_by_direct_writes(system: System) -> None:
    alice, post, root, reply = await commented(system)
    await mute_thread(alice, root)
    await system.drain()
    async with directly(system):
        for _ in range(2):
            await mute_thread(alice, post)
            await unmute_thread(alice, reply)
            assert [await mutes_thread(alice, id_) for id_ in (post, root)] == [True, False]
            assert await unread(alice) == 0
    assert [await mutes_thread(alice, id_) for id_ in (post, root)] == [True, False]
    await unmute_thread(alice, post)
    await system.drain()
    assert (await mutes_thread(alice, post), await unread(alice)) == (False, 1)


@standalone
@both_ways
async def test_cached_threads_hold_while_postgres_is_down(system: System, postgres: Postgres, away: Away) -> None:
    alice, post, root, _ = await commented(system)
    await mute_thread(alice, post)
    await unread(alice)
    await mutes_thread(alice, root)

    async with away(postgres, system.state.postgres):
        assert (await mutes_thread(alice, post), await unread(alice)) == (True, 0)
        await unmute_thread(alice, post)
        assert (await mutes_thread(alice, post), await unread(alice)) == (False, 1)
        await mute_thread(alice, root)
    await system.drain()
    assert await system.rows(STORED) == [(2, False), (4, True)]


@standalone
@both_ways
async def test_unknown_threads_are_null_and_named(system: System, postgres: Postgres, away: Away) -> None:
    alice, post, _, _ = await commented(system)
    ((user,),) = await system.rows("SELECT user_id FROM users WHERE handle = 'alice'")
    await mutes_thread(alice, post)

    async with away(postgres, system.state.postgres):
        await system.state.boundaries.forget([user])
        body = (await alice.send(MUTES_THREAD, id=post)).json()
        assert body["data"] == {"node": {"viewerMutesThread": None}}
        assert [one["field"] for one in body["extensions"]["degraded"]] == ["Post.viewerMutesThread"]
        assert await alice.errors(THREAD % "muteThread", id=post) == [("UNAVAILABLE", ["muteThread"])]
        assert await alice.errors("{ viewer { unreadNotificationCount } }") == []


@standalone
@both_ways
async def test_threads_come_from_rows_while_redis_is_down(system: System, valkey: Valkey, away: Away) -> None:
    alice, post, root, _ = await commented(system)
    await mute_thread(alice, post)
    await system.drain()

    async with away(valkey, system.state.redis):
        for id_, expected in ((post, True), (root, False)):
            node = (await alice.send(MUTES_THREAD, id=id_)).json()["data"]["node"]
            assert node in (None, {"viewerMutesThread": expected})
        viewer = (await alice.send("{ viewer { unreadNotificationCount } }")).json()["data"]["viewer"]
        assert viewer["unreadNotificationCount"] in (None, 0)


@standalone
async def test_an_open_subscription_sends_nothing_of_a_muted_thread(make_settings: Callable[..., Settings]) -> None:
    async with serving(make_settings(port=0, limits=LIMITLESS, moderation=LENIENT)) as live:
        alice, bob = live.person("alice"), live.person("bob")
        muted, heard = await live.videos("v1", "v2", owner="alice")
        assert await alice.id()
        async with live.socket("alice") as socket:
            await socket.send(id="1", type="subscribe", payload={"query": RECEIVE})
            await eventually(lambda: live.state.events.channels >= 1)
            await mute_thread(alice, muted)
            for video in (muted, heard):
                await bob.like(video)
                await live.drain()
            event = (await socket.receive())["payload"]["data"]["notificationReceived"]
        assert event["viewer"] == {"unreadNotificationCount": 1}
        assert await kinds_and_subjects(alice) == [("LIKE", heard)]
