"""hidePost, showLess and unhidePost: each checks its input and appends one change to the write log, which acknowledges
the change.
"""

import orjson

from commands import targets
from commands.own_sets import OwnChange
from commands.write import Write
from context import Context
from domain.errors import Refused, UserErrorCode
from domain.ids import PostId, parse_id
from models.hidden_posts import HIDDEN, HIDDEN_POST, LESS, hidden_post
from models.own_sets import Transition
from models.posts import PostRow
from store.write_log.operations import Status


async def hide(context: Context, post_id: str, idempotency_key: str | None, *, less: bool = False) -> PostRow:
    """Hides a post from the viewer's lists, exactly once. With `less`, the viewer also wants to see less like it.
    Returns the post.

    Raises Unauthenticated, BadInput, Forbidden, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, INVALID for a
    post of the viewer, MUTE_LIMIT_REACHED or IDEMPOTENCY_MISMATCH. Hiding a post again succeeds and changes nothing.
    """
    async with Write(context, "showLess" if less else "hidePost", idempotency_key, post_id) as write:
        _check_id(post_id)
        row = await targets.reactable(context, post_id, "postId")
        assert isinstance(row, PostRow)
        post = row
        if post.author_id == write.actor_id:
            raise Refused.because(UserErrorCode.INVALID, "You cannot hide your own post.", "postId")
        # If the viewer hides a post again after showLess, the effect of showLess stays.
        outcome = await _append(write, context, post.post_id, LESS if less else HIDDEN, only=None if less else 0)
        if outcome is Status.LIMIT:
            message = f"You can hide at most {context.state.settings.people.boundary_limit} posts."
            raise Refused.because(UserErrorCode.MUTE_LIMIT_REACHED, message, "postId")
    context.forget()
    return post


async def unhide(context: Context, post_id: str, idempotency_key: str | None) -> PostRow | None:
    """Shows a post in the viewer's lists again, exactly once. Also ends the effects of `showLess`. Returns the post;
    None if it does not exist, is deleted, or the viewer may not see it.

    Raises Unauthenticated, BadInput, Forbidden, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND for an id that
    is not the id of a post, or IDEMPOTENCY_MISMATCH. Succeeds and changes nothing if the post is not hidden.
    """
    async with Write(context, "unhidePost", idempotency_key, post_id) as write:
        number = _check_id(post_id)
        post = await context.content.posts.load(number)
        await _append(write, context, number, 0)
    context.forget()
    return post


async def _append(write: Write, context: Context, post_id: int, state: int, only: int | None = None) -> Status:
    business_id, entity_id = ref = hidden_post(post_id)
    about = {"actor": write.actor_id, "business": business_id, "entity": entity_id}
    entry = orjson.dumps({**about, **context.client.trace})
    return (await write.append(OwnChange(Transition(HIDDEN_POST, ref, state, entry, only=only)))).status


def _check_id(post_id: str) -> int:
    """Returns the number of the post with this id. Raises BadInput for a malformed id, and Refused for the id of
    something else.
    """
    parsed = parse_id(post_id)
    if not isinstance(parsed, PostId):
        raise Refused.because(UserErrorCode.TARGET_NOT_FOUND, "There is no post with this id.", "postId")
    return parsed.id
