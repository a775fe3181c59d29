"""A reader who pages the hottest comments while comments arrive finds all counted comments, each once."""

import asyncio

import pytest

from tests.features.read_your_writes.list_readers import ListReaders
from tests.support.comments import COUNTS, added, page
from tests.support.stores import standalone
from tests.support.system import Person
from tests.support.workers import working


async def paged(reader: Person, post: str) -> list[str]:
    """Returns the ids on all pages."""
    found: list[str] = []
    after: str | None = None
    while True:
        one = await page(reader, post, "HOT", 3, after)
        found += [node["id"] for node in one["nodes"]]
        if not one["pageInfo"]["hasNextPage"]:
            return found
        after = one["pageInfo"]["endCursor"]


async def read_while_comments_arrive(readers: ListReaders, comments: int, pause: float) -> None:
    """Lets Alice and Carol comment in turns, and Bob like their comments. Meanwhile, three readers check all pages."""
    post, over = readers.ids["post"], asyncio.Event()
    own: list[str] = []
    all_items: list[str] = []

    async def write() -> None:
        for n in range(comments):
            author = (readers.alice, readers.carol)[n % 2]
            item = await added(author, post, readers.text)
            all_items.append(item)
            if author is readers.alice:
                own.append(item)
            await readers.bob.like(all_items[n // 2])
            await asyncio.sleep(pause)

    async def check_pages(reader: Person) -> None:
        while not over.is_set():
            mine = [*own] if reader is readers.alice else []
            counted = (await reader.ask(COUNTS, id=post))["node"]["rootCommentCount"]
            found = await paged(reader, post)
            assert len(found) == len(set(found)), "a comment comes twice"
            assert len(found) >= counted, "a counted comment is on no page"
            assert set(mine) <= set(found), "an author's comment is on no page"

    checking = [
        asyncio.create_task(check_pages(reader)) for reader in (readers.alice, readers.bob, readers.system.person(None))
    ]
    try:
        await write()
    finally:
        over.set()
        await asyncio.gather(*checking)


@standalone
async def test_pages_of_hot_comments_have_all_counted_comments_while_comments_arrive(readers: ListReaders) -> None:
    async with working(readers.worker):
        await read_while_comments_arrive(readers, 12, 0.1)


@pytest.mark.prove
@pytest.mark.timeout(900)
async def test_pages_of_hot_comments_have_all_counted_comments_while_very_many_arrive(readers: ListReaders) -> None:
    async with working(readers.worker):
        await read_while_comments_arrive(readers, 110, 0.3)  # an author may have 64 pending comments
