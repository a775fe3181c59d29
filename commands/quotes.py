"""detachQuote and setQuotePolicy: each checks its input and appends one change to the write log. Also checks the post
that a new post quotes.
"""

import orjson

from commands import targets
from commands.changes import Patch
from commands.write import Write
from context import Context
from domain.errors import Refused, UserErrorCode
from domain.ids import PostId, parse_id
from models.comment_settings import CommentSettings
from models.counters import EntityRef
from models.follows import FollowState
from models.patches import COMMENT_SETTINGS, POST
from models.posts import PostRow
from models.quotes import QuotePolicy
from models.users import UserRow
from settings import USERS


async def quotable(context: Context, post_id: str) -> tuple[int, int]:
    """Returns the id and the author of the post that the viewer wants to quote.

    Raises BadInput, Unavailable; Refused with TARGET_NOT_FOUND, or NOT_ALLOWED if the post is not approved, or if its
    author does not allow the viewer to quote it.
    """
    if not isinstance(parse_id(post_id), PostId):
        raise Refused.because(UserErrorCode.TARGET_NOT_FOUND, "There is no post with this id.", "quoteOf")
    post = await targets.reactable(context, post_id, "quoteOf")
    assert isinstance(post, PostRow)
    if not targets.is_approved(post):
        raise Refused.because(UserErrorCode.NOT_ALLOWED, "The post is not approved.", "quoteOf")
    if post.author_id != context.require_viewer().user_id and not await _permits(context, post.author_id):
        raise Refused.because(UserErrorCode.NOT_ALLOWED, "The author does not allow you to quote this post.", "quoteOf")
    return post.post_id, post.author_id


async def _permits(context: Context, author_id: int) -> bool:
    follow = context.own.follows.ask([author_id])
    policy = policy_of(await context.content.comment_settings.load((USERS, str(author_id))))
    if policy is QuotePolicy.FOLLOWERS:
        return (await follow)[0] is FollowState.FOLLOWS
    return policy is QuotePolicy.EVERYONE


def policy_of(settings: CommentSettings) -> QuotePolicy:
    """Returns who may quote the posts of the user whose settings these are."""
    return QuotePolicy(settings.policy)


async def detach(context: Context, post_id: str, idempotency_key: str | None) -> PostRow:
    """Detaches a post that quotes a post by the viewer, permanently: it stays, without what it quotes. Returns the post
    that quotes. Detaching again succeeds and changes nothing.

    Raises Unauthenticated, BadInput, Forbidden, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, NOT_ALLOWED if
    the post does not quote a post by the viewer, or IDEMPOTENCY_MISMATCH.
    """
    async with Write(context, "detachQuote", idempotency_key, post_id) as write:
        targets.check_business(context, PostId.business)
        post = await targets.find(context, post_id, PostId, lambda content: content.posts)
        if post is None:
            raise Refused.because(UserErrorCode.TARGET_NOT_FOUND, "There is no post with this id.", "postId")
        if post.quote_owner != write.actor_id:
            raise Refused.because(UserErrorCode.NOT_ALLOWED, "This post does not quote a post of yours.", "postId")
        says = dict.fromkeys(("text", "images", "topics", "custom"))
        entry = {"actor": write.actor_id, "post": post.post_id, "op": "detach", **says, **context.client.trace}
        await write.append(Patch(POST, post.ref, orjson.dumps(entry), changes=not post.detached))
        detached = post
    context.forget()
    return await context.content.posts.load(detached.post_id) or detached


async def set_policy(context: Context, policy: QuotePolicy, idempotency_key: str | None) -> UserRow | None:
    """Sets who may quote the posts of the viewer from now on. Returns the viewer. Suspended users may do this.

    Raises Unauthenticated, BadInput, Forbidden, RateLimited, Unavailable; Refused with IDEMPOTENCY_MISMATCH.
    """
    async with Write(context, "setQuotePolicy", idempotency_key, policy.name) as write:
        user_id = write.actor_id
        about = {"actor": user_id, "business": USERS, "entity": user_id, "key": str(user_id)}
        entry = orjson.dumps({**about, "op": COMMENT_SETTINGS, "policy": int(policy), **context.client.trace})
        await write.append(Patch(COMMENT_SETTINGS, EntityRef(USERS, user_id), entry))
    context.forget()
    return await context.content.users.load(user_id)
