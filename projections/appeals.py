"""Writes appeals, and closes those that a moderator has decided or whose content is not rejected any more.

An appeal is about one version of the content of a rejected post or comment. It is open until another moderator than the
one who rejected the content decides, or until the content is edited, deleted or approved. An approval of the moderator
who rejected the content also grants the appeal: it was sent before the appeal was stored.
"""

from collections.abc import Iterable, Sequence

from domain.moderation.appeals import AppealStatus
from domain.moderation.verdicts import AuditStatus
from models.appeals import AppealRow
from models.counters import EntityRef
from models.moderation_log import ModerationAction
from projections import moderation_log
from projections.content import Contents
from projections.events.content import ModerationDecided
from projections.events.moderation import Appealed
from store.moderation import appeals
from store.moderation.log import LogLine
from store.notifications.outbox import NotificationOutbox
from store.postgres.client import Transaction
from store.write_log.journal import moment_of

_MESSAGES = {
    AppealStatus.GRANTED: "Your appeal was granted: ",
    AppealStatus.DENIED: "Your appeal was denied: ",
}
"""The beginnings of the messages to authors. The reason of the decision follows."""


async def apply(
    transaction: Transaction,
    events: Sequence[Appealed],
    decisions: Iterable[ModerationDecided],
    contents: Contents,
    outbox: NotificationOutbox,
) -> None:
    """Writes appeals, and closes open ones of posts and comments that the batch changes or that moderators decide.
    Records in `contents` which cases have an open appeal. Adds the outcomes to the moderation log and to `outbox`.

    Raises ValueError for an appeal about a post or comment that is missing in Postgres.
    """
    if events:
        await _add(transaction, events, contents)
    refs = {event.ref for event in events} | {change.after.ref for change in contents.changes if change.was_rejected}
    opened = {row.ref: row for row in await appeals.open_in(transaction, refs)} if refs else {}
    statuses: dict[EntityRef, AppealStatus] = {}
    versions = {ref: appeal.version for ref, appeal in opened.items()}
    for event in sorted(decisions, key=lambda event: event.version):
        appeal = opened.get(event.ref)
        if appeal and event.ref not in statuses and _decides(event, appeal, contents):
            granted = event.status is AuditStatus.APPROVED
            statuses[event.ref] = AppealStatus.GRANTED if granted else AppealStatus.DENIED
            versions[event.ref] = event.version
            _tell(event, appeal, statuses[event.ref], contents, outbox)
    for ref, appeal in opened.items():
        row = contents.rows[ref]
        changed = row.status is not AuditStatus.REJECTED or row.content_version != appeal.content_version
        if changed and ref not in statuses:
            statuses[ref], versions[ref] = AppealStatus.MOOT, max(row.newest, appeal.version)
    if statuses:
        await appeals.close(transaction, statuses)
    contents.appeal_states |= {ref: (ref not in statuses, version) for ref, version in versions.items()}


async def _add(transaction: Transaction, events: Sequence[Appealed], contents: Contents) -> None:
    """Stores the appeals of authors about their own rejected content."""
    by_version = sorted(events, key=lambda event: event.version)
    first = {(event.ref, event.content_version): event for event in reversed(by_version)}
    rejected_by = await appeals.rejected_by(transaction, {event.ref for event in events})
    new = {}
    for event in first.values():
        row = contents.rows.get(event.ref)
        if row is None or event.content_version > row.content_version:
            raise ValueError(f"{event.ref} lacks the content that the appeal is about")
        if event.actor_id == row.author_id and event.content_version == row.content_version:
            line = _rejected_in_batch(event, contents)
            moderator = line.actor_id if line else rejected_by.get(event.ref)
            new[event.ref] = AppealRow(
                *(event.ref, event.actor_id, event.version, event.content_version, event.text, moderator),
                AppealStatus.OPEN,
            )
    if new:
        await appeals.add(transaction, new.values())


def _rejected_in_batch(event: Appealed, contents: Contents) -> LogLine | None:
    """Returns the newest line of the log about a rejection in this batch, before the appeal; None without one."""
    lines = [
        line
        for line in contents.log
        if line.ref == event.ref
        and line.action is ModerationAction.REJECTED
        and line.after is not None
        and line.moment <= moment_of(event.version)
    ]
    return max(lines, key=lambda line: line.moment, default=None)


def _decides(event: ModerationDecided, appeal: AppealRow, contents: Contents) -> bool:
    """Returns whether a decision grants or denies an appeal. It must come later and have an effect. Neither the author
    nor, with a rejection, the moderator who rejected the content before can decide.
    """
    if (
        not event.by_moderator
        or event.version < appeal.version
        or (event.ref, event.version) in contents.without_effect
    ):
        return False
    if event.actor_id == appeal.author_id:
        return False
    return event.status is AuditStatus.APPROVED or event.actor_id != appeal.moderator_id


def _tell(
    event: ModerationDecided, appeal: AppealRow, status: AppealStatus, contents: Contents, outbox: NotificationOutbox
) -> None:
    """Adds the outcome of an appeal to the moderation log, and notifies the author."""
    contents.log.append(moderation_log.appeal_decision(event, appeal.author_id, status))
    outbox.moderated(appeal.author_id, event.ref, event.version, _MESSAGES[status] + event.reason)
