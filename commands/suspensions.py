"""suspendUser and reinstateUser: a moderator suspends a user, or ends the suspension. Refuses the writes of suspended
users.
"""

from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

import orjson

from commands import idempotency, targets
from commands.idempotency import Append
from commands.write_log import WriteLog
from context import MODERATE, Context
from domain import texts, times
from domain.errors import Refused, UserErrorCode
from models.users import SuspensionMode, UserRow
from projections import suspensions
from projections.events.moderation import Suspended
from state import State
from store.content.patches import SUSPEND
from store.moderation import log
from store.outgoing.outbox import OutgoingEvents
from store.people import users
from store.postgres.client import PostgresDown
from store.redis.client import RedisDown
from store.write_log.journal import version_of
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
        return await log.append(moderator_id, SUSPEND, user.ref, operation, orjson.dumps({**entry, **suspension}))

    appending = unless_suspended(context, append)
    user, outcome = await idempotency.once(context, moderator_id, operation, prepare, appending)
    if outcome.value:
        event = Suspended(
            partition=context.state.keys.partition_of(moderator_id),
            version=version_of(outcome.value),
            actor_id=moderator_id,
            ref=user.ref,
            mode=mode,
            until_ms=until_ms,
            reason=reason,
        )
        with suppress(PostgresDown, RedisDown):
            await _apply(context.state, event)
    context.forget()
    return replace(user, suspended=mode, suspended_until_ms=until_ms, suspension_reason=reason)


async def _apply(state: State, event: Suspended) -> None:
    """Writes a decision that is in a journal to the profile, so that it takes effect at once. A worker applies the
    entry, too, and changes nothing then.
    """
    events_out = OutgoingEvents(state.keys.partition_of)
    async with state.postgres.transaction() as transaction:
        await log.write(transaction, await suspensions.apply(transaction, [event], events_out))
        fence = await state.cache.fence(transaction, [users.cache_key(event.ref.entity_id)])
        await events_out.write(transaction)
    await state.cache.unfence(fence)


def unless_suspended(context: Context, append: Append[T]) -> Append[T]:
    """Returns a function that appends a write as `append` does, but raises Refused with SUSPENDED if a suspension
    forbids the viewer to write. Starts to read the viewer's profile, in the round trip of the target.

    The write is accepted if the profile is in no cache while Postgres is down.
    """
    asked = _ask_viewer(context)

    async def check_and_append(log: WriteLog, prepared: T) -> Outcome:
        _check_asked(context, await asked)
        return await append(log, prepared)

    return check_and_append


async def check_viewer(context: Context) -> None:
    """Raises Refused with SUSPENDED if a suspension forbids the viewer to write. Raises nothing if the profile is in no
    cache while Postgres is down.
    """
    _check_asked(context, await _ask_viewer(context))


def _ask_viewer(context: Context) -> Awaitable[list[Any]]:
    """Starts to read the viewer's profile."""
    return context.loaders.kept_users.ask([context.require_viewer().user_id], each=True)


def _check_asked(context: Context, asked: list[Any]) -> None:
    (viewer,) = asked
    if isinstance(viewer, UserRow):
        check(context, viewer)


def check(context: Context, viewer: UserRow) -> None:
    """Raises Refused with SUSPENDED if a suspension forbids the viewer to write."""
    now_ms = context.state.now_ms()
    if viewer.is_read_only(now_ms) and (suspension := viewer.suspension(now_ms)):
        until = f" until {suspension.until:%Y-%m-%dT%H:%M:%SZ}" if suspension.until else ""
        raise Refused.because(UserErrorCode.SUSPENDED, f"Your account is suspended{until}.")
