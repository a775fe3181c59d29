"""Whoever pages the hottest comments while others arrive finds as many as are counted, none twice."""

import asyncio

import pytest

from tests.features.read_your_writes.list_readers import ListReaders
from tests.support.comments import COUNTS, added, page
from tests.support.stores import standalone
from tests.support.system import Person
from tests.support.workers import working


async def paged(reader: Person, post: str) -> list[str]:
    """Returns the ids of all pages."""
    found: list[str] = []
    after: str | None = None
    while True:
        one = await page(reader, post, "HOT", 3, after)
        found += [node["id"] for node in one["nodes"]]
        if not one["pageInfo"]["hasNextPage"]:
            return found
        after = one["pageInfo"]["endCursor"]


async def read_again_and_again(readers: ListReaders, comments: int, pause: float) -> None:
    """Alice and Carol comment in turns, and Bob likes what they said. Three people read all pages again and again."""
    post, over = readers.ids["post"], asyncio.Event()
    own: list[str] = []
    everything: list[str] = []

    async def write() -> None:
        for n in range(comments):
            author = (readers.alice, readers.carol)[n % 2]
            item = await added(author, post, readers.text)
            everything.append(item)
            if author is readers.alice:
                own.append(item)
            await readers.bob.like(everything[n // 2])
            await asyncio.sleep(pause)

    async def look(reader: Person) -> None:
        while not over.is_set():
            mine = [*own] if reader is readers.alice else []
            counted = (await reader.ask(COUNTS, id=post))["node"]["rootCommentCount"]
            found = await paged(reader, post)
            assert len(found) == len(set(found)), "a comment comes twice"
            assert len(found) >= counted, "a comment that is counted is on no page"
            assert set(mine) <= set(found), "a comment is missing for its author"

    looking = [
        asyncio.create_task(look(reader)) for reader in (readers.alice, readers.bob, readers.system.person(None))
    ]
    try:
        await write()
    finally:
        over.set()
        await asyncio.gather(*looking)


@standalone
async def test_pages_of_hot_comments_hold_what_is_counted_while_comments_arrive(readers: ListReaders) -> None:
    async with working(readers.worker):
        await read_again_and_again(readers, 12, 0.1)


@pytest.mark.prove
@pytest.mark.timeout(900)
async def test_pages_of_hot_comments_hold_what_is_counted_while_very_many_comments_arrive(readers: ListReaders) -> None:
    async with working(readers.worker):
        await read_again_and_again(readers, 150, 0.3)
