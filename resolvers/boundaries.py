"""Blocks and mutes: the viewer's lists, and whether the viewer blocks or mutes a user or mutes a thread."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from commands.targets import ReactableRow
from context import Context
from domain.errors import Unavailable
from models.base import at
from models.boundaries import Boundaries
from models.counters import EntityRef
from models.users import UserRow, ViewerRow
from resolvers import pages
from resolvers.pages import Edge, Pages, Scope, Slice
from settings import USERS
from store.cache.lists import Item
from store.own_sets.boundaries import FOREVER_MS

Row = TypeVar("Row")


async def blocked(context: Context, users: Sequence[UserRow]) -> Sequence[bool | Unavailable | None]:
    """Resolves User.viewerBlocks: whether the viewer blocks each user; None if no user is signed in, Unavailable if
    this cannot be read.
    """
    return await each(context, users, lambda found, user: user.user_id in found.blocks)


async def muted(context: Context, users: Sequence[UserRow]) -> Sequence[bool | Unavailable | None]:
    """Resolves User.viewerMutes: whether the viewer mutes each user now; None if no user is signed in, Unavailable if
    this cannot be read.
    """
    now_ms = context.state.now_ms()
    return await each(context, users, lambda found, user: found.is_muted(user.user_id, now_ms))


async def reposts_muted(context: Context, users: Sequence[UserRow]) -> Sequence[bool | Unavailable | None]:
    """Resolves User.viewerMutesReposts: whether the viewer mutes the reposts of each user; None if no user is signed
    in, Unavailable if this cannot be read.
    """
    return await each(context, users, lambda found, user: EntityRef(USERS, user.user_id) in found.threads)


async def thread_muted(context: Context, rows: Sequence[ReactableRow]) -> Sequence[bool | Unavailable | None]:
    """Resolves Reactable.viewerMutesThread: whether the viewer mutes the thread of each post, comment or entity; None
    if no user is signed in, Unavailable if this cannot be read.
    """
    return await each(context, rows, lambda found, row: row.thread in found.threads)


async def each(
    context: Context, rows: Sequence[Row], holds: Callable[[Boundaries, Row], bool]
) -> Sequence[bool | Unavailable | None]:
    """Returns for each row whether `holds` is true of the viewer's boundaries and the row; None if no user is signed
    in, Unavailable if the boundaries cannot be read.
    """
    if context.viewer is None:
        return [None] * len(rows)
    try:
        found = await context.own.boundaries.get()
    except Unavailable as error:
        return [error] * len(rows)
    return [holds(found, row) for row in rows]


async def blocks(
    context: Context, viewers: Sequence[ViewerRow], first: int, after: str | None = None
) -> Pages[UserRow]:
    """Resolves Viewer.blocks: a page of the users whom the viewer blocks, newest block first. There is one viewer per
    request. Raises BadInput unless `first` is 1 to 100; Unavailable if the blocks cannot be read.
    """

    async def blocked_now() -> Mapping[int, int]:
        return (await context.own.boundaries.get()).blocks

    return await _page(context, viewers, "blocks", blocked_now, first, after)


async def mutes(context: Context, viewers: Sequence[ViewerRow], first: int, after: str | None = None) -> Pages[UserRow]:
    """Resolves Viewer.mutes: a page of the users whom the viewer mutes now. The mute that ends last comes first. Leaves
    out users who block the viewer. Raises BadInput unless `first` is 1 to 100; Unavailable if the mutes cannot be read.
    """
    now_ms, boundaries = context.state.now_ms(), context.own.boundaries

    async def muted_now() -> Mapping[int, int]:
        mutes = {user: until for user, until in (await boundaries.get()).mutes.items() if until > now_ms}
        hidden = await boundaries.hidden_among(mutes)
        return {user: until for user, until in mutes.items() if user not in hidden}

    return await _page(context, viewers, "mutes", muted_now, first, after)


async def _page(
    context: Context,
    viewers: Sequence[ViewerRow],
    name: str,
    members: Callable[[], Awaitable[Mapping[int, int]]],
    first: int,
    after: str | None,
) -> Pages[UserRow]:
    async def items(slices: Sequence[Slice]) -> list[list[Item]]:
        newest = sorted((Item(place, user) for user, place in (await members()).items()), reverse=True)
        return [[item for item in newest if before is None or item < before][:most] for _, before, most in slices]

    async def nodes(ids: list[int]) -> Sequence[UserRow | None]:
        rows, now_ms = await context.content.kept_users.ask(ids, each=True), context.state.now_ms()
        if context.moderates:
            return rows
        return [None if isinstance(row, UserRow) and row.is_hidden(now_ms) else row for row in rows]

    scopes = [Scope(f"{name}:{viewer.user_id}") for viewer in viewers]
    return await pages.connections(context.state.cursors, scopes, first, after, items, nodes)


def end_of(edge: Edge[UserRow]) -> datetime | None:
    """Resolves MuteEdge.until: the time when a mute ends, or None if it has no end."""
    return None if edge.item.score == FOREVER_MS else at(edge.item.score)
