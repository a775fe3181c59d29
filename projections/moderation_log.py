"""Makes lines of the moderation log about posts and comments: moderation decisions, objections of the rules, and
deletions by others than the author.
"""

from typing import Any

from domain.labels import Labels
from domain.moderation.verdicts import AuditStatus
from domain.versions import moment_of
from models.comments import CommentRow
from models.moderation_log import ModerationAction, ModerationRole
from models.posts import PostRow
from projections.content_events import ContentChanged, ContentEvent, LabelsSet, ModerationDecided
from store.moderation.log import LogLine

_ACTIONS = {
    AuditStatus.PENDING: ModerationAction.HELD,
    AuditStatus.APPROVED: ModerationAction.APPROVED,
    AuditStatus.REJECTED: ModerationAction.REJECTED,
}
_DELETERS = {"owner": ModerationRole.OWNER, "moderator": ModerationRole.MODERATOR}
Content = PostRow | CommentRow


def line(event: ContentEvent, before: Content | None, after: Content | None, labels: Labels) -> LogLine | None:
    """Returns the line of the moderation log about an event; None if the log has none. `before` is the row before the
    event, or None for a new post or comment; `after` is the row after it, or None if the event changed nothing.
    `labels` are the configured labels.
    """
    if isinstance(event, LabelsSet):
        return _labeled(event, before, after, labels) if before else None
    if isinstance(event, ModerationDecided):
        return _decision(event, before, after) if before else None
    if after is None or event.patch.detaches:
        return None
    if event.patch.deletes:
        return _deletion(event, before) if before else None
    return _objection(event, before, after)


def _decision(event: ModerationDecided, before: Content, after: Content | None) -> LogLine | None:
    """Returns the line about a moderation decision; None if the decision had no effect and no moderator made it."""
    if not event.by_moderator and after is None:
        return None
    role = ModerationRole.REVIEWER if event.reviewer else ModerationRole.RULES
    if event.by_moderator:
        role = ModerationRole.MODERATOR
    actor, moment = event.actor_id if event.by_moderator else None, moment_of(event.version)
    what = moment, _ACTIONS[event.status], role, actor, event.ref, before.author_id
    state = _state(after)
    if state and event.match is not None:
        state["match"] = True
    return LogLine(*what, _state(before), state, event.reason, event.ground)


def _labeled(event: LabelsSet, before: Content, after: Content | None, labels: Labels) -> LogLine:
    """Returns the line about labels that a moderator has set."""

    def names(row: Content | None) -> dict[str, Any] | None:
        return None if row is None else {"labels": [label.name for label in labels.in_bits(row.moderator_labels)]}

    moment, role = moment_of(event.version), ModerationRole.MODERATOR
    what = moment, ModerationAction.LABELED, role, event.actor_id, event.ref, before.author_id
    changed = after if after and after.moderator_labels != before.moderator_labels else None
    return LogLine(*what, names(before), names(changed), event.reason, event.ground)


def _objection(event: ContentChanged, before: Content | None, after: Content) -> LogLine | None:
    """Returns the line about a new or edited post or comment to which the moderation rules object; None if they
    do not.
    """
    if after.status is AuditStatus.APPROVED or after.awaits_review:
        return None
    what = moment_of(event.version), _ACTIONS[after.status], ModerationRole.RULES, None, event.ref, after.author_id
    return LogLine(*what, _state(before), _state(after), after.reason)


def _deletion(event: ContentChanged, before: Content) -> LogLine | None:
    """Returns the line about a deletion; None if the author deleted the post or comment. The line names the service if
    one acted for the user.
    """
    role = _DELETERS.get(event.patch.role or "author")
    if role is None or event.actor_id == before.author_id:
        return None
    after = {"deleted": True} | ({"client": event.trace.service} if event.trace.service else {})
    what = moment_of(event.version), ModerationAction.DELETED, role, event.actor_id, event.ref, before.author_id
    return LogLine(*what, _state(before), after, None)


def _state(row: Content | None) -> dict[str, Any] | None:
    return {"status": row.status.name} if row else None
