"""Appeals: stores them, closes those that a moderator has decided or whose content is not rejected any more, and logs
decided appeals.

An appeal is about one version of the content of a rejected post or comment. It is open until a moderator decides, or
until the content is edited, deleted or approved. The moderator who rejected the content cannot deny the appeal. But if
this moderator approves the content, the appeal is granted: the approval was sent before the appeal was stored.
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from domain.moderation.appeals import AppealStatus
from domain.moderation.verdicts import AuditStatus
from domain.versions import moment_of
from models.appeals import AppealRow
from models.counters import EntityRef
from models.moderation_log import ModerationAction, ModerationRole
from models.moderation_steps import APPEAL
from projections.batch import Batch
from projections.content_events import ContentChanged, ModerationDecided
from projections.events import head_of
from projections.projection import Projection, count_targets
from store.moderation import appeals
from store.moderation.log import LogLine
from store.moderation.statements import ContentAppeal
from store.write_log.journal import Entry

MESSAGES = {
    AppealStatus.GRANTED: "Your appeal was granted: ",
    AppealStatus.DENIED: "Your appeal was denied: ",
}
"""How messages to authors begin. The moderator's reason follows."""
ACTIONS = {
    AppealStatus.GRANTED: ModerationAction.APPEAL_GRANTED,
    AppealStatus.DENIED: ModerationAction.APPEAL_DENIED,
}


class Appealed(NamedTuple):
    """An event: the author of a rejected post or comment asked for a new decision."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    content_version: int
    """The version of the content that was rejected."""
    text: str


def _parse(entry: Entry, data: dict[str, Any]) -> list[Appealed]:
    return [Appealed(*head_of(entry, data), int(data["content"]), f"{data['text']}")]


async def _apply(batch: Batch, events: Sequence[Appealed]) -> None:
    """Stores the appeals. Closes open appeals that moderators have decided, or whose post or comment the batch changes.
    Records in the batch which posts and comments have an open appeal. Adds the decisions to the moderation log, and
    notifies the authors.

    Raises ValueError for an appeal about a post or comment that is missing in Postgres.
    """
    if events:
        await _add(batch, events)
    refs = {event.ref for event in events} | {change.after.ref for change in batch.changes if change.was_rejected}
    opened = {row.ref: row for row in await appeals.open_in(batch.transaction, refs)} if refs else {}
    statuses: dict[EntityRef, AppealStatus] = {}
    versions = {ref: appeal.version for ref, appeal in opened.items()}
    for event in sorted(batch.of(ModerationDecided), key=attrgetter("version")):
        appeal = opened.get(event.ref)
        if appeal and event.ref not in statuses and _decides(batch, event, appeal):
            granted = event.status is AuditStatus.APPROVED
            statuses[event.ref] = AppealStatus.GRANTED if granted else AppealStatus.DENIED
            versions[event.ref] = event.version
            _tell(batch, event, appeal, statuses[event.ref])
    for ref, appeal in opened.items():
        row = batch.rows[ref]
        changed = row.status is not AuditStatus.REJECTED or row.content_version != appeal.content_version
        if changed and ref not in statuses:
            statuses[ref], versions[ref] = AppealStatus.MOOT, max(row.newest, appeal.version)
    if statuses:
        await appeals.close(batch.transaction, statuses)
    _mirror(batch, events, opened.values(), statuses)
    batch.appeal_states |= {ref: (ref not in statuses, version) for ref, version in versions.items()}


def _mirror(
    batch: Batch, events: Iterable[Appealed], opened: Iterable[AppealRow], statuses: Mapping[EntityRef, AppealStatus]
) -> None:
    """Adds to the batch what the statements of reasons about the rejections say: the appeals that `events` have opened,
    and the outcomes (`statuses`) of those that the batch closes.
    """
    asked = {(event.ref, event.version) for event in events}
    for appeal in opened:
        mirrored = ContentAppeal(appeal.author_id, appeal.ref, appeal.version)
        if (appeal.ref, appeal.version) in asked:
            batch.content_appeals.append((mirrored, appeal.text))
        if appeal.ref in statuses:
            batch.closed_content_appeals.append((mirrored, statuses[appeal.ref]))


async def _add(batch: Batch, events: Sequence[Appealed]) -> None:
    """Stores the appeals of authors about their own rejected content. Raises ValueError for an appeal about a post,
    comment or content that is missing in Postgres.
    """
    by_version = sorted(events, key=attrgetter("version"))
    first = {(event.ref, event.content_version): event for event in reversed(by_version)}
    rejected_by = await appeals.rejected_by(batch.transaction, {event.ref for event in events})
    new = {}
    for event in first.values():
        row = batch.rows.get(event.ref)
        if row is None or event.content_version > row.content_version:
            raise ValueError(f"{event.ref} lacks the content that the appeal is about")
        if event.actor_id == row.author_id and event.content_version == row.content_version:
            line = _rejected_in_batch(batch, event)
            moderator = line.actor_id if line else rejected_by.get(event.ref)
            new[event.ref] = AppealRow(
                *(event.ref, event.actor_id, event.version, event.content_version, event.text, moderator),
                AppealStatus.OPEN,
            )
    if new:
        await appeals.add(batch.transaction, new.values())


def _rejected_in_batch(batch: Batch, event: Appealed) -> LogLine | None:
    """Returns the newest line of the moderation log about a rejection that is in this batch and before the appeal; None
    if there is none.
    """
    lines = [
        line
        for line in batch.log
        if line.ref == event.ref
        and line.action is ModerationAction.REJECTED
        and line.after is not None
        and line.moment <= moment_of(event.version)
    ]
    return max(lines, key=lambda line: line.moment, default=None)


def _decides(batch: Batch, event: ModerationDecided, appeal: AppealRow) -> bool:
    """Returns whether a decision grants or denies an appeal. The decision must come after the appeal and have an
    effect. The author of the content cannot decide. The moderator who rejected the content cannot deny the appeal.
    """
    if not event.by_moderator or event.version < appeal.version or (event.ref, event.version) in batch.without_effect:
        return False
    if event.actor_id == appeal.author_id:
        return False
    return event.status is AuditStatus.APPROVED or event.actor_id != appeal.moderator_id


def _tell(batch: Batch, event: ModerationDecided, appeal: AppealRow, status: AppealStatus) -> None:
    """Adds the outcome of an appeal to the moderation log, and notifies the author."""
    moment, author_id = moment_of(event.version), appeal.author_id
    what = moment, ACTIONS[status], ModerationRole.MODERATOR, event.actor_id, event.ref, author_id
    batch.log.append(LogLine(*what, {"appeal": AppealStatus.OPEN.name}, {"appeal": status.name}, event.reason))
    batch.untold.moderated(author_id, event.ref, event.version, MESSAGES[status] + event.reason)


PROJECTION = Projection(
    (Appealed,), {APPEAL: _parse}, _apply, count_targets, rank=2, also=(ContentChanged, ModerationDecided)
)
