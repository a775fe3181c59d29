"""pinPost and unpinPost: users pin posts of their own to their profiles."""

import orjson

from commands import targets
from commands.changes import Patch
from commands.posts import own_post
from commands.write import Write, read_back
from context import Context
from domain.errors import Refused, Unavailable, UserErrorCode
from models.patches import PINNED_POST
from models.pinned_posts import MOST_PINNED
from models.users import UserRow


async def set_pinned(
    context: Context, pins: bool, post_id: str, idempotency_key: str | None
) -> UserRow | Unavailable | None:
    """Pins a post by the viewer to the viewer's profile or, if `pins` is false, unpins the post. Returns the viewer's
    profile; Unavailable if it cannot be read after the change. Pinning a pinned post, and unpinning a post that is not
    pinned, succeed and change nothing.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, TARGET_DELETED,
    NOT_ALLOWED for the post of another user, PIN_LIMIT_REACHED, SUSPENDED, IDEMPOTENCY_MISMATCH, or INVALID for a post
    that is not approved.
    """
    viewer_id = context.require_viewer().user_id
    name = "pinPost" if pins else "unpinPost"
    async with Write(context, name, idempotency_key, post_id, unless_suspended=pins) as write:
        context.content.pinned_posts.ask([viewer_id])  # in the round trip of the post
        post = await own_post(context, viewer_id, post_id)
        if pins and post.deleted:
            raise Refused.because(UserErrorCode.TARGET_DELETED, "This post was deleted.", "postId")
        if pins and not targets.is_approved(post):
            raise Refused.because(UserErrorCode.INVALID, "Only an approved post can be pinned.", "postId")
        await write.ready()
        pinned = await _pinned(context, viewer_id)
        changes = not pins or pinned is None or post.post_id not in pinned
        replaced = await _replaced(context, pinned) if pins and changes and pinned else []
        about = {"op": PINNED_POST, "actor": viewer_id, "business": post.ref.business_id, "entity": post.post_id}
        entry = orjson.dumps({**about, "pinned": pins, "replaced": replaced, **context.client.trace})
        await write.append(Patch(PINNED_POST, post.ref, entry, changes))
    context.forget()
    return await read_back(context.content.kept_users.load(viewer_id))


async def _pinned(context: Context, user_id: int) -> tuple[int, ...] | None:
    """Returns the ids of the posts that the viewer has pinned; None if they cannot be read. After None, a new pin is
    accepted without a check of the limit, and replaces the oldest pin if there is no room.
    """
    try:
        return (await context.content.pinned_posts.load(user_id)).post_ids
    except Unavailable:
        return None


async def _replaced(context: Context, pinned: tuple[int, ...]) -> list[int]:
    """Returns the ids of the pinned posts that a new pin replaces: none while there is room; otherwise all pinned posts
    that are not public any more, which the profile does not show. Raises Refused with PIN_LIMIT_REACHED if all pinned
    posts are public.
    """
    if len(pinned) < MOST_PINNED:
        return []
    posts = await context.content.kept_posts.ask(pinned)
    hidden = [id_ for id_, post in zip(pinned, posts, strict=True) if post is None or not targets.is_approved(post)]
    if not hidden:
        message = f"You have pinned {MOST_PINNED} posts. Unpin one first."
        raise Refused.because(UserErrorCode.PIN_LIMIT_REACHED, message, "postId")
    return hidden
