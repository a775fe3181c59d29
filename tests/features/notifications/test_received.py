"""notificationReceived: the subscribed recipient gets every notification at once, and no other user does."""

import asyncio
from typing import Any

import pytest

from store.realtime.events import Events
from tests.features.notifications.subscribers import received, subscribed
from tests.support.notifications import RECEIVE, mark, unread
from tests.support.subscriptions import Live, kill_listeners, lose_publication
from tests.support.system import System


async def owned(live: System, owner: str, *names: str) -> list[str]:
    return await live.videos(*names, owner=owner)


async def test_a_like_is_received_at_once_and_can_be_marked(live: Live) -> None:
    (video,) = await owned(live, "alice", "v1")
    await live.person("carol").like(video)
    await live.drain()

    async with subscribed(live, "alice") as alice:
        await live.person("bob").like(video)
        await live.drain()
        event = await received(alice)
        await mark(live.person("alice"), event["edge"]["cursor"])

    node = event["edge"]["node"]
    assert (node["message"], node["read"]) == ("bob and 1 other liked your video.", False)
    assert event["viewer"] == {"unreadNotificationCount": 1}
    assert await unread(live.person("alice")) == 0


async def test_a_subscriber_receives_no_notifications_of_other_users(live: Live) -> None:
    (hers,), (his,) = await owned(live, "alice", "v1"), await owned(live, "bob", "v2")
    carol = live.person("carol")

    async with subscribed(live, "alice") as alice, subscribed(live, "bob") as bob:
        await carol.like(hers)
        await live.drain()
        assert (await received(alice))["edge"]["node"]["message"] == "carol liked your video."
        await carol.like(his)
        await live.drain()
        event = await received(bob)

    assert event["viewer"] == {"unreadNotificationCount": 1}


async def test_an_own_mark_sends_no_event(live: Live) -> None:
    first, second = await owned(live, "alice", "v1", "v2")
    bob = live.person("bob")

    async with subscribed(live, "alice") as alice:
        await bob.like(first)
        await live.drain()
        await mark(live.person("alice"), (await received(alice))["edge"]["cursor"])
        await bob.unlike(first)
        await live.drain()
        await bob.like(second)
        await live.drain()
        event = await received(alice)

    assert event["viewer"] == {"unreadNotificationCount": 1}


async def test_many_likes_are_few_events_and_the_last_has_all_actors(live: Live) -> None:
    (video,) = await owned(live, "alice", "v1")
    fans = [live.person(f"fan{n}") for n in range(40)]
    clock = asyncio.get_running_loop().time

    async with subscribed(live, "alice") as alice:
        began, events = clock(), list[Any]()
        for fan in fans:
            await fan.like(video)
            await live.drain()
        while not events or events[-1]["edge"]["node"]["actorCount"] < len(fans):
            events.append(await received(alice))
        took = clock() - began

    assert len(events) <= 2 + took * 4
    counts = [event["edge"]["node"]["actorCount"] for event in events]
    assert counts == sorted(counts)


async def test_a_notification_during_a_lost_redis_connection_is_received_after_the_reconnect(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    (video,) = await owned(live, "alice", "v1")

    async with subscribed(live, "alice") as alice:
        await live.person("bob").like(video)
        with monkeypatch.context() as patched:
            patched.setattr(Events, "publish", lose_publication)
            await live.drain()
        await kill_listeners(live)
        event = await received(alice)

    assert event["edge"]["node"]["message"] == "bob liked your video."


async def test_notificationreceived_needs_a_signed_in_user(live: Live) -> None:
    async with live.socket() as anonymous:
        await anonymous.send(id="1", type="subscribe", payload={"query": RECEIVE})
        message = await anonymous.receive()

    assert message["type"] in ("error", "next")
    errors = message["payload"] if message["type"] == "error" else message["payload"]["errors"]
    assert [error["extensions"]["code"] for error in errors] == ["UNAUTHENTICATED"]
