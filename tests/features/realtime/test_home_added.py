"""homePostAdded: whoever watches their home is told what comes into it, once, and nothing that is not for them."""

import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from domain.cursors import Cursors
from resolvers import home_updates as homes
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
    """A server on a port, where accounts are big from three followers on, and a few words are looked at."""
    words = tmp_path / "words.txt"
    words.write_text("reject: awful\nreview: dubious\n")
    moderation = LENIENT.model_copy(update={"words_file": words})
    async with serving(make_settings(port=0, moderation=moderation, push_follower_limit=3)) as one:
        yield one
        await eventually(lambda: one.state.events.channels == 0)


@asynccontextmanager
async def watching(live: Live, handle: str) -> AsyncIterator[Socket]:
    """Somebody who is told from now on."""
    async with live.socket(handle) as socket:
        await socket.send(id="1", type="subscribe", payload={"query": HOME_POST_ADDED})
        await eventually(lambda: live.state.events.channels == 3)
        yield socket


async def added(socket: Socket) -> tuple[str, str]:
    """The next post's text and author."""
    message = await socket.receive()
    assert message["type"] == "next", message
    node = message["payload"]["data"]["homePostAdded"]["node"]
    return node["text"], node["author"]["handle"]


async def test_posts_of_whom_one_follows_and_ones_own_are_told_in_order_once(live: Live) -> None:
    alice, bob, carol = map(live.person, ("alice", "bob", "carol"))
    await follow_people(bob, alice)
    await published(alice, "before")
    await live.drain()

    async with watching(live, "bob") as watcher:
        await published(carol, "a stranger's")
        await published(alice, "first", "second")
        await live.drain()
        heard = [await added(watcher), await added(watcher)]
        await published(bob, "from elsewhere")
        await live.drain()
        heard.append(await added(watcher))
        await published(alice, "third")
        await live.drain()
        heard.append(await added(watcher))

    assert heard == [("first", "alice"), ("second", "alice"), ("from elsewhere", "bob"), ("third", "alice")]


async def test_a_post_that_leaves_home_and_comes_back_is_told_once(live: Live) -> None:
    alice, bob = live.person("alice"), live.person("bob")
    await follow_people(bob, alice)
    await live.drain()

    async with watching(live, "bob") as watcher:
        await published(alice, "once")
        await live.drain()
        heard = [await added(watcher)]
        for text, verb in (("gone", "unfollow"), ("back", "follow")):
            await follow_people(bob, alice, verb=verb)
            await published(bob, text)
            await live.drain()
            heard.append(await added(watcher))
        assert "once" in await home(bob)

    assert heard == [("once", "alice"), ("gone", "bob"), ("back", "bob")]


def a_page(items: Sequence[Item], *, more: bool) -> Connection[Any]:
    """The newest of a home."""
    return Connection(Cursors(b"key"), "home", items, 0, {item.member: item for item in items}, more, False)


@pytest.mark.parametrize("remembered", [1, 20, 30])
def test_whatever_comes_and_goes_each_post_is_an_addition_once_at_most(
    monkeypatch: pytest.MonkeyPatch, remembered: int
) -> None:
    monkeypatch.setattr(homes, "_REMEMBERED", remembered)
    chance, there = random.Random(7), list[Item]()
    known, told = KnownPosts(a_page([], more=False)), list[int]()
    for moment in range(1, 300):
        there = [*there, Item(moment, moment)]
        found = sorted(chance.sample(there, chance.randint(1, len(there))), reverse=True)
        told += [edge.item.member for edge in known.additions(a_page(found[:20], more=len(found) > 20))]

    assert len(told) == len(set(told)) > 50
    assert len(known._items) <= remembered


async def test_its_cursor_goes_on_in_home(live: Live) -> None:
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


async def test_posts_of_big_accounts_are_told_too(live: Live) -> None:
    star, bob = live.person("star"), live.person("bob")
    for fan in (bob, live.person("carol"), live.person("dan")):
        await follow_people(fan, star)
    await live.drain()

    async with watching(live, "bob") as watcher:
        await published(star, "to all of you")
        await live.drain()
        heard = await added(watcher)

    assert heard == ("to all of you", "star")
    assert await live.rows("SELECT pushed FROM outboxes") == [(False,)]


async def test_nothing_is_told_before_it_is_approved_or_of_whom_one_has_left(live: Live) -> None:
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
        heard = [await added(watcher)]
        await decide(live.person("mia", "moderate"), waiting, "APPROVE")
        await live.drain()
        heard.append(await added(watcher))

    assert heard == [("for bob", "alice"), ("a dubious thing", "alice")]


async def test_a_home_is_ones_own(live: Live) -> None:
    async with live.socket() as nobody:
        await nobody.send(id="1", type="subscribe", payload={"query": HOME_POST_ADDED})
        message = await nobody.receive()

    assert (message["type"], message["payload"][0]["extensions"]["code"]) == ("error", "UNAUTHENTICATED")
