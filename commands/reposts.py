"""repost, unrepost, muteReposts and unmuteReposts: each checks its input and appends one change to the write log, which
acknowledges the change.
"""

import orjson

from commands import targets
from commands.own_sets import OwnChange, append_counted
from commands.write import Write
from context import Context
from domain.errors import Refused, UserErrorCode
from domain.ids import PostId, parse_id
from models.boundaries import THREAD
from models.counters import EntityRef
from models.own_sets import Transition
from models.posts import PostRow
from models.reposts import REPOST
from models.users import UserRow
from settings import USERS
from store.write_log.operations import Status


async def repost(context: Context, post_id: str, idempotency_key: str | None, *, stands: bool) -> PostRow | None:
    """Reposts a post for the viewer or, if `stands` is false, removes the repost, exactly once. Returns the post, or
    None if it is hidden from the viewer and the repost is removed.

    Raises Unauthenticated, BadInput, Forbidden, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, NOT_ALLOWED if
    the post is not approved, SUSPENDED or IDEMPOTENCY_MISMATCH. Repeating the change succeeds and changes nothing.
    """
    verb = REPOST if stands else f"un{REPOST}"
    async with Write(context, verb, idempotency_key, post_id, unless_suspended=stands) as write:
        if not isinstance(parse_id(post_id), PostId):
            raise Refused.because(UserErrorCode.TARGET_NOT_FOUND, "There is no post with this id.", "postId")
        if stands:
            post, is_shown = await targets.reactable(context, post_id, "postId"), True
        else:
            post, is_shown = await targets.reacted(context, post_id, "postId")
        assert isinstance(post, PostRow)
        shown = post if is_shown else None
        if stands and not targets.is_approved(post):
            raise Refused.because(UserErrorCode.NOT_ALLOWED, "The post is not approved.", "postId")
        about = {"business": post.business_id, "entity": post.post_id, "owner": post.author_id}
        entry = orjson.dumps({"actor": write.actor_id, **about, **context.client.trace})
        transition = Transition(REPOST, post.ref, int(stands), entry, blind=True)
        await append_counted(context, write, OwnChange(transition))
    return shown


async def mute_reposts(context: Context, mutes: bool, user_id: str, idempotency_key: str | None) -> UserRow | None:
    """Makes the viewer mute or, if `mutes` is false, unmute the reposts of a user, exactly once: reposts of a muted
    user bring no posts into the home timeline of the viewer. Returns the user, or None if the user is hidden from the
    viewer.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, CANNOT_MUTE_SELF,
    MUTE_LIMIT_REACHED or IDEMPOTENCY_MISMATCH. Muting or unmuting again succeeds and changes nothing.
    """
    async with Write(context, "muteReposts" if mutes else "unmuteReposts", idempotency_key, user_id) as write:
        user = await targets.kept_user(context, user_id, "userId")
        if user.user_id == write.actor_id:
            raise Refused.because(UserErrorCode.CANNOT_MUTE_SELF, "You cannot mute your own reposts.", "userId")
        # The reposts of a user are muted as a thread, whose object is the user.
        ref = EntityRef(USERS, user.user_id)
        about = {"actor": write.actor_id, "business": USERS, "entity": user.user_id}
        entry = orjson.dumps({**about, **context.client.trace})
        outcome = await write.append(OwnChange(Transition(THREAD, ref, int(mutes), entry)))
        if outcome.status is Status.LIMIT:
            message = f"You can mute at most {context.state.settings.people.boundary_limit} threads and reposts."
            raise Refused.because(UserErrorCode.MUTE_LIMIT_REACHED, message, "userId")
    context.forget()
    return await context.content.users.load(user.user_id)
