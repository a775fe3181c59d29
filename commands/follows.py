"""follow, unfollow, acceptFollow and rejectFollow: each checks its input and appends one change to the write log, which
acknowledges the change.
"""

import orjson

from commands import idempotency, suspensions, targets
from commands.write_log import WriteLog
from context import Context
from domain.errors import Refused, Unavailable, UserErrorCode
from models.follows import FollowState
from models.users import UserRow
from store.people.follows import accepted, ended
from store.write_log.operations import Outcome, Status


async def follow(
    context: Context, follows: bool, user_id: str, idempotency_key: str | None
) -> UserRow | Unavailable | None:
    """Makes the viewer follow or unfollow a user, exactly once. Returns the user; after an unfollow None if the user is
    hidden from the viewer, and Unavailable if that cannot be read. To follow a private user, the viewer only asks: the
    user decides. An unfollow also withdraws such a request.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, CANNOT_FOLLOW_SELF,
    FOLLOW_LIMIT_REACHED, BLOCKED, SUSPENDED or IDEMPOTENCY_MISMATCH. Following or unfollowing again succeeds and
    changes nothing. A block or a suspension does not prevent an unfollow.
    """
    viewer = context.require_viewer()
    operation = idempotency.operation(context, "follow" if follows else "unfollow", idempotency_key, user_id)

    async def prepare() -> UserRow:
        context.loaders.boundaries.ask()  # the payload needs them after an unfollow
        user = await (targets.user if follows else targets.kept_user)(context, user_id, "userId")
        if user.user_id == viewer.user_id:
            raise Refused.because(UserErrorCode.CANNOT_FOLLOW_SELF, "You cannot follow yourself.", "userId")
        return user

    async def append(log: WriteLog, user: UserRow) -> Outcome:
        entry = orjson.dumps({"actor": viewer.user_id, "followee": user.user_id, **context.client.trace})
        wanted = FollowState.REQUESTED if user.is_private else FollowState.FOLLOWS
        state = wanted if follows else FollowState.NONE
        outcome = await log.follow(viewer.user_id, state, user.user_id, operation, entry)
        if outcome.status is Status.LIMIT:
            message = f"You can follow, or ask to follow, at most {context.state.settings.follow_limit} users."
            raise Refused.because(UserErrorCode.FOLLOW_LIMIT_REACHED, message, "userId")
        if outcome.status is Status.BLOCKED:
            raise Refused.because(UserErrorCode.BLOCKED, "One of you blocks the other.", "userId")
        return outcome

    appending = suspensions.unless_suspended(context, append) if follows else append
    user, _ = await idempotency.once(context, viewer.user_id, operation, prepare, appending)
    shown = user if follows else await idempotency.read_back(context.loaders.users.load(user.user_id))
    context.forget()
    return shown


async def answer_request(
    context: Context, accepts: bool, user_id: str, idempotency_key: str | None
) -> UserRow | Unavailable | None:
    """Makes the viewer accept or reject the request of a user to follow the viewer, exactly once. Returns the user.
    After a rejection, returns None if the user is hidden from the viewer, or Unavailable if that cannot be read.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, REQUEST_NOT_FOUND,
    SUSPENDED, or INVALID for the viewer's own id. Accepting or rejecting again succeeds and changes nothing. So does
    rejecting without a request. A suspension does not prevent a rejection.
    """
    viewer = context.require_viewer()
    user = await targets.kept_user(context, user_id, "userId")
    # The operation is recorded in the slot of the user who asked. So its name must contain the id of the viewer.
    name = f"{'acceptFollow' if accepts else 'rejectFollow'} {viewer.user_id}"
    operation = idempotency.operation(context, name, idempotency_key, user_id)

    async def prepare() -> UserRow:
        if user.user_id == viewer.user_id:
            raise Refused.because(UserErrorCode.INVALID, "You cannot follow yourself.", "userId")
        return await targets.user(context, user_id, "userId") if accepts else user

    async def append(log: WriteLog, user: UserRow) -> Outcome:
        entry = (accepted if accepts else ended)(user.user_id, viewer.user_id)
        outcome = await log.answer_request(user.user_id, accepts, viewer.user_id, operation, entry)
        if outcome.status in (Status.ABSENT, Status.BLOCKED):
            message = "This user has not asked to follow you."
            raise Refused.because(UserErrorCode.REQUEST_NOT_FOUND, message, "userId")
        return outcome

    appending = suspensions.unless_suspended(context, append) if accepts else append
    await idempotency.once(context, user.user_id, operation, prepare, appending)
    context.forget()
    return user if accepts else await idempotency.read_back(context.loaders.users.load(user.user_id))
