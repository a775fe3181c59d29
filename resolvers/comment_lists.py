"""Lists of comments: of a subject by time or by how hot they are, of a root its replies.

Skeleton: the list that everybody finds, and what the viewer alone does. Load: comments as the viewer may see them; what
they may not see is left out, and the page refilled by `timelines.collect`.
"""

from collections.abc import Sequence
from enum import Enum

from commands.targets import Subject
from context import Context
from domain.errors import BadCursor
from loaders.lists import ListPage
from loaders.loader import Loader
from models.comments import CommentRow
from models.counters import EntityRef
from resolvers import hot_comments, pages, timelines
from resolvers.own_comments import own
from resolvers.pages import Connection, Pages, check_first
from resolvers.timelines import Source, listed
from store.cache.lists import Item
from store.content.comments import mirrored


class CommentSort(Enum):
    """What comments are ordered by."""

    HOT = "HOT"
    NEWEST = "NEWEST"
    OLDEST = "OLDEST"


async def of_subjects(
    context: Context, subjects: Sequence[Subject], sort: CommentSort, first: int, after: str | None = None
) -> Pages[CommentRow]:
    """Commentable.comments: roots."""
    loaders = context.loaders
    by_sort = {
        CommentSort.HOT: loaders.hot_comments,
        CommentSort.NEWEST: loaders.newest_comments,
        CommentSort.OLDEST: loaders.oldest_comments,
    }
    refs, loader = [subject.ref for subject in subjects], by_sort[sort]
    _ask(context, loader, refs, first, after)

    async def page(subject: EntityRef) -> Connection[CommentRow] | BadCursor:
        if sort is CommentSort.HOT:
            return await hot_comments.page(context, subject, first, after)
        scope = f"comments:{subject.business_id}:{subject.entity_id}:{sort.value}"
        written = own(context, subject, 0, mirrored if sort is CommentSort.OLDEST else int)
        return await timelines.page(
            context, scope, loaders.comments.load_many, [listed(loader, subject), written], first, after
        )

    return await pages.each(page, refs)


async def of_roots(
    context: Context, comments: Sequence[CommentRow], first: int, after: str | None = None
) -> Pages[CommentRow]:
    """Comment.replies: the oldest first; below a reply there are none."""
    loaders = context.loaders
    _ask(context, loaders.replies, [one.ref for one in comments if one.root_id is None], first, after)

    async def page(root: CommentRow) -> Connection[CommentRow] | BadCursor:
        sources: list[Source] = []
        if root.root_id is None:
            written = own(context, root.subject, root.comment_id, mirrored)
            sources = [listed(loaders.replies, root.ref), written]
        scope = f"replies:{root.comment_id}"
        return await timelines.page(context, scope, loaders.comments.load_many, sources, first, after)

    return await pages.each(page, comments)


def _ask(
    context: Context, loader: Loader[ListPage, list[Item]], lists: Sequence[EntityRef], first: int, after: str | None
) -> None:
    """What the pages begin with, on its way in one trip with what else the level needs. Raises BadInput."""
    check_first(first)
    context.loaders.ask_for_own_comments()
    if after is None:
        loader.ask([ListPage(of, None, first + 1) for of in lists])
