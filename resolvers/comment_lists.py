"""Lists of comments: the root comments of a subject (a post or entity), and the replies to a root comment.

1. candidates: the ids in the list that all users see, and those of the viewer's own comments (own_comments.py);
2. load the comments;
3. filter: the loader leaves out comments that the viewer may not see;
4. page: `timelines.page` merges the candidates, and takes more of them while a page is short.

Lists ordered by HOT have their own file, hot_comments.py.
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
    """The order of a list of root comments."""

    HOT = "HOT"
    NEWEST = "NEWEST"
    OLDEST = "OLDEST"


async def of_subjects(
    context: Context, subjects: Sequence[Subject], sort: CommentSort, first: int, after: str | None = None
) -> Pages[CommentRow]:
    """Resolves Commentable.comments: a page of the root comments of each post or entity, in the order `sort`. Raises
    BadInput unless `first` is 1 to 100.
    """
    by_sort = {
        CommentSort.HOT: context.lists.hot_comments,
        CommentSort.NEWEST: context.lists.newest_comments,
        CommentSort.OLDEST: context.lists.oldest_comments,
    }
    refs, loader = [subject.ref for subject in subjects], by_sort[sort]
    _ask(context, loader, refs, first, after)

    async def page(subject: EntityRef) -> Connection[CommentRow] | BadCursor:
        if sort is CommentSort.HOT:
            return await hot_comments.page(context, subject, first, after)
        scope = f"comments:{subject.business_id}:{subject.entity_id}:{sort.value}"
        written = own(context, subject, 0, mirrored if sort is CommentSort.OLDEST else int)
        return await timelines.page(
            context, scope, context.content.feed_comments, [listed(loader, subject), written], first, after
        )

    return await pages.each(page, refs)


async def of_roots(
    context: Context, comments: Sequence[CommentRow], first: int, after: str | None = None
) -> Pages[CommentRow]:
    """Resolves Comment.replies: a page of the replies to each comment, oldest first. The page of a comment that is
    itself a reply is empty. Raises BadInput unless `first` is 1 to 100.
    """
    _ask(context, context.lists.replies, [one.ref for one in comments if one.root_id is None], first, after)

    async def page(root: CommentRow) -> Connection[CommentRow] | BadCursor:
        sources: list[Source] = []
        if root.root_id is None:
            written = own(context, root.subject, root.comment_id, mirrored)
            sources = [listed(context.lists.replies, root.ref), written]
        scope = f"replies:{root.comment_id}"
        return await timelines.page(context, scope, context.content.feed_comments, sources, first, after)

    return await pages.each(page, comments)


def _ask(
    context: Context, loader: Loader[ListPage, list[Item]], lists: Sequence[EntityRef], first: int, after: str | None
) -> None:
    """Starts to load the viewer's own comments and, without `after`, the first page of each list. They share a batch
    with the other fields of the same objects.

    Raises BadInput unless `first` is 1 to 100.
    """
    check_first(first)
    context.own.ask_for_comments()
    if after is None:
        loader.ask([ListPage(of, None, first + 1) for of in lists])
