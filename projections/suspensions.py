"""Lines of the moderation log about suspensions of users."""

from dataclasses import replace
from typing import Any

from models.base import at
from models.moderation_log import ModerationAction, ModerationRole
from models.users import SuspensionMode, UserRow
from store.moderation.log import LogLine


def line(before: UserRow, after: UserRow, moderator_id: int, now_ms: int) -> LogLine:
    """Returns the line about a suspension, or about its end by a moderator."""
    action = ModerationAction.SUSPENDED if after.suspended is not None else ModerationAction.REINSTATED
    reason = after.suspension_reason
    return _line(before, after, action, ModerationRole.MODERATOR, moderator_id, now_ms, reason)


def without_ended(user: UserRow, now_ms: int) -> tuple[UserRow, list[LogLine]]:
    """Returns a user without a suspension whose time is over, and the line about its end. If there is no such
    suspension, returns the user as it is, and no line.
    """
    end_ms = user.suspended_until_ms
    if end_ms is None or user.suspension(now_ms):
        return user, []
    after = replace(user, suspended=None, suspended_until_ms=None, suspension_reason=None)
    action, role = ModerationAction.SUSPENSION_ENDED, ModerationRole.SYSTEM
    return after, [_line(user, after, action, role, None, end_ms, user.suspension_reason)]


def _line(
    before: UserRow,
    after: UserRow,
    action: ModerationAction,
    role: ModerationRole,
    actor_id: int | None,
    at_ms: int,
    reason: str | None,
) -> LogLine:
    return LogLine(
        moment=at_ms << 10,
        action=action,
        role=role,
        actor_id=actor_id,
        ref=after.ref,
        user_id=after.user_id,
        before=_state(before),
        after=_state(after),
        reason=reason,
    )


def _state(row: UserRow) -> dict[str, Any]:
    mode = None if row.suspended is None else SuspensionMode(row.suspended).name
    return {"mode": mode, "until": row.suspended_until_ms and f"{at(row.suspended_until_ms):%Y-%m-%dT%H:%M:%SZ}"}
