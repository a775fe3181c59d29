"""Resolvers of facets: Post.facets, Comment.facets and Facet.user."""

import asyncio
from collections.abc import Awaitable, Sequence

from context import Context
from models.comments import CommentRow
from models.facets import Facet
from models.posts import PostRow
from models.users import UserRow

_AT_ONCE = 20_000
"""The most characters of texts that are searched in one turn of the event loop. They take up to 15 ms of CPU time."""


def of_texts(
    _: Context, rows: Sequence[PostRow | CommentRow]
) -> Sequence[tuple[Facet, ...]] | Awaitable[Sequence[tuple[Facet, ...]]]:
    """Resolves Post.facets and Comment.facets: the links, mentions and topics in each text. Searches many long texts in
    several turns of the event loop.
    """
    return [row.facets for row in rows] if sum(len(row.text) for row in rows) <= _AT_ONCE else _in_turns(rows)


async def _in_turns(rows: Sequence[PostRow | CommentRow]) -> Sequence[tuple[Facet, ...]]:
    found, searched = list[tuple[Facet, ...]](), 0
    for row in rows:
        found.append(row.facets)
        searched += len(row.text)
        if searched > _AT_ONCE:
            searched = 0
            await asyncio.sleep(0)
    return found


async def mentioned(context: Context, facets: Sequence[Facet]) -> list[UserRow | Exception | None]:
    """Resolves Facet.user: the user whom each mention names, and None for other facets. The result has None in place of
    a user whom the viewer may not see or whose account is due to be deleted, and an exception in place of one who
    cannot be read.
    """
    handles = sorted({facet.handle for facet in facets if facet.handle})
    holders = dict(zip(handles, await context.content.handles.ask(handles, each=True), strict=True)) if handles else {}
    ids = [holders[facet.handle] if facet.handle else facet.user_id for facet in facets]
    wanted = sorted({id_ for id_ in ids if isinstance(id_, int)})
    users = dict(zip(wanted, await context.content.users.ask(wanted, each=True), strict=True)) if wanted else {}
    now_ms = context.state.now_ms()
    gone = {id_ for id_, row in users.items() if isinstance(row, UserRow) and (row.deletion_due_ms or now_ms) < now_ms}
    return [None if id_ in gone else users[id_] if isinstance(id_, int) else id_ for id_ in ids]
