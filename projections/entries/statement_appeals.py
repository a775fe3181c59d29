"""Appeals against restrictions other than rejections of posts and comments: stores them in their statements of reasons,
closes those that moderators have decided, and opens and resolves the cases of their targets.

The complaint of a reporter against the dismissal of a report is also decided by the next decision about the reports of
the target. The moderator who made a decision cannot decide the appeal against it.
"""

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from domain.moderation.appeals import AppealStatus
from domain.moderation.reports import ReportStatus
from domain.moderation.statements import Restriction
from domain.versions import moment_of, version_ms
from models.counters import EntityRef
from models.moderation_log import ModerationRole
from models.moderation_steps import APPEAL_STATEMENT, DECIDE_APPEAL
from models.statements import StatementRow
from projections.batch import Batch
from projections.content_events import LabelsSet
from projections.entries.appeals import ACTIONS, MESSAGES, Appealed
from projections.entries.collections import CollectionJudged
from projections.entries.reports import ReportsResolved
from projections.entries.suspensions import Suspended
from projections.events import Event, head_of
from projections.projection import Projection, Publication, count_targets
from projections.statement_events import StatementAppealDecided, StatementAppealed
from store.moderation import appeals, cases, reports, statements
from store.moderation.cases import Target
from store.moderation.log import LogLine
from store.write_log.journal import Entry

StatementEvent = StatementAppealed | StatementAppealDecided


def _parse_appeal(entry: Entry, data: dict[str, Any]) -> list[StatementAppealed]:
    owner_id = None if data["owner"] is None else int(data["owner"])
    about = int(data["statement"]), int(data["about"]), owner_id
    return [StatementAppealed(*head_of(entry, data), *about, f"{data['text']}")]


def _parse_decision(entry: Entry, data: dict[str, Any]) -> list[Event]:
    """Returns the event of a decision and, if it lifts a restriction, the event that does so."""
    head, what = head_of(entry, data), (int(data["user"]), int(data["statement"]))
    decided = StatementAppealDecided(*head, *what, bool(data["granted"]), f"{data['reason']}")
    match data["lifts"]:
        case None:
            return [decided]
        case Restriction.SUSPENDED:
            return [decided, Suspended(*head, None, None, None)]
        case Restriction.LABELED:
            return [decided, LabelsSet(*head, 0, decided.reason)]
        case Restriction.MADE_PRIVATE:
            return [decided, CollectionJudged(*head, decided.user_id, holds=False, reason=decided.reason)]
    raise ValueError(f"an appeal does not lift {data['lifts']!r}")


async def find_late(batch: Batch) -> None:
    """Adds to `batch.without_effect` the decisions about appeals that may lift no restriction: the appeal is not open
    any more, or the restriction has ended or was replaced. Call it before the events are applied.
    """
    decided = set[tuple[int, int]]()
    for event in sorted(batch.of(StatementAppealDecided), key=attrgetter("version")):
        key = event.user_id, event.statement_id
        row = None if key in decided else await statements.find(batch.transaction, *key)
        appeal = row and row.appeal
        others = batch.of(Suspended), batch.of(LabelsSet), batch.of(CollectionJudged)
        replaced = any(one.ref == event.ref and one.version < event.version for some in others for one in some)
        if not (row and appeal and appeal.status is AppealStatus.OPEN and _may_decide(event, row)):
            batch.without_effect.add((event.ref, event.version))
        else:
            decided.add(key)
            if row.ended_ms is not None or replaced:
                batch.without_effect.add((event.ref, event.version))


class _Decision(NamedTuple):
    """A decision that closes the open appeals in some statements."""

    version: int
    actor_id: int
    status: AppealStatus
    reason: str
    statements: Sequence[StatementRow]


async def _apply(batch: Batch, events: Sequence[StatementEvent]) -> None:
    """Stores new appeals, closes those that are decided, and updates the cases of their targets, which the projection
    of reports has locked. Adds the decisions to the moderation log, and notifies the persons.

    Raises ValueError for an appeal against a decision whose statement is missing in Postgres.
    """
    resolved = [event for event in batch.of(ReportsResolved) if (event.ref, event.version) not in batch.without_effect]
    refs = {event.ref for event in (*events, *resolved)} | batch.appeal_states.keys()
    if not refs:
        return
    for event in sorted(batch.of(StatementAppealed), key=attrgetter("version")):
        await _store(batch, event)
    found = await statements.appealed(batch.transaction, refs)
    open_ = {(row.user_id, row.statement_id): row for row in found if row.restriction is not Restriction.REJECTED}
    if not (open_ or events or batch.appeal_states):
        return
    for decision in sorted(_decisions(batch, resolved, open_.values()), key=attrgetter("version")):
        for row in decision.statements:
            key = row.user_id, row.statement_id
            if key in open_ and _may_decide(decision, row):
                del open_[key]
                await _close(batch, decision, row)
    versions = {ref: version for ref, (_, version) in batch.appeal_states.items()}
    for change in (*events, *resolved):
        versions[change.ref] = max(change.version, versions.get(change.ref, 0))
    await _update_cases(batch, versions, {row.ref for row in open_.values()})


async def _store(batch: Batch, event: StatementAppealed) -> None:
    row = await statements.find(batch.transaction, event.actor_id, event.statement_id)
    if row is None:
        raise ValueError(f"user {event.actor_id} has no statement {event.statement_id} yet")
    await statements.appeal(batch.transaction, row, event.version, event.text)


def _decisions(batch: Batch, resolved: Iterable[ReportsResolved], open_: Iterable[StatementRow]) -> list[_Decision]:
    """Returns the decisions of a batch, each with the statements whose open appeals it may close."""
    rows = [*open_]
    complaints = [row for row in rows if row.restriction is Restriction.REPORT_DISMISSED]
    found = [
        _Decision(
            *(event.version, event.actor_id, AppealStatus.GRANTED if event.granted else AppealStatus.DENIED),
            *(event.reason, [row for row in rows if row[:2] == (event.user_id, event.statement_id)]),
        )
        for event in batch.of(StatementAppealDecided)
    ]
    for event in resolved:
        status = AppealStatus.GRANTED if event.status is ReportStatus.ACCEPTED else AppealStatus.DENIED
        of_target = [row for row in complaints if row.ref == event.ref]
        found.append(_Decision(event.version, event.actor_id, status, event.reason, of_target))
    return found


def _may_decide(decision: _Decision | StatementAppealDecided, row: StatementRow) -> bool:
    """Returns whether a decision may close the appeal in a statement: it came after the appeal, and another user made
    it than the one who made the first decision or the appeal.
    """
    came_later = row.appeal is not None and decision.version > row.appeal.version
    return came_later and decision.actor_id not in (row.actor_id, row.user_id)


async def _close(batch: Batch, decision: _Decision, row: StatementRow) -> None:
    """Closes the open appeal in a statement. Adds the outcome to the moderation log, and notifies the person. A granted
    complaint makes the report an accepted one.
    """
    status, ref = decision.status, row.ref
    await statements.close(batch.transaction, row, status, version_ms(decision.version))
    if row.restriction is Restriction.REPORT_DISMISSED and status is AppealStatus.GRANTED:
        await reports.close(batch.transaction, {(*ref, row.user_id): ReportStatus.ACCEPTED})
    what = moment_of(decision.version), ACTIONS[status], ModerationRole.MODERATOR, decision.actor_id, ref, row.user_id
    before = {"appeal": AppealStatus.OPEN.name, "restriction": row.restriction.name}
    batch.log.append(LogLine(*what, before, {**before, "appeal": status.name}, decision.reason))
    batch.untold.moderated(row.user_id, ref, decision.version, MESSAGES[status] + decision.reason)


async def _update_cases(batch: Batch, versions: dict[EntityRef, int], appealed: set[EntityRef]) -> None:
    """Opens and resolves the cases of these targets. `versions` has the newest change of each. `appealed` are those
    with an open appeal that is not against a rejection.
    """
    unknown = versions.keys() - batch.appeal_states.keys()
    rejections = {row.ref for row in await appeals.open_in(batch.transaction, unknown)}
    rejections |= {ref for ref, (is_open, _) in batch.appeal_states.items() if is_open}
    locked = await cases.lock(batch.transaction, {ref: Target(0, None, needs_case=False) for ref in versions})
    changed = [
        after
        for ref, row in locked.items()
        if (after := row.changed(moment_of(versions[ref]), has_appeal=ref in appealed | rejections)) != row
    ]
    if changed:
        await cases.write(batch.transaction, changed)


async def _collect(publication: Publication, events: Sequence[StatementEvent]) -> None:
    """Adds the targets to the publication, and the users who may have new notifications."""
    await count_targets(publication, events)
    publication.notified |= {event.user_id for event in events if isinstance(event, StatementAppealDecided)}


PROJECTION: Projection[StatementEvent] = Projection(
    (StatementAppealed, StatementAppealDecided),
    {APPEAL_STATEMENT: _parse_appeal, DECIDE_APPEAL: _parse_decision},
    _apply,
    _collect,
    rank=4,
    also=(Appealed, ReportsResolved),
)
