"""Commentable.comments(sort: HOT): pages of the hottest comments. Scores change while a reader pages, yet paging skips
and repeats no comment.

1. candidates: on the first page the viewer's own comments and the hottest ones (`_first_page`), on later pages a
   snapshot, then older comments (`_later_page`);
2. load the comments, leave out those that the viewer may not see, and take more candidates while the page is short
   (`timelines.collect`);
3. page: seal the position of each comment in its cursor.

The first page shows the hottest comments now and writes nothing. Its cursors carry the time of the read and the
comments served so far. The second page stores a snapshot, which is a list of comments in a fixed order: the comments
already served, the viewer's own comments that the list may lack, then the hottest comments now. Viewers who read their
first page before the snapshot was made share it. Later cursors carry positions in the snapshot. Only the hottest
comments are ranked. If the subject (a post or entity) has more comments, they follow after the snapshot, newest first.

So the same cursor always returns the same comments, except those that are no longer visible: they are left out, and the
page is filled up. A snapshot expires some time after its last read, and its cursors expire with it.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from context import Context
from domain.digests import digest
from domain.errors import BadCursor
from loaders import comments, lists
from loaders.lists import ListPage
from models.comments import CommentRow
from models.counters import EntityRef
from resolvers import timelines
from resolvers.own_comments import own_items
from resolvers.pages import Connection, check_first
from resolvers.timelines import listed
from store.cache.lists import Item, newest_of
from store.content import comment_snapshots as snapshots
from store.content.comment_snapshots import BEGIN_MS, Pinned

_SERVED, _RANKED = 1, 2
"""The first number of a cursor: its kind. A cursor of the first page is (1, time of the page in ms, ids served so far).
A cursor of a later page is (2, token, mark, newest, position, id); `_Reading` explains token, mark and newest.
"""
_TOP = 1 << 61
"""The position of a list's first item. Ranks count down from here, far above the moments of unranked comments."""
_TOKEN_DIGITS = 15


async def page(
    context: Context, subject: EntityRef, first: int, after: str | None
) -> Connection[CommentRow] | BadCursor:
    """Returns one page of the hottest comments of a subject (a post or entity); BadCursor if `after` is not valid or
    has expired. The cursors of the page are valid for the same viewer only. Raises BadInput unless `first` is 1 to 100.
    """
    check_first(first)
    viewer = context.viewer.user_id if context.viewer else 0
    scope = f"comments:{subject.business_id}:{subject.entity_id}:HOT:{viewer}"
    if after is None:
        return await _first_page(context, scope, subject, first)
    try:
        reading, before = await _resumed(context, scope, subject, after)
        return await _later_page(context, scope, reading, before, first)
    except BadCursor as error:
        return error


async def _first_page(context: Context, scope: str, subject: EntityRef, first: int) -> Connection[CommentRow]:
    load = context.content.feed_comments
    items, by_id = await timelines.collect(
        load, [partial(_own, context, subject), partial(_hot, context, subject)], None, first + 1, ranked=True
    )
    served, began_ms = items[:first], context.state.now_ms()

    def places(at: int) -> Sequence[int]:
        return (_SERVED, began_ms, *(item.member for item in served[: at + 1]))

    more = len(items) > first
    return Connection(context.state.cursors, scope, served, 0, by_id, more, False, places=places)


async def _hot(context: Context, subject: EntityRef, before: Item | None, count: int) -> list[Item]:
    items = await context.lists.hot_comments.load(ListPage(subject, before, count))
    context.content.comments.ask([item.member for item in items])  # Shares a batch with the viewer's own comments.
    return items


async def _own(context: Context, subject: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Returns the viewer's own comments that the cached list may lack, at positions above all other comments.

    A comment stays in the result until no request can have a copy of the list without it. So a new comment moves to its
    place in the list a few seconds after all users can see it.
    """
    items = sorted(await own_items(context, subject, 0))
    return newest_of((Item(_TOP + rank, id_) for rank, (_, id_) in enumerate(items)), before, count)


@dataclass(slots=True)
class _Reading:
    """The part of a hot list after its first page: the comments in the snapshot, then the comments that are not ranked,
    newest first.

    `token` and `mark` are two numbers that identify the snapshot (store/content/comment_snapshots.py). `newest` is the
    moment of the subject's newest comment when the snapshot was made. `known` has the ids in the snapshot, None until
    they are read.
    """

    context: Context
    subject: EntityRef
    token: int
    mark: int
    newest: int
    known: frozenset[int] | None = None

    async def source(self, before: Item | None, count: int) -> list[Item]:
        """Returns `count` items of the list that follow `before`, or the first ones. Returns fewer only at the end of
        the list. Raises BadCursor if the snapshot has expired.
        """
        if before and before.score <= self.newest:
            return await self._older(before, count)
        rank = _TOP - before.score + 1 if before else 0
        part = await self._part(rank, count)
        items = [Item(_TOP - at, id_) for at, id_ in enumerate(part.ids, rank)]
        if len(items) == count or not part.goes_on:
            return items
        return items + await self._older(Item(self.newest + 1, 0), count - len(items))

    async def _older(self, before: Item, count: int) -> list[Item]:
        """Returns `count` comments of the subject that are not in the snapshot and are older than `before`, newest
        first; fewer only at the end of the list.
        """
        ranked = await self._ranked()
        newest = self.context.lists.newest_comments
        if before.score > self.newest:  # Many comments are ranked: collecting the others would take many rounds.
            items = await newest.load(ListPage(self.subject, before, count + len(ranked)))
            return [item for item in items if item.member not in ranked][:count]

        async def unranked(ids: Sequence[int]) -> list[int | None]:
            return [None if id_ in ranked else id_ for id_ in ids]

        return (await timelines.collect(unranked, [listed(newest, self.subject)], before, count))[0]

    async def _ranked(self) -> frozenset[int]:
        """Returns the ids of all comments in the snapshot. Raises BadCursor if it has expired."""
        if self.known is None:
            most = 2 * self.context.state.settings.caches.hot_comments + 1000
            self.known = frozenset((await self._part(0, most)).ids)
        return self.known

    async def _part(self, rank: int, count: int) -> snapshots.SnapshotPart:
        part = await snapshots.read(self.context.state.cache, self.token, self.mark, rank, count)
        if part is None:
            raise _expired()
        return part


async def _resumed(context: Context, scope: str, subject: EntityRef, after: str) -> tuple[_Reading, Item]:
    """Opens the cursor `after`. Returns the list after its first page, and the last item of the previous page. If the
    cursor is from a first page, finds the snapshot or stores one. Raises BadCursor if the cursor is not valid or has
    expired.
    """
    kind, *place = context.state.cursors.open(scope, after)
    if kind == _RANKED and len(place) == 5:
        token, mark, newest, *item = place
        return _Reading(context, subject, token, mark, newest), Item(*item)
    if kind != _SERVED or len(place) < 2:
        raise BadCursor("This cursor is from an incompatible version. Start again from the first page.")
    began_ms, *served = place
    if context.state.now_ms() > began_ms + BEGIN_MS:
        raise _expired()
    token = int(digest(scope, str(served))[:_TOKEN_DIGITS], 16)
    pinned = await snapshots.find(context.state.cache, token, began_ms)
    pinned = pinned or await _pin(context, subject, token, began_ms, served)
    return _Reading(context, subject, token, *pinned), Item(_TOP - len(served) + 1, served[-1])


async def _pin(context: Context, subject: EntityRef, token: int, began_ms: int, served: Sequence[int]) -> Pinned:
    """Stores a snapshot of the list as it is now, with the comments `served` first, under the number `token`.
    `began_ms` is the time of the first page. Returns the snapshot to use: this one, or one that another request has
    stored meanwhile.

    Local copies of lists are not used, because they may be older than the first page.
    """
    state, asked_ms, most = context.state, context.state.now_ms(), context.state.settings.caches.hot_comments
    (hot,), (newest,), own = await asyncio.gather(
        lists.read(state, comments.HOT, [ListPage(subject, None, most)]),
        lists.read(state, comments.NEWEST, [ListPage(subject, None, 1)]),
        _own(context, subject, None, most),
    )
    ids = dict.fromkeys([*served, *(item.member for item in (*own, *hot))])
    return await snapshots.pin(
        state.cache,
        token,
        began_ms,
        asked_ms,
        newest[0].score if newest else 0,
        list(ids),
        goes_on=len(hot) == most,
        reader=context.viewer.user_id if context.viewer else 0,
    )


async def _later_page(
    context: Context, scope: str, reading: _Reading, before: Item, first: int
) -> Connection[CommentRow]:
    items, by_id = await timelines.collect(context.content.feed_comments, [reading.source], before, first + 1)

    def places(at: int) -> Sequence[int]:
        return _RANKED, reading.token, reading.mark, reading.newest, *items[at]

    return Connection(context.state.cursors, scope, items[:first], 0, by_id, len(items) > first, True, places=places)


def _expired() -> BadCursor:
    return BadCursor("This cursor has expired. Start again from the first page.")
