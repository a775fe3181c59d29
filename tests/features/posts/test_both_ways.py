"""The square, and notifications, read in both directions: from the end to the top, the pages are those read forward."""

from typing import Any

import pytest

from tests.support.paging import PAGE_INFO, walk_back
from tests.support.posts import DELETE, published
from tests.support.system import Person, System

SQUARE = """query ($first: Int, $after: String, $last: Int, $before: String, $sort: TimelineSort! = LATEST) {
  page: square(sort: $sort, first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { id } } pageInfo { PAGE_INFO } } }"""
NOTIFICATIONS = """query ($first: Int, $after: String, $last: Int, $before: String) { viewer {
  page: notifications(first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { id } } pageInfo { PAGE_INFO } } } }"""


async def page(reader: Person, query: str, **arguments: Any) -> Any:
    data = await reader.ask(query.replace("PAGE_INFO", PAGE_INFO), **arguments)
    return data.get("viewer", data)["page"]


def ids(of: Any) -> list[str]:
    return [edge["node"]["id"] for edge in of["edges"]]


@pytest.mark.parametrize("sort", ["LATEST", "HOT"])
@pytest.mark.parametrize("is_cached", [True, False])
async def test_the_square_read_backward_has_the_posts_of_the_square(system: System, sort: str, is_cached: bool) -> None:
    reader, author = system.person("reader"), system.person("author")
    posts = await published(author, *(f"post {number}" for number in range(12)))
    await published(reader, "mine")
    await system.drain()
    every = await page(reader, SQUARE, first=100, sort=sort)
    await author.ask(DELETE, id=posts[6])
    await system.drain()
    expected = [one for one in ids(every) if one != posts[6]]
    assert len(expected) == 12
    if not is_cached:
        await system.empty_redis()
    for last in (1, 5, 100):
        assert await walk_back(reader, SQUARE, "id", None, last, sort=sort) == expected
        cursor = every["edges"][9]["cursor"]
        above = [one for one in ids(every)[:9] if one != posts[6]]
        assert await walk_back(reader, SQUARE, "id", cursor, last, sort=sort) == above
    await published(author, "new")
    await system.drain()
    if sort == "LATEST":
        newer = await page(reader, SQUARE, last=5, before=every["pageInfo"]["startCursor"])
        assert (len(newer["edges"]), newer["pageInfo"]["hasPreviousPage"]) == (1, False)


@pytest.mark.parametrize("is_cached", [True, False])
async def test_notifications_read_backward_are_those_read_forward(system: System, is_cached: bool) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    mine = await published(alice, *(f"post {number}" for number in range(8)))
    await system.drain()
    for post in mine:
        await bob.like(post)
        await system.drain()
    every = await page(alice, NOTIFICATIONS, first=100)
    assert len(every["edges"]) == 8
    if not is_cached:
        await system.empty_redis()
    for last in (1, 3, 100):
        assert await walk_back(alice, NOTIFICATIONS, "id", None, last) == ids(every)
        assert await walk_back(alice, NOTIFICATIONS, "id", every["edges"][5]["cursor"], last) == ids(every)[:5]
