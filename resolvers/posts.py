"""Posts: the deletion of a post, the topic with a name, and the lists by author, by topic and of all users."""

from collections.abc import Sequence

from commands import posts as commands
from context import Context
from domain.errors import BadCursor, BadInput
from domain.topics import RULE
from domain.topics import spelling as spelling_of
from loaders import visible_topics
from models.counters import EntityRef
from models.posts import PostRow
from models.topics import SQUARE, TopicRow
from models.users import UserRow
from resolvers import pages, timelines
from resolvers.pages import Connection, Pages
from resolvers.timelines import Source, TimelineSort
from settings import POSTS


async def delete(context: Context, post_id: str) -> str:
    """Deletes a post by the viewer. Returns the post's id, for the payload of Mutation.deletePost. Raises
    Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND or NOT_ALLOWED.
    """
    return (await commands.delete(context, post_id)).global_id


async def topic(context: Context, name: str) -> TopicRow | None:
    """Resolves Query.topic: the topic with this name. None if no post has the topic, or if the viewer may see none of
    the topic's newest hundred posts. Raises BadInput for a malformed name, and Unavailable if a store is down.
    """
    spelling = spelling_of(name)
    if spelling is None:
        raise BadInput(RULE)
    key = TopicRow(spelling).key
    (row,) = await visible_topics.rows(context.content, [key], [await context.content.topics.load(key)])
    if isinstance(row, Exception):
        raise row
    return row


async def by_authors(
    context: Context, authors: Sequence[UserRow], first: int, after: str | None = None
) -> Pages[PostRow]:
    """Resolves User.posts: a page of the posts of each author, newest first. If the viewer is the author, includes
    posts that are not approved. The page of an author whose posts are hidden from the viewer is empty. Raises BadInput
    unless `first` is 1 to 100; Unavailable if it cannot be read whose posts are hidden.
    """
    closed = await context.content.closed_among(authors)

    async def page(author: UserRow) -> Connection[PostRow] | BadCursor:
        is_own = context.viewer is not None and context.viewer.user_id == author.user_id
        sources = timelines.own(context) if is_own else []
        sources = sources or [timelines.listed(context.lists.outboxes, author.ref)]
        if author.user_id in closed:
            sources = []
        return await timelines.page(
            context, f"posts:{author.user_id}", context.content.posts.ask, sources, first, after
        )

    return await pages.each(page, authors)


async def by_topics(
    context: Context, of: Sequence[TopicRow], sort: TimelineSort, first: int, after: str | None = None
) -> Pages[PostRow]:
    """Resolves Topic.posts: a page of the approved posts of each topic, in the order `sort`. Includes posts that the
    viewer has just published. Raises BadInput unless `first` is 1 to 100.
    """

    async def page(topic: TopicRow) -> Connection[PostRow] | BadCursor:
        newest: list[Source] = [timelines.listed(context.lists.under, topic.ref), context.own.just_now]
        scope, sources = _sorted(context, f"under:{topic.key}", sort, newest, topic)

        async def about(ids: Sequence[int]) -> list[PostRow | None]:
            posts = await context.content.feed_posts(ids)
            return [post if post and topic.key in post.names_by_topic else None for post in posts]

        return await timelines.page(context, scope, about, sources, first, after, ranked=sort is TimelineSort.HOT)

    return await pages.each(page, of)


async def square(
    context: Context,
    sort: TimelineSort,
    first: int | None = None,
    after: str | None = None,
    last: int | None = None,
    before: str | None = None,
) -> Connection[PostRow]:
    """Resolves Query.square: a page of the approved posts of all users, in the order `sort`. The order LATEST also
    includes all posts of the viewer, approved or not; the order HOT those that the viewer has just published. Raises
    BadCursor for an invalid cursor, BadInput as `pages.window` does, Unavailable if the page cannot be read or filled.
    """
    posts, ranked = context.content.feed_posts, sort is TimelineSort.HOT
    newest = timelines.listed(context.lists.square, EntityRef(POSTS, 0))
    scope, sources = _sorted(context, "square", sort, [newest, *timelines.own(context)], TopicRow(SQUARE))
    page = await timelines.page(context, scope, posts, sources, first, after, last, before, ranked=ranked)
    if isinstance(page, BadCursor):
        raise page
    return page


def _sorted(
    context: Context, name: str, sort: TimelineSort, newest: list[Source], topic: TopicRow
) -> tuple[str, list[Source]]:
    """Returns what `timelines.page` needs for a list of posts in the order `sort`: the name of the list in its cursors,
    and the sources of its items. `newest` are the sources for the order LATEST. For HOT, the sources are the hottest
    posts of `topic`, and the posts that the viewer has just published.
    """
    if sort is TimelineSort.LATEST:
        return name, newest
    hottest = timelines.listed(context.lists.hot, topic.ref)
    return f"{name}:hot", [hottest, timelines.just_now_by_score(context, topic.ref)]
