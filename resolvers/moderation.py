"""Query.moderationQueue: what waits for a moderator."""

from commands import targets
from context import MODERATE, Context
from ids import PostId
from models.posts import PostRow
from resolvers.pages import Connection, Scope, check_first, position
from store import post_rows
from store.lists import Item

_SCOPE = "moderation"


async def queue(context: Context, first: int, after: str | None) -> Connection[PostRow]:
    """Posts that wait, the oldest first, each with why. From rows: moderators see what is.

    Raises Forbidden without the scope or for a token that is for other businesses, BadInput, BadCursor.
    """
    context.require_scope(MODERATE)
    targets.check_business(context, PostId.business)
    cursors = context.state.cursors
    before, passed = position(cursors, Scope(_SCOPE), after)
    posts = await post_rows.waiting(context.state.postgres, before, check_first(first) + 1)
    items = [Item(post.moment, post.post_id) for post in posts]
    by_id = {post.post_id: post for post in posts}
    reasons = {post.post_id: post.reason for post in posts}
    more = len(items) > first
    return Connection(cursors, _SCOPE, items[:first], passed, by_id, more, after is not None, reasons)
