"""The posts that the viewer hides."""

from collections.abc import Sequence

from context import Context
from domain.errors import BadCursor, Unavailable
from models.posts import PostRow
from models.users import ViewerRow
from resolvers import boundaries, pages, timelines
from resolvers.pages import Connection, Pages
from store.cache.lists import Item


async def hidden(context: Context, posts: Sequence[PostRow]) -> Sequence[bool | Unavailable | None]:
    """Resolves Post.viewerHasHidden: whether the viewer hides each post; None if no user is signed in, Unavailable if
    this cannot be read.
    """
    return await boundaries.each(context, posts, lambda found, post: post.post_id in found.hidden_posts)


async def of_viewer(
    context: Context, viewers: Sequence[ViewerRow], first: int, after: str | None = None
) -> Pages[PostRow]:
    """Resolves Viewer.hiddenPosts: a page of the posts that the viewer hides, last change first. Replaces posts that
    the viewer may not see by older ones. There is one viewer per request. Raises BadInput unless `first` is 1 to 100;
    Unavailable if the hidden posts cannot be read.
    """

    async def source(before: Item | None, count: int) -> list[Item]:
        found = (await context.own.boundaries.get()).hidden_posts
        newest = sorted((Item(one.moment, post_id) for post_id, one in found.items()), reverse=True)
        return [item for item in newest if before is None or item < before][:count]

    async def page(viewer: ViewerRow) -> Connection[PostRow] | BadCursor:
        scope = f"hidden_posts:{viewer.user_id}"
        return await timelines.page(context, scope, context.content.posts.ask, [source], first, after)

    return await pages.each(page, viewers)
