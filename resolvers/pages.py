"""Keyset pages of many lists at once: arguments checked, cursors sealed, one item more than asked for to know whether
there are more.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, NamedTuple, TypeVar

from domain.cursors import Cursors
from domain.errors import BadCursor, BadInput, Unavailable
from models.base import at
from store.cache.lists import Item
from store.write_log.journal import moment_ms

MOST = 100
NodeRow = TypeVar("NodeRow")
T = TypeVar("T")


class Slice(NamedTuple):
    """What is to be read of list number `of`: so many items older than `before`."""

    of: int
    before: Item | None
    most: int


class Scope(NamedTuple):
    """A list: its name, which its cursors are bound to, and after how many items it ends for whoever asks."""

    name: str
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class Edge(Generic[NodeRow]):
    """One item of a page: the one `at` that place of it."""

    node: NodeRow
    page: "Connection[NodeRow]"
    at: int

    @property
    def item(self) -> Item:
        """What the list has of it."""
        return self.page.items[self.at]

    @property
    def cursor(self) -> str:
        """Where in the list it is."""
        return self.page.cursor(self.at)

    @property
    def reason(self) -> str | None:
        """Why it is there, in lists that say so."""
        return self.page.reasons.get(self.item.member)

    @property
    def created_at(self) -> datetime:
        """When it joined the list."""
        return at(moment_ms(self.item.moment))


@dataclass(slots=True)
class Connection(Generic[NodeRow]):
    """A page, which is its own `page_info` too. Lists are paged forward only. What is not selected is not made."""

    cursors: Cursors
    scope: str
    items: Sequence[Item]
    passed: int
    """How many items of the list lie before these."""
    by_id: Mapping[int, NodeRow | None]
    has_next_page: bool
    has_previous_page: bool
    reasons: Mapping[int, str | None] = field(default_factory=dict)
    places: Callable[[int], Sequence[int]] | None = None
    """What cursors tell of the item at a place of the page, in lists that are not paged by their items."""

    @property
    def nodes(self) -> list[NodeRow]:
        """Who is still there."""
        return [node for item in self.items if (node := self.by_id[item.member]) is not None]

    @property
    def edges(self) -> list[Edge[NodeRow]]:
        """The nodes with their places."""
        return [
            Edge(node, self, at) for at, item in enumerate(self.items) if (node := self.by_id[item.member]) is not None
        ]

    @property
    def page_info(self) -> "Connection[NodeRow]":
        """As Relay defines it."""
        return self

    @property
    def start_cursor(self) -> str | None:
        """Where the page begins; None when it is empty."""
        return self.cursor(0) if self.items else None

    @property
    def end_cursor(self) -> str | None:
        """Where it ends; None when it is empty."""
        return self.cursor(len(self.items) - 1) if self.items else None

    def cursor(self, at: int) -> str:
        """Where in the list the item at a place of the page is. How many lie before the next one is part of it."""
        place = self.places(at) if self.places else (*self.items[at], self.passed + at + 1)
        return self.cursors.seal(self.scope, *place)


def check_first(first: int) -> int:
    """`first`, if it is one. Raises BadInput."""
    if not 1 <= first <= MOST:
        raise BadInput(f"first is 1 to {MOST}.")
    return first


Pages = list[Connection[NodeRow] | Exception]
"""A page of each of many lists; in the place of one that cannot be answered stands why."""


async def each(page: Callable[[T], Awaitable[Connection[NodeRow] | BadCursor]], of: Iterable[T]) -> Pages[NodeRow]:
    """The page of each, or why it cannot be read: those of others can be."""

    async def one(thing: T) -> Connection[NodeRow] | Exception:
        try:
            return await page(thing)
        except Unavailable as error:
            return error

    return list(await asyncio.gather(*map(one, of)))


async def connections(
    cursors: Cursors,
    scopes: Sequence[Scope],
    first: int,
    after: str | None,
    items: Callable[[Sequence[Slice]], Awaitable[Sequence[Sequence[Item]]]],
    nodes: Callable[[list[int]], Awaitable[Sequence[NodeRow | None]]],
) -> Pages[NodeRow]:
    """The same page of each list: skeletons from `items`, then all nodes at once; those that have gone are left out.

    A list whose cursor `after` is not answers with the error, and so does one that cannot be read, or whose nodes
    cannot. Raises BadInput for an impossible `first`.
    """
    starts = [_start(cursors, scope, check_first(first), after) for scope in scopes]
    wanted = [Slice(i, start.before, start.most + 1) for i, start in enumerate(starts) if isinstance(start, _Start)]
    wanted = [one for one in wanted if one.most > 1]
    skeletons = dict(zip([one.of for one in wanted], await items(wanted) if wanted else [], strict=True))
    read = [(skeletons[one.of], one.most - 1) for one in wanted if not isinstance(skeletons[one.of], Exception)]
    members = {item.member: None for skeleton, most in read for item in skeleton[:most]}
    by_id = dict(zip(members, await nodes(list(members)) if members else [], strict=True))
    return [
        _connection(cursors, scope, start, skeletons.get(i, ()), by_id) if isinstance(start, _Start) else start
        for i, (scope, start) in enumerate(zip(scopes, starts, strict=True))
    ]


class _Start(NamedTuple):
    before: Item | None
    passed: int
    most: int


def _start(cursors: Cursors, scope: Scope, count: int, after: str | None) -> _Start | BadCursor:
    """Where the page begins, and how many items it may have."""
    try:
        before, passed = position(cursors, scope, after)
    except BadCursor as error:
        return error
    return _Start(before, passed, count if scope.depth is None else min(count, max(0, scope.depth - passed)))


def position(cursors: Cursors, scope: Scope, after: str | None) -> tuple[Item | None, int]:
    """The item a page comes after, and how many lie before that page. Raises BadCursor."""
    if after is None:
        return None, 0
    sealed = cursors.open(scope.name, after)
    if len(sealed) != 3:
        raise BadCursor("This is a cursor of another version.")
    return Item(*sealed[:2]), sealed[2]


def _connection(
    cursors: Cursors, scope: Scope, start: _Start, skeleton: Sequence[Item] | Exception, by_id: dict[int, Any]
) -> Connection[NodeRow] | Exception:
    if isinstance(skeleton, Exception):
        return skeleton
    items = skeleton[: start.most]
    for item in items:
        if isinstance(by_id[item.member], Exception):
            return by_id[item.member]  # type: ignore[no-any-return]
    more = len(skeleton) > start.most and start.passed + start.most != scope.depth
    return Connection(cursors, scope.name, items, start.passed, by_id, more, start.before is not None)
