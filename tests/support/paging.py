"""Reads a list page by page to its end, and checks every page."""

from collections.abc import Awaitable, Callable
from typing import Any

from tests.support.system import Person

PAGE_INFO = "hasNextPage hasPreviousPage startCursor endCursor"

Between = Callable[[], Awaitable[None]]


async def nothing() -> None:
    """Does nothing between two pages."""


async def walk(reader: Person, query: str, name: str, between: Between, **variables: Any) -> list[str]:
    found: list[str] = []
    after: str | None = None
    for _ in range(200):
        data = await reader.ask(query.replace("PAGE_INFO", PAGE_INFO), **variables, after=after)
        found += page_of(data["node"]["page"], name, first=variables["first"], after=after)
        info = data["node"]["page"]["pageInfo"]
        if not info["hasNextPage"]:
            return found
        after = info["endCursor"]
        await between()
    raise AssertionError("the list has no end")


def page_of(page: Any, name: str, *, first: int, after: str | None) -> list[str]:
    """Returns the names on a page. Checks order, cursors and pageInfo."""
    edges, info = page["edges"], page["pageInfo"]
    times = [edge["createdAt"] for edge in edges]
    cursors = [edge["cursor"] for edge in edges]
    assert times == sorted(times, reverse=True)
    assert [edge["node"] for edge in edges] == page["nodes"]
    assert info["hasPreviousPage"] == (after is not None)
    assert (info["startCursor"], info["endCursor"]) == ((cursors[0], cursors[-1]) if cursors else (None, None))
    assert len(edges) == first if info["hasNextPage"] else len(edges) <= first
    return [node[name] for node in page["nodes"]]


async def walk_back(
    reader: Person, query: str, name: str, before: str | None, last: int, **variables: Any
) -> list[str]:
    """Returns the names on all pages before a cursor (None: the end of the list), in the order of the list, read in
    pages of `last`. `query` has the list under the name `page`, at the top or below `viewer`. Checks that every page
    but the last one read is full, and its pageInfo.
    """
    found: list[str] = []
    for _ in range(200):
        data = await reader.ask(query.replace("PAGE_INFO", PAGE_INFO), **variables, last=last, before=before)
        page = data.get("viewer", data)["page"]
        edges, info = page["edges"], page["pageInfo"]
        cursors = [edge["cursor"] for edge in edges]
        assert info["hasNextPage"] == (before is not None)
        assert (info["startCursor"], info["endCursor"]) == ((cursors[0], cursors[-1]) if cursors else (None, None))
        assert len(edges) == last if info["hasPreviousPage"] else len(edges) <= last
        found, before = [edge["node"][name] for edge in edges] + found, info["startCursor"]
        if not info["hasPreviousPage"]:
            return found
    raise AssertionError("the list has no beginning")
