"""Checks that a mark as read on one device reaches the user's other devices, and the systems of the operator."""

import pytest

from tests.support import outgoing
from tests.support.notifications import liked_posts, mark, page, people
from tests.support.stores import standalone
from tests.support.subscriptions import Live, eventually

pytestmark = [standalone]
READ = "subscription { notificationsRead { viewer { unreadNotificationCount notifications { nodes { read } } } } }"
KEYS = "{ viewer { notifications { nodes { collapseKey } } } }"


@pytest.mark.parametrize("marks", [1, 2])
async def test_a_mark_reaches_the_other_devices_once(live: Live, marks: int) -> None:
    alice, bob = await people(live, "alice", "bob")
    await liked_posts(live, alice, bob, 2)
    before = live.state.events.channels
    async with live.socket("alice") as socket:
        await socket.send(id="1", type="subscribe", payload={"query": READ})
        await eventually(lambda: live.state.events.channels > before)
        older = (await page(alice)).cursors[1]
        for _ in range(marks):
            await mark(alice, older)
            await live.drain()
        first = (await socket.receive())["payload"]["data"]["notificationsRead"]["viewer"]
        await mark(alice, (await page(alice)).cursors[0])
        await live.drain()
        second = (await socket.receive())["payload"]["data"]["notificationsRead"]["viewer"]

    assert first == {"unreadNotificationCount": 1, "notifications": {"nodes": [{"read": False}, {"read": True}]}}
    assert second == {"unreadNotificationCount": 0, "notifications": {"nodes": [{"read": True}, {"read": True}]}}


async def test_a_mark_is_an_event_that_names_the_notifications_which_are_read(live: Live) -> None:
    await outgoing.to_stream(live, "notification.created", "notification.read")
    alice, bob = await people(live, "alice", "bob")
    await liked_posts(live, alice, bob, 2)
    await mark(alice, (await page(alice)).cursors[1])
    keys = [node["collapseKey"] for node in (await alice.ask(KEYS))["viewer"]["notifications"]["nodes"]]

    first, second, read = await outgoing.received(live)

    assert read["data"] == {"userId": await alice.id(), "readThrough": first["version"], "notificationId": None}
    assert int(second["version"]) > int(first["version"])
    assert [event["data"]["collapseKey"] for event in (second, first)] == keys
