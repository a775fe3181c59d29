"""Lines of the moderation log: decisions, warnings, objections of rules, and deletions by others than the author."""

from collections.abc import Mapping
from typing import Any

from domain.moderation.appeals import AppealStatus
from domain.moderation.reports import ReportStatus
from domain.moderation.verdicts import AuditStatus
from models.comments import CommentRow
from models.moderation_log import ModerationAction, ModerationRole
from models.posts import PostRow
from projections.events import ContentEvent
from projections.events.content import ContentChanged, ModerationDecided
from projections.events.moderation import ReportsResolved, Warned
from store.moderation.log import LogLine
from store.write_log.journal import moment_of

_ACTIONS = {
    AuditStatus.PENDING: ModerationAction.HELD,
    AuditStatus.APPROVED: ModerationAction.APPROVED,
    AuditStatus.REJECTED: ModerationAction.REJECTED,
}
_APPEAL_ACTIONS = {
    AppealStatus.GRANTED: ModerationAction.APPEAL_GRANTED,
    AppealStatus.DENIED: ModerationAction.APPEAL_DENIED,
}
_REPORT_ACTIONS = {
    ReportStatus.ACCEPTED: ModerationAction.REPORTS_ACCEPTED,
    ReportStatus.DISMISSED: ModerationAction.REPORTS_DISMISSED,
}
_DELETERS = {"owner": ModerationRole.OWNER, "moderator": ModerationRole.MODERATOR}


def decision(
    event: ModerationDecided, before: PostRow | CommentRow, after: PostRow | CommentRow | None
) -> LogLine | None:
    """Returns the line of a decision. `after` is None if it had no effect: then only a moderator's has a line."""
    if not event.by_moderator and after is None:
        return None
    role = ModerationRole.REVIEWER if event.reviewer else ModerationRole.RULES
    if event.by_moderator:
        role = ModerationRole.MODERATOR
    actor = event.actor_id if event.by_moderator else None
    return _line(
        event,
        _ACTIONS[event.status],
        role,
        actor,
        before.author_id,
        _state(before),
        _state(after) if after else None,
        event.reason,
    )


def verdict(event: ContentChanged, before: PostRow | CommentRow | None, after: PostRow | CommentRow) -> LogLine | None:
    """Returns the line of a new or edited post or comment that the rules object to; None for others."""
    if after.status is AuditStatus.APPROVED or after.awaits_review:
        return None
    return _line(
        event,
        _ACTIONS[after.status],
        ModerationRole.RULES,
        None,
        after.author_id,
        _state(before) if before else None,
        _state(after),
        after.reason,
    )


def deletion(event: ContentChanged, before: PostRow | CommentRow) -> LogLine | None:
    """Returns the line of a deletion, which names a service that acted for the actor; None if the author deleted the
    post or comment.
    """
    role = _DELETERS.get(event.patch.role or "author")
    if role is None or event.actor_id == before.author_id:
        return None
    after = {"deleted": True} | ({"client": event.trace.service} if event.trace.service else {})
    action, author_id = ModerationAction.DELETED, before.author_id
    return _line(event, action, role, event.actor_id, author_id, _state(before), after, None)


def warning(event: Warned) -> LogLine:
    """Returns the line of a warning of a user."""
    action, role = ModerationAction.WARNED, ModerationRole.MODERATOR
    return _line(event, action, role, event.actor_id, event.ref.entity_id, None, {"warned": True}, event.reason)


def appeal_decision(event: ModerationDecided, author_id: int, status: AppealStatus) -> LogLine:
    """Returns the line of a decision that grants or denies an appeal of an author."""
    action, role = _APPEAL_ACTIONS[status], ModerationRole.MODERATOR
    before, after = {"appeal": AppealStatus.OPEN.name}, {"appeal": status.name}
    return _line(event, action, role, event.actor_id, author_id, before, after, event.reason)


def reports_decision(event: ReportsResolved, author_id: int | None, count: int) -> LogLine:
    """Returns the line of a decision that closes this number of reports."""
    action, role = _REPORT_ACTIONS[event.status], ModerationRole.MODERATOR
    return _line(event, action, role, event.actor_id, author_id, {"reports": count}, {"reports": 0}, event.reason)


def _line(
    event: ContentEvent | ReportsResolved | Warned,
    action: ModerationAction,
    role: ModerationRole,
    actor_id: int | None,
    author_id: int | None,
    before: Mapping[str, Any] | None,
    after: Mapping[str, Any] | None,
    reason: str | None,
) -> LogLine:
    return LogLine(
        moment=moment_of(event.version),
        action=action,
        role=role,
        actor_id=actor_id,
        ref=event.ref,
        user_id=author_id,
        before=before,
        after=after,
        reason=reason,
    )


def _state(row: PostRow | CommentRow) -> dict[str, Any]:
    return {"status": row.status.name}
