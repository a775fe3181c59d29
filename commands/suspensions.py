"""suspendUser and reinstateUser: a moderator suspends a user, or ends the suspension. Refuses the writes of suspended
users.
"""

from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

import orjson

from commands import idempotency, targets
from commands.idempotency import Append
from commands.write_log import WriteLog
from context import MODERATE, Context
from domain import texts, times
from domain.errors import Refused, Unavailable, UserErrorCode
from models.users import SuspensionMode, UserRow
from store.write_log.operations import Outcome

_LONGEST_REASON = 500
T = TypeVar("T")


async def suspend(context: Context, user_id: str, mode: SuspensionMode, until: datetime | None, reason: str) -> UserRow:
    """Suspends a user, until a time or without an end. Replaces an earlier suspension. Returns the user.

    Raises Unauthenticated, Forbidden without the scope `moderate`, Unavailable; BadInput for a malformed id, and if
    `until` is not in the future or has no time zone; Refused with TARGET_NOT_FOUND, NOT_ALLOWED for the moderator,
    SUSPENDED, TEXT_TOO_LONG, TEXT_INVALID, or INVALID for an empty reason.
    """
    context.require_scope(MODERATE)
    end_ms = None if until is None else times.end_ms(until)
    if end_ms is not None:
        times.check_future(end_ms, context.state.now_ms())
    reason = texts.user_text(reason, _LONGEST_REASON, "reason", empty=False)
    return await _decide(context, "suspendUser", user_id, mode, end_ms, reason)


async def reinstate(context: Context, user_id: str) -> UserRow:
    """Ends the suspension of a user. Returns the user. Succeeds and changes nothing if the user is not suspended.

    Raises Unauthenticated, Forbidden without the scope `moderate`, BadInput, Unavailable; Refused with
    TARGET_NOT_FOUND, NOT_ALLOWED for the moderator, or SUSPENDED.
    """
    context.require_scope(MODERATE)
    return await _decide(context, "reinstateUser", user_id, None, None, None)


async def _decide(
    context: Context,
    mutation: str,
    user_id: str,
    mode: SuspensionMode | None,
    until_ms: int | None,
    reason: str | None,
) -> UserRow:
    moderator_id = context.require_viewer().user_id
    operation = idempotency.operation(context, mutation, None)

    async def prepare() -> UserRow:
        user = await targets.kept_user(context, user_id, "userId")
        targets.check_not_own(context, user, "userId")
        return user

    async def append(log: WriteLog, user: UserRow) -> Outcome:
        business_id, entity_id = user.ref
        entry = {"actor": moderator_id, "business": business_id, "entity": entity_id}
        suspension = {"mode": mode, "until": until_ms, "reason": reason}
        return await log.suspend(moderator_id, user.ref, operation, orjson.dumps({**entry, **suspension}))

    appending = unless_suspended(context, append)
    user, _ = await idempotency.once(context, moderator_id, operation, prepare, appending)
    context.forget()
    with suppress(Unavailable):  # caches the profile, which requests need if Postgres goes down next
        await context.loaders.kept_users.load(user.user_id)
    return replace(user, suspended=mode, suspended_until_ms=until_ms, suspension_reason=reason)


def unless_suspended(context: Context, append: Append[T]) -> Append[T]:
    """Returns a function that appends a write as `append` does, but raises Refused with SUSPENDED if a suspension
    forbids the viewer to write, and Unavailable if the viewer's profile cannot be read. Starts to read the profile, in
    the round trip of the target.
    """
    asked = _ask_viewer(context)

    async def check_and_append(log: WriteLog, prepared: T) -> Outcome:
        _check_asked(context, await asked)
        return await append(log, prepared)

    return check_and_append


async def check_viewer(context: Context) -> None:
    """Raises Refused with SUSPENDED if a suspension forbids the viewer to write, and Unavailable if the profile of the
    viewer cannot be read.
    """
    _check_asked(context, await _ask_viewer(context))


def _ask_viewer(context: Context) -> Awaitable[list[UserRow | Exception | None]]:
    """Starts to read the viewer's profile."""
    return context.loaders.kept_users.ask([context.require_viewer().user_id], each=True)


def _check_asked(context: Context, asked: list[UserRow | Exception | None]) -> None:
    (viewer,) = asked
    if isinstance(viewer, Exception):
        raise viewer
    if viewer:
        check(context, viewer)


def check(context: Context, viewer: UserRow) -> None:
    """Raises Refused with SUSPENDED if a suspension forbids the viewer to write."""
    now_ms = context.state.now_ms()
    if viewer.is_read_only(now_ms) and (suspension := viewer.suspension(now_ms)):
        until = f" until {suspension.until:%Y-%m-%dT%H:%M:%SZ}" if suspension.until else ""
        raise Refused.because(UserErrorCode.SUSPENDED, f"Your account is suspended{until}.")
