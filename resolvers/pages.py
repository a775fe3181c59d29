"""Pages of lists: checks arguments, reads and makes cursors, and reads the pages of many lists at once.

A page is read with one item more than `first`, which shows whether another page follows.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, NamedTuple, TypeVar

from domain.cursors import Cursors
from domain.errors import BadCursor, BadInput, Unavailable
from domain.versions import moment_ms
from models.base import at
from models.home import HomeReason
from store.cache.lists import Above, Item

MOST, USUAL = 100, 20
"""The most items of a page, and the number without `first` and `last`."""
NodeRow = TypeVar("NodeRow")
T = TypeVar("T")


class Slice(NamedTuple):
    """A part of a list to read: at most `most` items that are older than `before` (None: the newest items). `of` is the
    index of the list among the lists that are read together.
    """

    of: int
    before: Item | None
    most: int


class Scope(NamedTuple):
    """The identity of a list. `name` is in the list's cursors, so that they work for no other list. `depth` is how many
    items of the list the caller may read in all, None for no limit.
    """

    name: str
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class Edge(Generic[NodeRow]):
    """An edge, as Relay defines it: the item with the index `at` on a page."""

    node: NodeRow
    page: "Connection[NodeRow]"
    at: int

    @property
    def item(self) -> Item:
        """Returns this item's position in the list (in most lists the moment of its addition) and its id."""
        return self.page.items[self.at]

    @property
    def cursor(self) -> str:
        """Returns the cursor of this item."""
        return self.page.cursor(self.at)

    @property
    def reason(self) -> str | None:
        """Returns the reason why this item is recommended, or None if the list gives no such reasons."""
        return self.page.reasons.get(self.item.member)

    @property
    def home_reason(self) -> HomeReason | None:
        """Returns why this item is in a home timeline; None for posts of followed users, and in all other lists."""
        return self.page.home_reasons.get(self.item.member)

    @property
    def created_at(self) -> datetime:
        """Returns the time when this item was added to the list."""
        return at(moment_ms(self.item.score))


@dataclass(slots=True)
class Connection(Generic[NodeRow]):
    """A page of a list, with the fields that Relay defines for connections and for their `pageInfo`.

    Properties compute their values on access, so fields that are not selected cost nothing.
    """

    cursors: Cursors
    scope: str
    """The name of the list in its cursors."""
    items: Sequence[Item]
    passed: int
    """The number of items of the list before this page."""
    by_id: Mapping[int, NodeRow | None]
    """The row of each item by its id; None for a row that must not be shown."""
    has_next_page: bool
    has_previous_page: bool
    reasons: Mapping[int, str | None] = field(default_factory=dict)
    """The reasons why items are recommended, by id."""
    home_reasons: Mapping[int, HomeReason] = field(default_factory=dict)
    """The reasons why items are in a home timeline, by id."""
    places: Callable[[int], Sequence[int]] | None = None
    """Returns, for the index of an item on the page, the numbers to put into its cursor. None for lists that are paged
    by moment and id.
    """

    @property
    def lacks_nodes(self) -> bool:
        """Returns whether the row of an item on this page is missing, because the viewer may not see it or it no longer
        exists.
        """
        return any(self.by_id[item.member] is None for item in self.items)

    @property
    def nodes(self) -> list[NodeRow]:
        """Returns the rows of this page. Leaves out rows that no longer exist or that the viewer may not see."""
        return [node for item in self.items if (node := self.by_id[item.member]) is not None]

    @property
    def edges(self) -> list[Edge[NodeRow]]:
        """Returns the edges of this page: each row with its index. Leaves out rows that no longer exist or that the
        viewer may not see.
        """
        return [
            Edge(node, self, at) for at, item in enumerate(self.items) if (node := self.by_id[item.member]) is not None
        ]

    @property
    def page_info(self) -> "Connection[NodeRow]":
        """Returns this page, which has the fields of Relay's PageInfo."""
        return self

    @property
    def start_cursor(self) -> str | None:
        """Returns the cursor of the first item, or None if the page is empty."""
        return self.cursor(0) if self.items else None

    @property
    def end_cursor(self) -> str | None:
        """Returns the cursor of the last item, or None if the page is empty."""
        return self.cursor(len(self.items) - 1) if self.items else None

    def cursor(self, at: int) -> str:
        """Returns the cursor of the item with this index. The cursor contains the result of `places` or, without
        `places`, the moment and id of the item and the number of items of the list up to it.
        """
        place = self.places(at) if self.places else (*self.items[at], self.passed + at + 1)
        return self.cursors.seal(self.scope, *place)


def check_first(first: int) -> int:
    """Returns `first`. Raises BadInput unless it is 1 to 100."""
    if not 1 <= first <= MOST:
        raise BadInput(f"first must be 1 to {MOST}.")
    return first


class PageArguments(NamedTuple):
    """The arguments of a list that can be read in both directions, as the caller gives them; None for those that are
    omitted.
    """

    first: int | None = None
    after: str | None = None
    last: int | None = None
    before: str | None = None


class Window(NamedTuple):
    """The part of a list that a page shows."""

    most: int
    """The largest number of items."""
    start: Item | None
    """The item that stands before the page; None for the first page. An Above if the page is read backward."""
    sealed: int
    """The third number in the cursor of `start`: in most lists the number of items up to it. 0 without a cursor."""

    def page(
        self, cursors: Cursors, scope: str, found: Sequence[Item], by_id: Mapping[int, NodeRow | None]
    ) -> Connection[NodeRow]:
        """Returns the page of the list named `scope`, newest items first. `found` are up to `most` + 1 items from
        `start` on, in the direction of reading, and `by_id` has their rows.
        """
        items, more = found[: self.most], len(found) > self.most
        if not isinstance(self.start, Above):
            return Connection(cursors, scope, items, self.sealed, by_id, more, self.start is not None)
        passed = max(0, self.sealed - 1 - len(items))
        return Connection(cursors, scope, items[::-1], passed, by_id, self.start != END, more)


END = Above(0, 0)
"""The end of a list, from which its last page is read backward."""


def window(cursors: Cursors, scope: Scope, asked: PageArguments) -> Window:
    """Returns the part of a list that the arguments of a page ask for. Raises BadCursor if `after` or `before` is not a
    cursor of the list; BadInput unless `first` or `last` is 1 to 100, and if arguments of both directions are given.
    """
    first, after, last, before = asked
    if last is None and before is None:
        sealed = position(cursors, scope, after) if after is not None else (None, 0)
        return Window(check_first(USUAL if first is None else first), *sealed)
    if last is None or first is not None or after is not None:
        raise BadInput("Give either first and after, or last and before: before needs last.")
    if not 1 <= last <= MOST:
        raise BadInput(f"last must be 1 to {MOST}.")
    start, number = position(cursors, scope, before)
    return Window(last, Above(*start) if start else END, number)


Pages = list[Connection[NodeRow] | Exception]
"""A page of each of many lists, or an exception in place of the page of a list that cannot be read."""


async def each(page: Callable[[T], Awaitable[Connection[NodeRow] | BadCursor]], of: Iterable[T]) -> Pages[NodeRow]:
    """Calls `page` for each list in `of`, concurrently. Returns the pages, with the exception in place of a page for
    which `page` raises Unavailable or returns BadCursor.
    """

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
    """Returns one page of each list in `scopes`. `items` reads the items of all pages, then `nodes` loads the rows of
    all items by their ids, in one batch. Rows for which `nodes` returns None are left out.

    An exception is in the place of the page of a list if `after` is not a cursor of the list, or if items or rows of
    the page cannot be read. Raises BadInput unless `first` is 1 to 100.
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
    """Returns where the page after the cursor `after` starts and how many items it may have, or a BadCursor."""
    try:
        before, passed = position(cursors, scope, after)
    except BadCursor as error:
        return error
    return _Start(before, passed, count if scope.depth is None else min(count, max(0, scope.depth - passed)))


def position(cursors: Cursors, scope: Scope, after: str | None) -> tuple[Item | None, int]:
    """Reads the cursor `after`. Returns the last item of the previous page, and the number of items of the list up to
    it; None and 0 without a cursor. Raises BadCursor if it is not a cursor of the list.
    """
    if after is None:
        return None, 0
    sealed = cursors.open(scope.name, after)
    if len(sealed) != 3:
        raise BadCursor("This cursor is from an incompatible version. Start again from the first page.")
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
