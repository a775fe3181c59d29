"""suspendUser and reinstateUser: a moderator suspends a user, or ends the suspension."""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime

import orjson

from commands import grounds, targets
from commands.early_step import EarlyStep
from commands.write import Write
from context import Context
from domain import texts, times
from domain.errors import Unavailable
from identity.permissions import ModeratorRole
from models.moderation_steps import SUSPEND
from models.users import SuspensionMode, UserRow

_LONGEST_REASON = 500


async def suspend(
    context: Context,
    user_id: str,
    mode: SuspensionMode,
    until: datetime | None,
    reason: str,
    ground: str | None = None,
) -> UserRow:
    """Suspends a user until the time `until`; None: without an end. `mode` says what the suspension does. Replaces an
    earlier suspension. `ground` is the name of the ground; None for none. Returns the user.

    Raises Unauthenticated, Forbidden below the role LEAD, Unavailable; BadInput for a malformed id, and if
    `until` is not in the future or has no time zone; Refused with TARGET_NOT_FOUND, NOT_ALLOWED if the user is the
    viewer, SUSPENDED if the viewer is suspended, TEXT_TOO_LONG, TEXT_INVALID, or INVALID for an empty reason,
    for an unknown ground, and for the mode SHADOW without a ground for deceptive commercial content.
    """
    context.require_role(ModeratorRole.LEAD)
    end_ms = None if until is None else times.end_ms(until)
    if end_ms is not None:
        times.check_future(end_ms, context.state.now_ms())
    reason = texts.user_text(reason, _LONGEST_REASON, "reason", empty=False)
    ground = grounds.check(context, ground, deceptive=mode is SuspensionMode.SHADOW)
    return await _decide(context, "suspendUser", user_id, mode, end_ms, reason, ground)


async def reinstate(context: Context, user_id: str) -> UserRow:
    """Ends the suspension of a user. Returns the user. Succeeds and changes nothing if the user is not suspended.

    Raises Unauthenticated, Forbidden below the role LEAD, BadInput, Unavailable; Refused with
    TARGET_NOT_FOUND, NOT_ALLOWED if the user is the viewer, or SUSPENDED if the viewer is suspended.
    """
    context.require_role(ModeratorRole.LEAD)
    return await _decide(context, "reinstateUser", user_id, None, None, None)


async def _decide(
    context: Context,
    mutation: str,
    user_id: str,
    mode: SuspensionMode | None,
    until_ms: int | None,
    reason: str | None,
    ground: str | None = None,
) -> UserRow:
    async with Write(context, mutation, None, unless_suspended=True) as write:
        user = await targets.kept_user(context, user_id, "userId")
        targets.check_not_own(context, user, "userId")
        entry = {"actor": write.actor_id, "business": user.ref.business_id, "entity": user.ref.entity_id}
        suspension = {"mode": mode, "until": until_ms, "reason": reason, "ground": ground}
        await write.append(EarlyStep(SUSPEND, user.ref, orjson.dumps({**entry, **suspension})))
    context.forget()
    with suppress(Unavailable):  # caches the profile, which requests need if Postgres goes down next
        await context.content.kept_users.load(user.user_id)
    return replace(user, suspended=mode, suspended_until_ms=until_ms, suspension_reason=reason)
