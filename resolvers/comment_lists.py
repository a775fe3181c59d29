"""Lists of comments: of a subject by time or by how hot they are, of a root its replies.

Skeleton: the list that everybody finds, and what the viewer alone does. Load: comments as the viewer may see them; what
they may not see is left out, and the page refilled by `timelines.collect`.
"""

import asyncio
from collections.abc import Sequence
from enum import Enum

from commands.targets import Subject
from context import Context
from errors import BadCursor
from models.comments import CommentRow
from models.counters import EntityRef
from resolvers import hot_comments, timelines
from resolvers.own_comments import own
from resolvers.pages import Connection
from resolvers.timelines import Source, listed
from store.comments import mirrored

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
        if sort is CommentSort.HOT:
            return await hot_comments.page(context, subject, first, after)
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
