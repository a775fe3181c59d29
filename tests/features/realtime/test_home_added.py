"""homePostAdded: a watcher of home receives every permitted new post once."""

import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from domain.cursors import Cursors
from resolvers import home_updates
from resolvers.home_updates import KnownPosts
from resolvers.pages import Connection
from settings import Settings
from store.cache.lists import Item
from tests.support.follows import follow_people
from tests.support.posts import decide, delete, home, publish, published
from tests.support.subscriptions import HOME_POST_ADDED, Live, Socket, eventually, serving
from tests.support.system import LENIENT

HOME_AFTER = "query ($after: String) { viewer { home(first: 10, after: $after) { nodes { text } } } }"


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings], tmp_path: Path) -> AsyncIterator[Live]:
    """Yields a server for which accounts are big from three followers on, with two moderated words."""
    words = tmp_path / "words.txt"
    words.write_text("reject: awful\nreview: dubious\n")
    moderation = LENIENT.model_copy(update={"words_file": words})
    async with serving(make_settings(port=0, moderation=moderation, push_follower_limit=3)) as live:
        yield live
        await eventually(lambda: live.state.events.channels == 0)


@asynccontextmanager
async def watching(live: Live, handle: str) -> AsyncIterator[Socket]:
    """Yields the connection of a user who is subscribed to homePostAdded."""
    async with live.socket(handle) as socket:
        await socket.send(id="1", type="subscribe", payload={"query": HOME_POST_ADDED})
        await eventually(lambda: live.state.events.channels == 3)
        yield socket


async def received(socket: Socket) -> tuple[str, str]:
    """Returns text and author of the next event's post."""
    message = await socket.receive()
    assert message["type"] == "next", message
    node = message["payload"]["data"]["homePostAdded"]["node"]
    return node["text"], node["author"]["handle"]


async def test_posts_of_followed_users_and_own_posts_are_received_once_in_order(live: Live) -> None:
    alice, bob, carol = map(live.person, ("alice", "bob", "carol"))
    await follow_people(bob, alice)
    await published(alice, "before")
    await live.drain()

    async with watching(live, "bob") as watcher:
        await published(carol, "a stranger's")
        await published(alice, "first", "second")
        await live.drain()
        events = [await received(watcher), await received(watcher)]
        await published(bob, "from elsewhere")
        await live.drain()
        events.append(await received(watcher))
        await published(alice, "third")
        await live.drain()
        events.append(await received(watcher))

    assert events == [("first", "alice"), ("second", "alice"), ("from elsewhere", "bob"), ("third", "alice")]


async def test_a_post_that_leaves_home_and_returns_is_received_once(live: Live) -> None:
    alice, bob = live.person("alice"), live.person("bob")
    await follow_people(bob, alice)
    await live.drain()

    async with watching(live, "bob") as watcher:
        await published(alice, "once")
        await live.drain()
        events = [await received(watcher)]
        for text, verb in (("gone", "unfollow"), ("back", "follow")):
            await follow_people(bob, alice, verb=verb)
            await published(bob, text)
            await live.drain()
            events.append(await received(watcher))
        assert "once" in await home(bob)

    assert events == [("once", "alice"), ("gone", "bob"), ("back", "bob")]


def home_page(items: Sequence[Item], *, more: bool) -> Connection[Any]:
    """Returns the newest page of a home with these items."""
    return Connection(Cursors(b"key"), "home", items, 0, {item.member: item for item in items}, more, False)


@pytest.mark.parametrize("remembered", [1, 20, 30])
def test_each_post_is_an_addition_at_most_once_while_home_changes(
    monkeypatch: pytest.MonkeyPatch, remembered: int
) -> None:
    monkeypatch.setattr(home_updates, "_REMEMBERED", remembered)
    chance, items = random.Random(7), list[Item]()
    known, added = KnownPosts(home_page([], more=False)), list[int]()
    for moment in range(1, 300):
        items = [*items, Item(moment, moment)]
        found = sorted(chance.sample(items, chance.randint(1, len(items))), reverse=True)
        added += [edge.item.member for edge in known.additions(home_page(found[:20], more=len(found) > 20))]

    assert len(added) == len(set(added)) > 50
    assert len(known._items) <= remembered


async def test_the_cursor_of_an_event_continues_in_home(live: Live) -> None:
    alice, bob = live.person("alice"), live.person("bob")
    await follow_people(bob, alice)
    await published(alice, "before")
    await live.drain()

    async with watching(live, "bob") as watcher:
        await published(alice, "now")
        await live.drain()
        edge = (await watcher.receive())["payload"]["data"]["homePostAdded"]

    below = (await bob.ask(HOME_AFTER, after=edge["cursor"]))["viewer"]["home"]["nodes"]
    assert below == [{"text": "before"}]


@pytest.mark.prove
async def test_posts_of_big_accounts_are_received(live: Live) -> None:
    star, bob = live.person("star"), live.person("bob")
    for fan in (bob, live.person("carol"), live.person("dan")):
        await follow_people(fan, star)
    await live.drain()

    async with watching(live, "bob") as watcher:
        await published(star, "to all of you")
        await live.drain()
        events = await received(watcher)

    assert events == ("to all of you", "star")
    assert await live.rows("SELECT pushed FROM outboxes") == [(False,)]


async def test_unapproved_posts_and_posts_of_unfollowed_users_are_not_received(live: Live) -> None:
    alice, bob, carol = map(live.person, ("alice", "bob", "carol"))
    await follow_people(bob, alice, carol)
    await live.drain()

    async with watching(live, "bob") as watcher:
        gone = (await publish(alice, "gone at once"))["post"]["id"]
        await delete(alice, gone)
        await published(alice, "an awful thing")
        await follow_people(bob, carol, verb="unfollow")
        await published(carol, "bob has left")
        await live.drain()
        (waiting,) = await published(alice, "a dubious thing")
        await live.drain()
        await published(alice, "for bob")
        await live.drain()
        events = [await received(watcher)]
        await decide(live.person("mia", "moderate"), waiting, "APPROVE")
        await live.drain()
        events.append(await received(watcher))

    assert events == [("for bob", "alice"), ("a dubious thing", "alice")]


async def test_homepostadded_needs_a_signed_in_user(live: Live) -> None:
    async with live.socket() as anonymous:
        await anonymous.send(id="1", type="subscribe", payload={"query": HOME_POST_ADDED})
        message = await anonymous.receive()

    assert (message["type"], message["payload"][0]["extensions"]["code"]) == ("error", "UNAUTHENTICATED")
