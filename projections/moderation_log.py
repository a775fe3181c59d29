"""Makes lines of the moderation log about posts and comments: moderation decisions, labels, objections of the rules,
and deletions by others than the author.
"""

from collections.abc import Iterator
from typing import Any

from domain.labels import Labels
from domain.moderation.verdicts import AuditStatus
from domain.versions import moment_of
from models.comments import CommentRow
from models.entities import EntityRow
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
Labeled = Content | EntityRow


def lines(
    event: ContentEvent, before: Content | None, after: Content | None, labels: Labels, facts: str | None
) -> Iterator[LogLine]:
    """Yields the lines of the moderation log about an event. `before` is the row before the event, or None for a new
    post or comment; `after` is the row after it, or None if the event changed nothing. `labels` are the configured
    labels. `facts` says why the rules or the external reviewer have set labels; None if they have set none.
    """
    if isinstance(event, LabelsSet):
        if before:
            yield labeled(event, before, after, labels)
        return
    if line := _line(event, before, after):
        yield line
    if after and facts:
        role = ModerationRole.REVIEWER if isinstance(event, ModerationDecided) else ModerationRole.RULES
        # The next moment, because each statement and each notification about the same content has a moment of its own.
        what = moment_of(event.version) + 1, ModerationAction.LABELED, role, None, event.ref, after.author_id
        yield LogLine(*what, _labels(before, labels), _labels(after, labels), facts)


def _line(event: ContentChanged | ModerationDecided, before: Content | None, after: Content | None) -> LogLine | None:
    """Returns the line about an event, without labels; None if the log has none."""
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


def labeled(event: LabelsSet, before: Labeled, after: Labeled | None, labels: Labels) -> LogLine:
    """Returns the line about labels that a moderator has set. `before` and `after` are the post, comment or entity
    before and after the event; `after` is None if the event changed nothing.
    """
    moment, role = moment_of(event.version), ModerationRole.MODERATOR
    what = moment, ModerationAction.LABELED, role, event.actor_id, event.ref, _owner(before)
    changed = after if after and after.moderator_labels != before.moderator_labels else None
    return LogLine(*what, _labels(before, labels), _labels(changed, labels), event.reason, event.ground)


def _owner(row: Labeled) -> int | None:
    return row.owner_id if isinstance(row, EntityRow) else row.author_id


def _labels(row: Labeled | None, labels: Labels) -> dict[str, Any] | None:
    return None if row is None else {"labels": [label.name for label in labels.in_bits(row.moderator_labels)]}


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
