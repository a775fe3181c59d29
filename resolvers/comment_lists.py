"""Lists of comments: of a subject by time or by how hot they are, of a root its replies.

Skeleton: the list that everybody finds, and what the viewer alone does. Load: comments as the viewer may see them; what
they may not see is left out, and the page refilled by `timelines.collect`.
"""

import asyncio
from collections.abc import Callable, Sequence
from enum import Enum

from commands.targets import Subject
from context import Context
from errors import BadCursor
from models.comments import CommentRow
from models.counters import EntityRef
from resolvers import timelines
from resolvers.pages import Connection
from resolvers.timelines import Source, listed, newest_of
from store.comments import mirrored
from store.journal import moment_of
from store.lists import Item

Pages = list[Connection[CommentRow] | BadCursor]


class CommentSort(Enum):
    """What comments are ordered by."""

    HOT = "HOT"
    NEWEST = "NEWEST"
    OLDEST = "OLDEST"


async def of_subjects(
    context: Context, subjects: Sequence[Subject], sort: CommentSort, first: int, after: str | None = None
) -> Pages:
    """Commentable.comments: roots."""

    async def page(subject: EntityRef) -> Connection[CommentRow] | BadCursor:
        scope = f"comments:{subject.business_id}:{subject.entity_id}:{sort.value}"
        if sort is CommentSort.OLDEST:
            sources = [listed(context.loaders.oldest_comments, subject), own(context, subject, 0, mirrored)]
        else:
            sources = [listed(context.loaders.newest_comments, subject), own(context, subject, 0)]
        return await timelines.page(context, scope, context.loaders.comments.load_many, sources, first, after)

    return list(await asyncio.gather(*[page(subject.ref) for subject in subjects]))


async def of_roots(context: Context, comments: Sequence[CommentRow], first: int, after: str | None = None) -> Pages:
    """Comment.replies: the oldest first; below a reply there are none."""

    async def page(root: CommentRow) -> Connection[CommentRow] | BadCursor:
        sources: list[Source] = []
        if root.root_id is None:
            own_ones = own(context, root.subject, root.comment_id, mirrored)
            sources = [listed(context.loaders.replies, root.ref), own_ones]
        scope, load = f"replies:{root.comment_id}", context.loaders.comments.load_many
        return await timelines.page(context, scope, load, sources, first, after)

    return list(await asyncio.gather(*map(page, comments)))


def own(
    context: Context, subject: EntityRef, root_id: int, place: Callable[[int], int] = lambda moment: moment
) -> Source:
    """What the viewer has written below a root, or as one (0), and others do not find yet, or never will."""

    async def written(before: Item | None, count: int) -> list[Item]:
        items = await own_items(context, subject, root_id)
        return newest_of((Item(place(moment), comment_id) for moment, comment_id in items), before, count)

    return written


async def own_items(context: Context, subject: EntityRef, root_id: int) -> set[Item]:
    """The same, all of it, by moments."""
    if context.viewer is None:
        return set()
    hidden = context.loaders.hidden_comments.ask([context.viewer.user_id])
    patches = (await context.loaders.patches()).comments
    begun = ((comment_id, patch) for comment_id, some in patches.items() for patch in some)
    items = {
        Item(moment_of(patch.version), comment_id)
        for comment_id, patch in begun
        if patch.beginning and (patch.beginning.subject, patch.beginning.root_id or 0) == (subject, root_id)
    }
    (stored,) = await hidden
    return items | {
        Item(one.moment, one.comment_id) for one in stored if one.subject == subject and one.root_id == root_id
    }
