"""follow and unfollow: each checks its input and appends one change to the write log, which acknowledges the change."""

import orjson

from commands import idempotency, suspensions, targets
from commands.write_log import WriteLog
from context import Context
from domain.errors import Refused, UserErrorCode
from models.users import UserRow
from store.write_log.operations import Outcome, Status


async def follow(context: Context, follows: bool, user_id: str, idempotency_key: str | None) -> UserRow:
    """Makes the viewer follow or unfollow a user, exactly once. Returns the user.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, CANNOT_FOLLOW_SELF,
    FOLLOW_LIMIT_REACHED, BLOCKED, SUSPENDED or IDEMPOTENCY_MISMATCH. Following or unfollowing again succeeds and
    changes nothing. A suspension does not prevent an unfollow.
    """
    viewer = context.require_viewer()
    operation = idempotency.operation(context, "follow" if follows else "unfollow", idempotency_key, user_id)

    async def prepare() -> UserRow:
        user = await targets.user(context, user_id, "userId")
        if user.user_id == viewer.user_id:
            raise Refused.because(UserErrorCode.CANNOT_FOLLOW_SELF, "You cannot follow yourself.", "userId")
        return user

    async def append(log: WriteLog, user: UserRow) -> Outcome:
        entry = orjson.dumps({"actor": viewer.user_id, "followee": user.user_id, **context.client.trace})
        outcome = await log.follow(viewer.user_id, follows, user.user_id, operation, entry)
        if outcome.status is Status.LIMIT:
            message = f"You can follow at most {context.state.settings.follow_limit} users."
            raise Refused.because(UserErrorCode.FOLLOW_LIMIT_REACHED, message, "userId")
        if outcome.status is Status.BLOCKED:
            raise Refused.because(UserErrorCode.BLOCKED, "One of you blocks the other.", "userId")
        return outcome

    appending = suspensions.unless_suspended(context, append) if follows else append
    user, _ = await idempotency.once(context, viewer.user_id, operation, prepare, appending)
    context.forget()
    return user
