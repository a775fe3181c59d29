"""An item of a ranked list that rises while a page of the list is filled up is on the page."""

from collections.abc import Awaitable, Callable

import pytest

from resolvers import timelines
from resolvers.timelines import Source
from store.cache.lists import Item
from tests.features.ranking.ranked_lists import HOT, TOPIC, board, react_as_many
from tests.support.boundaries import mute
from tests.support.comments import added, page
from tests.support.posts import publish
from tests.support.stores import standalone
from tests.support.system import Person, System

Page = Callable[[Person, str], Awaitable[list[str]]]
"""Reads the first two items of a list. The second argument is the id of the entity whose comments are listed."""


async def square(viewer: Person, _: str) -> list[str]:
    return [post["text"] for post in (await viewer.ask(HOT, first=2))["square"]["nodes"]]


async def topic(viewer: Person, _: str) -> list[str]:
    return [post["text"] for post in (await viewer.ask(TOPIC, name="cats", first=2))["topic"]["posts"]["nodes"]]


async def places(viewer: Person, _: str) -> list[str]:
    return [name for _, _, name in await board(viewer, "DAY", "post", first=2)]


async def comments(viewer: Person, subject: str) -> list[str]:
    return [node["text"] for node in (await page(viewer, subject, "HOT", 2))["nodes"]]


@standalone
@pytest.mark.parametrize("read", [square, topic, places, comments])
async def test_an_item_that_rises_while_a_page_is_filled_up_is_on_the_page(
    system: System, monkeypatch: pytest.MonkeyPatch, read: Page
) -> None:
    alice, bob, carol = (system.person(name) for name in ("alice", "bob", "carol"))
    (video,) = await system.videos("v")

    async def write(author: Person, text: str, likes: int) -> str:
        """Writes a post or comment, and lets it be liked. Returns its id."""
        if read is comments:
            id_ = await added(author, video, text)
        else:
            id_ = str((await publish(author, text, "cats"))["post"]["id"])
        await system.drain()
        await react_as_many(system, id_, count=likes)
        await system.drain()
        return id_

    low = await write(bob, "low", 1)
    await write(bob, "high", 2)
    for n in range(3):
        await write(carol, f"muted {n}", 3)
    assert (await mute(alice, await carol.id()))["userErrors"] == []
    items_of, reads = timelines.items_of, list[Item | None]()

    async def rising(sources: list[Source], before: Item | None, count: int) -> list[Item]:
        """Reads items. After the first read of a page, the lowest item becomes the highest one."""
        found = await items_of(sources, before, count)
        if count == 1:  # reads whether the topic has a post
            return found
        if not reads:
            await react_as_many(system, low, count=6)
            await system.drain()
        reads.append(before)
        return found

    monkeypatch.setattr(timelines, "items_of", rising)
    assert sorted(await read(alice, video)) == ["high", "low"]
    assert len(reads) > 1, "the page was not filled up"
