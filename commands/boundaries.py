"""block, unblock, mute, unmute and removeFollower: each checks its input and appends one change to the write log, which
acknowledges the change.
"""

from datetime import datetime

import orjson

from commands import idempotency, targets
from commands.write_log import WriteLog
from context import Context
from domain import times
from domain.errors import Refused, UserErrorCode
from models.counters import EntityRef
from models.users import UserRow
from settings import USERS
from store.people.boundaries import FOREVER_MS
from store.write_log.operations import Outcome, Status
from store.write_log.pending import BLOCK, MUTE

_SELF = {BLOCK: UserErrorCode.CANNOT_BLOCK_SELF, MUTE: UserErrorCode.CANNOT_MUTE_SELF}
_LIMIT = {BLOCK: UserErrorCode.BLOCK_LIMIT_REACHED, MUTE: UserErrorCode.MUTE_LIMIT_REACHED}


async def block(context: Context, blocks: bool, user_id: str, idempotency_key: str | None) -> UserRow | None:
    """Makes the viewer block or unblock a user, exactly once. Returns the user, or None if the user blocks the viewer.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, CANNOT_BLOCK_SELF,
    BLOCK_LIMIT_REACHED or IDEMPOTENCY_MISMATCH. Blocking or unblocking again succeeds and changes nothing.
    """
    name = "block" if blocks else "unblock"
    return await _set(context, BLOCK, name, int(blocks), user_id, idempotency_key)


async def mute(context: Context, user_id: str, until: datetime | None, idempotency_key: str | None) -> UserRow | None:
    """Makes the viewer mute a user, exactly once, until a time or without an end. Returns the user, or None if the user
    blocks the viewer. If the viewer mutes the user already, the end changes.

    Raises Unauthenticated, RateLimited, Unavailable; BadInput for a malformed id, and if `until` is not in the future
    or has no time zone; Refused with TARGET_NOT_FOUND, CANNOT_MUTE_SELF, MUTE_LIMIT_REACHED or IDEMPOTENCY_MISMATCH.
    """
    end_ms = FOREVER_MS if until is None else times.end_ms(until)
    return await _set(context, MUTE, "mute", end_ms, user_id, idempotency_key)


async def unmute(context: Context, user_id: str, idempotency_key: str | None) -> UserRow | None:
    """Ends the viewer's mute of a user, exactly once. Returns the user, or None if the user blocks the viewer.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, CANNOT_MUTE_SELF or
    IDEMPOTENCY_MISMATCH.
    """
    return await _set(context, MUTE, "unmute", 0, user_id, idempotency_key)


async def remove_follower(context: Context, user_id: str, idempotency_key: str | None) -> UserRow | None:
    """Ends the follow of a user who follows the viewer, exactly once. Returns the user, or None if the user blocks the
    viewer.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, INVALID for the viewer's
    own id, or IDEMPOTENCY_MISMATCH. Succeeds and changes nothing if the user does not follow the viewer.
    """
    viewer = context.require_viewer()
    operation = idempotency.operation(context, "removeFollower", idempotency_key, user_id)

    async def prepare() -> UserRow:
        user = await targets.kept_user(context, user_id, "userId")
        if user.user_id == viewer.user_id:
            raise Refused.because(UserErrorCode.INVALID, "You are not a follower of yourself.", "userId")
        return user

    async def append(log: WriteLog, user: UserRow) -> Outcome:
        return await log.remove_follower(viewer.user_id, user.user_id, operation, _entry(context, user))

    user, _ = await idempotency.once(context, viewer.user_id, operation, prepare, append)
    return await _visible(context, user)


async def _set(
    context: Context, kind: str, name: str, state: int, user_id: str, idempotency_key: str | None
) -> UserRow | None:
    viewer = context.require_viewer()
    # The input contains the end of a mute, which has no end if the client sends none.
    operation = idempotency.operation(context, name, idempotency_key, user_id, state)

    async def prepare() -> UserRow:
        if name == "mute":
            times.check_future(state, context.state.now_ms())
        user = await targets.kept_user(context, user_id, "userId")
        if user.user_id == viewer.user_id:
            raise Refused.because(_SELF[kind], f"You cannot {kind} yourself.", "userId")
        return user

    async def append(log: WriteLog, user: UserRow) -> Outcome:
        ref, entry = EntityRef(USERS, user.user_id), _entry(context, user)
        outcome = await log.set_boundary(viewer.user_id, kind, state, ref, operation, entry)
        if outcome.status is Status.LIMIT:
            message = f"You can {kind} at most {context.state.settings.boundary_limit} users."
            raise Refused.because(_LIMIT[kind], message, "userId")
        return outcome

    user, _ = await idempotency.once(context, viewer.user_id, operation, prepare, append)
    return await _visible(context, user)


async def _visible(context: Context, user: UserRow) -> UserRow | None:
    """Returns a user after a change, or None if the user blocks the viewer, or a suspension hides the user."""
    context.forget()
    if user.is_hidden(context.state.now_ms()) and not context.moderates:
        return None
    return None if await context.loaders.boundaries.is_blocked_by(user.user_id) else user


def _entry(context: Context, user: UserRow) -> bytes:
    return orjson.dumps({"actor": context.require_viewer().user_id, "other": user.user_id, **context.client.trace})
