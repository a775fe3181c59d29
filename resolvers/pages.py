"""Keyset pages: arguments checked, cursors sealed, one item more than asked for to know whether there are more."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, TypeVar

from cursors import Cursors
from errors import BadCursor, BadInput
from store.journal import moment_ms
from store.lists import Item

MOST = 100
Node = TypeVar("Node")


@dataclass(frozen=True, slots=True)
class PageInfo:
    """As Relay defines it. Lists are paged forward only."""

    has_next_page: bool
    has_previous_page: bool
    start_cursor: str | None
    end_cursor: str | None


@dataclass(frozen=True, slots=True)
class Edge(Generic[Node]):
    """One item of a page, and when it joined the list."""

    cursor: str
    node: Node
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Connection(Generic[Node]):
    """A page."""

    edges: list[Edge[Node]]
    page_info: PageInfo

    @property
    def nodes(self) -> list[Node]:
        """The edges' nodes."""
        return [edge.node for edge in self.edges]


def check_first(first: int) -> int:
    """`first`, if it is one. Raises BadInput."""
    if not 1 <= first <= MOST:
        raise BadInput(f"first is 1 to {MOST}.")
    return first


async def connection(
    cursors: Cursors,
    scope: str,
    first: int,
    after: str | None,
    items: Callable[[Item | None, int], Awaitable[Sequence[Item]]],
    nodes: Callable[[list[int]], Awaitable[Sequence[Node | None]]],
    *,
    depth: int | None = None,
) -> Connection[Node]:
    """A page of the list `scope`: skeleton from `items`, then its nodes; those that have gone are left out.

    A list ends after `depth` items for those who may see no more; a cursor knows how many lie before it. Raises
    BadInput for an impossible `first`, BadCursor for a cursor of another list.
    """
    count, passed, before = check_first(first), 0, None
    if after is not None:
        position = cursors.open(scope, after)
        if len(position) != 3:
            raise BadCursor("This is a cursor of another version.")
        before, passed = Item(*position[:2]), position[2]
    if depth is not None:
        count = min(count, max(0, depth - passed))
    skeleton = await items(before, count + 1) if count else []
    page = skeleton[:count]
    sealed = [cursors.seal(scope, *item, passed + i) for i, item in enumerate(page, 1)]
    loaded = await nodes([item.member for item in page])
    edges = [
        Edge(cursor, node, datetime.fromtimestamp(moment_ms(item.moment) / 1000, UTC))
        for cursor, item, node in zip(sealed, page, loaded, strict=True)
        if node is not None
    ]
    more = len(skeleton) > count and passed + count != depth
    ends = (sealed[0], sealed[-1]) if page else (None, None)
    return Connection(edges, PageInfo(more, before is not None, *ends))
