"""suspendUser and reinstateUser: a moderator suspends a user, or ends the suspension. Refuses the writes of suspended
users.
"""

from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from commands import targets
from commands.idempotency import Append
from commands.write_log import WriteLog
from context import MODERATE, Context
from domain import texts, times
from domain.errors import Refused, UserErrorCode
from models.users import SuspensionMode, UserRow
from projections import suspensions
from store.moderation import log
from store.people import users
from store.write_log.operations import Outcome

_LONGEST_REASON = 500
T = TypeVar("T")


async def suspend(context: Context, user_id: str, mode: SuspensionMode, until: datetime | None, reason: str) -> UserRow:
    """Suspends a user, until a time or without an end. Replaces an earlier suspension. Returns the user.

    Raises Unauthenticated, Forbidden without the scope `moderate`, Unavailable; BadInput for a malformed id, and if
    `until` is not in the future or has no time zone; Refused with TARGET_NOT_FOUND, TEXT_TOO_LONG, TEXT_INVALID, or
    INVALID for an empty reason.
    """
    context.require_scope(MODERATE)
    end_ms = None if until is None else times.end_ms(until)
    if end_ms is not None:
        times.check_future(end_ms, context.state.now_ms())
    reason = texts.user_text(reason, _LONGEST_REASON, "reason", empty=False)
    return await _set(context, user_id, mode, end_ms, reason)


async def reinstate(context: Context, user_id: str) -> UserRow:
    """Ends the suspension of a user. Returns the user. Succeeds and changes nothing if the user is not suspended.

    Raises Unauthenticated, Forbidden without the scope `moderate`, BadInput, Unavailable; Refused with
    TARGET_NOT_FOUND.
    """
    context.require_scope(MODERATE)
    return await _set(context, user_id, None, None, None)


async def _set(
    context: Context, user_id: str, mode: SuspensionMode | None, end_ms: int | None, reason: str | None
) -> UserRow:
    found = await targets.kept_user(context, user_id, "userId")
    cache = context.state.cache
    async with context.state.postgres.transaction() as transaction:
        stored = await users.lock(transaction, found.user_id)
        assert stored is not None  # users are never deleted by the API
        now_ms = context.state.now_ms()
        before, lines = suspensions.without_ended(stored, now_ms)
        suspended = None if mode is None else int(mode)
        after = replace(before, suspended=suspended, suspended_until_ms=end_ms, suspension_reason=reason)
        if after == before:
            return before
        await users.update(transaction, after)
        lines.append(suspensions.line(before, after, context.require_viewer().user_id, now_ms))
        await log.write(transaction, lines)
        fence = await users.fence_changed(cache, transaction, before, after)
    await cache.unfence(fence)
    context.forget()
    return replace(after, version=before.version + 1)


def unless_suspended(context: Context, append: Append[T]) -> Append[T]:
    """Returns a function that appends a write as `append` does, but raises Refused with SUSPENDED if a suspension
    forbids the viewer to write. Starts to read the viewer's profile, in the round trip of the target.

    The write is accepted if the profile is in no cache while Postgres is down.
    """
    asked = context.loaders.kept_users.ask([context.require_viewer().user_id], each=True)

    async def check_and_append(log: WriteLog, prepared: T) -> Outcome:
        (viewer,) = await asked
        if isinstance(viewer, UserRow):
            check(context, viewer)
        return await append(log, prepared)

    return check_and_append


def check(context: Context, viewer: UserRow) -> None:
    """Raises Refused with SUSPENDED if a suspension forbids the viewer to write."""
    now_ms = context.state.now_ms()
    if viewer.is_read_only(now_ms) and (suspension := viewer.suspension(now_ms)):
        until = f" until {suspension.until:%Y-%m-%dT%H:%M:%SZ}" if suspension.until else ""
        raise Refused.because(UserErrorCode.SUSPENDED, f"Your account is suspended{until}.")
