"""A suspension reaches subscriptions that are open."""

from collections.abc import Callable
from typing import Any

from settings import Settings
from tests.support.follows import follow
from tests.support.posts import publish
from tests.support.stores import standalone
from tests.support.subscriptions import HOME_POST_ADDED, WATCH, eventually, serving
from tests.support.suspensions import moderator, suspend
from tests.support.system import LENIENT, LIMITLESS

NOTIFICATIONS = """subscription { notificationReceived {
  edge { node { kind actors { handle } } } viewer { unreadNotificationCount } } }"""


@standalone
async def test_an_open_subscription_sends_nothing_of_a_hidden_user(make_settings: Callable[..., Settings]) -> None:
    async with serving(make_settings(port=0, limits=LIMITLESS, moderation=LENIENT)) as live:
        alice, bob, carol = map(live.person, ("alice", "bob", "carol"))
        await alice.id()
        b, c = await bob.id(), await carol.id()
        await follow(alice, b, c)
        theirs = (await publish(bob, "bob's first post"))["post"]["id"]
        hers = (await publish(carol, "carol's first post"))["post"]["id"]
        own = (await publish(alice, "alice's post"))["post"]["id"]
        await live.drain()
        async with live.socket("alice") as changes, live.socket("alice") as home, live.socket("alice") as notified:
            await changes.subscribe([theirs, hers], query=WATCH)
            assert {(await changes.value())["id"] for _ in range(2)} == {theirs, hers}
            await home.send(id="1", type="subscribe", payload={"query": HOME_POST_ADDED})
            await notified.send(id="1", type="subscribe", payload={"query": NOTIFICATIONS})
            await eventually(lambda: live.state.events.channels >= 6)

            await suspend(moderator(live), b, "SHADOW")  # bob can still write
            for person, first in ((bob, theirs), (carol, hers)):
                await publish(person, f"{person.handle}'s second post")
                await person.like(own)
                await live.person("dave").like(first)
                await live.drain()

            added: Any = (await home.receive())["payload"]["data"]["homePostAdded"]
            assert added["node"]["text"] == "carol's second post"
            received: Any = (await notified.receive())["payload"]["data"]["notificationReceived"]
            assert received["edge"]["node"] == {"kind": "LIKE", "actors": [{"handle": "carol"}]}
            assert received["viewer"]["unreadNotificationCount"] == 1
            assert (await changes.value())["id"] == hers
