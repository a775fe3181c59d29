"""A block reaches subscriptions that are open."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from loaders.boundaries import ViewerBoundaries
from loaders.visibility import Visibility
from models.boundaries import Boundaries
from settings import Settings
from tests.support.boundaries import block, mute
from tests.support.comments import add
from tests.support.follows import follow
from tests.support.posts import publish
from tests.support.stores import standalone
from tests.support.subscriptions import HOME_POST_ADDED, WATCH, Live, Socket, eventually, serving
from tests.support.system import LENIENT, LIMITLESS

NOTIFICATIONS = """subscription { notificationReceived {
  edge { node { kind actors { handle } } } viewer { unreadNotificationCount } } }"""

Plant = Callable[[pytest.MonkeyPatch], None]
"""Plants a mistake for the duration of a test."""


async def following_events(socket: Socket, count: int) -> list[Any]:
    """Returns the data of the next events."""
    return [(await socket.receive())["payload"]["data"] for _ in range(count)]


async def liked_posts(live: Live, socket: Socket, last: str) -> set[str]:
    """Returns the ids of the posts whose likes are sent, until another like of the post `last` is sent. Likes of
    several posts that are stored together are sent in any order.
    """
    (event,) = await following_events(socket, 1)
    await live.person("erin").like(last)
    await live.drain()
    liked = {event["reactableChanged"]["id"]}
    while event["reactableChanged"]["likeCount"] < 2:
        (event,) = await following_events(socket, 1)
        liked.add(event["reactableChanged"]["id"])
    return liked


async def check_watching(make_settings: Callable[..., Settings], verb: str) -> None:
    """Checks what open subscriptions of alice send after she has blocked or muted bob."""
    async with serving(make_settings(port=0, limits=LIMITLESS, moderation=LENIENT)) as live:
        alice, bob, carol = map(live.person, ("alice", "bob", "carol"))
        a, b, c = await alice.id(), await bob.id(), await carol.id()
        await follow(alice, b, c)
        theirs = (await publish(bob, "bob's first post"))["post"]["id"]
        hers = (await publish(carol, "carol's first post"))["post"]["id"]
        own = (await publish(alice, "alice's post"))["post"]["id"]
        await live.drain()
        assert a
        async with live.socket("alice") as changes, live.socket("alice") as home, live.socket("alice") as notified:
            await changes.subscribe([theirs, hers], query=WATCH)
            assert {event["reactableChanged"]["id"] for event in await following_events(changes, 2)} == {theirs, hers}
            await home.send(id="1", type="subscribe", payload={"query": HOME_POST_ADDED})
            await notified.send(id="1", type="subscribe", payload={"query": NOTIFICATIONS})
            await eventually(lambda: live.state.events.channels >= 6)

            await (block if verb == "block" else mute)(alice, b)
            for person, first in ((bob, theirs), (carol, hers)):
                await publish(person, f"{person.handle}'s second post")
                if verb == "mute" or person is carol:
                    await add(person, own, f"{person.handle}'s comment")
                await live.person("dave").like(first)
                await live.drain()

            (added,) = await following_events(home, 1)
            assert added["homePostAdded"]["node"]["text"] == "carol's second post"
            (notification,) = await following_events(notified, 1)
            received = notification["notificationReceived"]
            assert received["edge"]["node"]["actors"] == [{"handle": "carol"}]
            assert received["viewer"]["unreadNotificationCount"] == 1
            liked = await liked_posts(live, changes, hers)
            assert liked == ({hers} if verb == "block" else {theirs, hers})  # a mute hides no single post


@standalone
@pytest.mark.parametrize("verb", ["block", "mute"])
async def test_an_open_subscription_sends_nothing_of_a_blocked_or_muted_user(
    make_settings: Callable[..., Settings], verb: str
) -> None:
    await check_watching(make_settings, verb)


def answers(owner: type, name: str, value: Any) -> Plant:
    """Returns a mistake: the method `name` always returns `value`."""

    async def answer(*_: Any, **__: Any) -> Any:
        return value

    return lambda patch: patch.setattr(owner, name, answer)


def boundaries_are_read_once(patch: pytest.MonkeyPatch) -> None:
    known: dict[int | None, Boundaries] = {}
    get = ViewerBoundaries.get

    async def get_once(self: ViewerBoundaries) -> Boundaries:
        if self.viewer_id not in known:
            known[self.viewer_id] = await get(self)
        return known[self.viewer_id]

    patch.setattr(ViewerBoundaries, "get", get_once)


MISTAKES: dict[str, dict[str, Plant]] = {
    "block": {
        "authors are not checked": answers(Visibility, "hidden_authors", {}),
        "authors and actors are not checked": answers(ViewerBoundaries, "hidden_among", set()),
        "boundaries are read when the subscription begins": boundaries_are_read_once,
    },
    "mute": {
        "mutes are not checked": answers(ViewerBoundaries, "muted_among", set()),
        "boundaries are read when the subscription begins": boundaries_are_read_once,
    },
}


@standalone
@pytest.mark.prove
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("verb", "name"), [(verb, name) for verb, some in MISTAKES.items() for name in some])
async def test_every_planted_mistake_is_found(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch, verb: str, name: str
) -> None:
    MISTAKES[verb][name](monkeypatch)
    with pytest.raises((AssertionError, TimeoutError)):
        async with asyncio.timeout(30):
            await check_watching(make_settings, verb)
