"""Reports and notices, and decisions about them: writes them, and opens and resolves cases. A case is the entry of a
post, comment, user or entity in the moderation queue.

A case is open while its post or comment waits for approval, and while there are open reports, open notices or an open
appeal about its target. Counts of reports follow the changed rows of reports, so a repeated report changes nothing.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

from domain.ids import born_ms
from domain.moderation.report_weights import Reporter, weight
from domain.moderation.reports import CaseSource, ReportReason, ReportStatus
from domain.moderation.statements import FoundBy, Restriction
from domain.moderation.verdicts import AuditStatus
from domain.versions import moment_of
from models.comments import CommentRow
from models.counters import EntityRef
from models.devices import network
from models.moderation_log import ModerationAction, ModerationRole
from models.moderation_steps import REPORT, RESOLVE
from models.notices import NOTICE
from models.posts import PostRow
from models.reports import CaseRow
from projections import statements
from projections.batch import Batch, RowChange
from projections.content_events import ContentChanged, ModerationDecided
from projections.entries.appeals import Appealed
from projections.entries.collections import CollectionChanged, CollectionJudged
from projections.events import TEXTS, ground_of, head_of, trace_of
from projections.notices import NoticeChanges, Noticed
from projections.notices import parse as parse_notice
from projections.projection import Projection, Publication
from projections.statement_events import StatementAppealDecided, StatementAppealed
from projections.statements import with_title
from settings import COLLECTIONS, COMMENTS, POSTS
from store.moderation import cases, reports
from store.moderation.cases import Target
from store.moderation.log import LogLine
from store.moderation.reports import Closing, NewReport, Place, StoredReport
from store.outgoing.events.reports import REPORT_CREATED, REPORT_RESOLVED
from store.reactions import collections
from store.write_log.journal import ClientTrace, Entry

MESSAGES = {
    ReportStatus.ACCEPTED: "Your report was accepted: ",
    ReportStatus.DISMISSED: "Your report was dismissed: ",
    ReportStatus.MOOT: "What you reported was deleted.",
}
"""How messages to reporters begin. The moderator's reason follows."""
_DISMISSED = ReportStatus.DISMISSED
_ACTIONS = {
    ReportStatus.ACCEPTED: ModerationAction.REPORTS_ACCEPTED,
    ReportStatus.DISMISSED: ModerationAction.REPORTS_DISMISSED,
}
_OUTCOMES = {
    ReportStatus.ACCEPTED: Restriction.REPORT_ACCEPTED,
    ReportStatus.DISMISSED: Restriction.REPORT_DISMISSED,
}


class Reported(NamedTuple):
    """An event: a user reported a post, comment, user or entity."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The target."""
    about: int
    """The business that the report is about: for a comment, that of its subject; otherwise that of the target."""
    author_id: int | None
    """The author or owner of the target; None for an entity without owner."""
    reason: ReportReason
    note: str | None
    trace: ClientTrace


class ReportsResolved(NamedTuple):
    """An event: a moderator accepted or dismissed all open reports of a target."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The target."""
    status: ReportStatus
    reason: str
    """The reason of the decision, for the reporters."""
    author_id: int | None = None
    """The author or owner of the target; None for an entity without owner, and if `decides_content` is true."""
    decides_content: bool = False
    """Whether the moderator decided about the post or comment itself, which also decides its reports."""
    ground: str | None = None
    """The name of the ground that the moderator names; None for none."""


ReportEvent = Reported | ReportsResolved | Noticed


def _parse_report(entry: Entry, data: dict[str, Any]) -> list[Reported]:
    author, note = None if data["owner"] is None else int(data["owner"]), data["note"]
    if type(note) not in TEXTS:
        raise TypeError(f"{note!r} is not a text")
    about, reason = int(data["about"]), ReportReason(data["reason"])
    return [Reported(*head_of(entry, data), about, author, reason, note, trace_of(data))]


def _parse_resolution(entry: Entry, data: dict[str, Any]) -> list[ReportsResolved | CollectionJudged]:
    status, author = ReportStatus(data["status"]), None if data["owner"] is None else int(data["owner"])
    if status not in (ReportStatus.ACCEPTED, ReportStatus.DISMISSED):
        raise ValueError(f"a moderator cannot decide {status!r}")
    head, reason = head_of(entry, data), f"{data['reason']}"
    resolved: list[ReportsResolved | CollectionJudged] = [
        ReportsResolved(*head, status, reason, author, ground=ground_of(data))
    ]
    holds = bool(data.get("holds"))
    if author is not None and resolved[0].ref.business_id == COLLECTIONS and (holds or status is _DISMISSED):
        resolved.append(CollectionJudged(*head, author, holds, reason, ground_of(data)))
    return resolved


async def _apply(batch: Batch, _: Sequence[ReportEvent]) -> None:
    """Writes new reports and notices. Closes those that moderators have decided, and those about deleted posts,
    comments and collections. Updates the moderation queue. Adds notifications, lines of the moderation log, and
    outgoing events about new and closed reports and notices to the batch.

    Raises ValueError for a report or notice about a post or comment that is missing in Postgres.
    """
    update = _CaseUpdate(batch)
    reported, noticed = batch.of(Reported), batch.of(Noticed)
    resolved = [event for event in batch.of(ReportsResolved) if update.counts(event)]
    gone = {event.ref: event.version for event in batch.of(CollectionChanged) if event.deleted}
    await update.read(reported, noticed, {event.ref for event in resolved}, gone.keys())
    update.run(reported, noticed, resolved, gone)
    await update.write()


class _CaseUpdate:
    """The changes of one batch to reports and cases: made in memory, one event after the other, then written."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._new_account_ms = int(batch.state.settings.moderation.new_account * 1000)
        self._stored: dict[EntityRef, CaseRow] = {}
        self._cases: dict[EntityRef, CaseRow] = {}
        self._reports: dict[EntityRef, dict[int, StoredReport]] = {}
        """The reports that the batch may change, by target and reporter."""
        self._new: dict[Place, NewReport] = {}
        self._closed: dict[Place, ReportStatus] = {}
        self._totals: reports.Totals = {}
        self._notices = NoticeChanges(batch)
        self._gone = set[EntityRef]()
        """The reported collections that are deleted."""
        self._in_network = Counter[tuple[EntityRef, str]]()
        """The number of open reports by target and network."""

    def counts(self, event: ReportsResolved) -> bool:
        """Returns whether a decision closes reports: it had an effect, and the target does not belong to the
        moderator.
        """
        row = self._batch.rows.get(event.ref)
        own = (row.author_id if row else event.author_id) == event.actor_id
        return not own and (event.ref, event.version) not in self._batch.without_effect

    async def read(
        self,
        reported: Sequence[Reported],
        noticed: Sequence[Noticed],
        decided: Set[EntityRef],
        gone: Set[EntityRef],
    ) -> None:
        """Locks the cases of the batch. Then reads the reports and notices that the batch may change, and what the
        weights of new reports depend on: how the reporters' earlier reports were decided, and open reports from the
        same network. `decided` are the targets whose reports and notices moderators have decided, and `gone` the
        collections that were deleted.
        """
        closed = decided | gone | {change.after.ref for change in self._batch.changes if change.deleted_by}
        targets, transaction = self._targets([*reported, *noticed], closed), self._batch.transaction
        if not targets:
            return
        self._stored = await cases.lock(transaction, targets)
        self._cases = dict(self._stored)
        of = {(event.author_id or 0, event.ref.entity_id) for event in reported if event.ref.business_id == COLLECTIONS}
        if of:
            deleted = await collections.deleted_among(transaction, of)
            self._gone = {EntityRef(COLLECTIONS, collection_id) for _, collection_id in deleted}
        new: list[Reported | Noticed] = [*reported, *noticed]
        closed = (closed & self._cases.keys()) | {event.ref for event in new if self._is_deleted(event.ref)}
        await self._notices.read(noticed, closed)
        places = {(*event.ref, event.actor_id) for event in reported}
        if places or closed:
            self._reports = await reports.stored(transaction, places, closed)
        if reported:
            self._totals = await reports.made_in(transaction, {event.actor_id for event in reported})
        if networks := {(event.ref, from_) for event in reported if (from_ := _network(event))}:
            self._in_network.update(await reports.open_by_network(transaction, networks))

    def _targets(self, reported: Iterable[Reported | Noticed], closed: Iterable[EntityRef]) -> dict[EntityRef, Target]:
        """Returns the targets whose cases the batch may change, by reference. For the targets in `closed`, no new case
        is needed, because an open report or notice always has a case.
        """
        targets = {ref: Target(*self._about(ref), needs_case=False) for ref in closed}
        for change in self._batch.changes:
            if _waits(change.after) or _waits(change.before):
                ref = change.after.ref
                targets[ref] = Target(*self._about(ref), needs_case=_waits(change.after))
        for ref, (is_open, _) in self._batch.appeal_states.items():
            targets[ref] = Target(*self._about(ref), needs_case=is_open or _waits(self._batch.rows[ref]))
        for event in reported:
            targets[event.ref] = Target(*self._about(event.ref, event), needs_case=True)
        for decided in self._batch.of(StatementAppealDecided):
            targets.setdefault(decided.ref, Target(decided.ref.business_id, None, needs_case=False))
        for appealed in self._batch.of(StatementAppealed):
            targets[appealed.ref] = Target(appealed.about, appealed.owner_id, needs_case=True)
        return targets

    def _about(self, ref: EntityRef, event: Reported | Noticed | None = None) -> tuple[int, int | None]:
        """Returns the business that a case is about, and the author or owner of its target. Raises ValueError if a
        reported post or comment is missing in Postgres.
        """
        if row := self._batch.rows.get(ref):
            return row.subject_business if isinstance(row, CommentRow) else row.business_id, row.author_id
        if event is None:
            return ref.business_id, None
        if ref.business_id in (POSTS, COMMENTS):
            raise ValueError(f"{ref} has no row yet")
        return event.about, event.author_id

    def _is_deleted(self, ref: EntityRef) -> bool:
        row = self._batch.rows.get(ref)
        return ref in self._gone or (row is not None and row.deleted)

    def run(
        self,
        reported: Sequence[Reported],
        noticed: Sequence[Noticed],
        resolved: Sequence[ReportsResolved],
        gone: Mapping[EntityRef, int],
    ) -> None:
        """Makes the changes of the batch in memory, in the order of their versions. `gone` has the collections that
        were deleted, with the versions of the deletions.
        """
        changes = self._batch.changes
        deleted = [change.after for change in changes if change.deleted_by]
        steps: list[tuple[int, Callable[[], object]]] = [
            *((event.version, partial(self._report, event)) for event in reported),
            *((event.version, partial(self._notice, event)) for event in noticed),
            *((event.version, partial(self._decide, event)) for event in resolved),
            *((change.notification_version, partial(self._queue, change)) for change in changes),
            *((version, partial(self._appeal, ref)) for ref, (_, version) in self._batch.appeal_states.items()),
            *((row.content_version, partial(self._moot, row.ref, row.content_version)) for row in deleted),
            *((version, partial(self._moot, ref, version)) for ref, version in gone.items()),
        ]
        for _, step in sorted(steps, key=itemgetter(0)):
            step()
        new: list[Reported | Noticed] = [*reported, *noticed]
        for event in new:
            if self._is_deleted(event.ref):  # the report or notice came after the deletion
                self._moot(event.ref, event.version)

    async def write(self) -> None:
        """Writes the changed reports, notices and cases to rows. Adds the outgoing events of new reports and notices to
        the batch.
        """
        transaction = self._batch.transaction
        if self._new:
            await reports.write(transaction, self._new.values())
        for report in self._new.values():
            self._batch.outgoing.add(
                *(REPORT_CREATED, report.ref.entity_id, report.ref.business_id, report.version, report.place),
                author=report.author_id,
                reason=int(report.reason),
                note=report.note,
            )
        if self._closed:
            await reports.close(transaction, self._closed)
        await self._notices.write()
        if changed := [row for ref, row in self._cases.items() if row != self._stored[ref]]:
            await cases.write(transaction, changed)

    def _report(self, event: Reported) -> None:
        """Opens a report. If the reporter has an open report of the target already, replaces it, but keeps its weight
        and network.
        """
        of_target = self._reports.setdefault(event.ref, {})
        before = of_target.get(event.actor_id)
        if before and before.version >= event.version:
            return
        _, author_id = self._about(event.ref, event)
        if before and before.is_open:
            after = before._replace(version=event.version)
        else:
            after = StoredReport(event.version, ReportStatus.OPEN, self._weight(event), _network(event))
            self._count(event.ref, event.version, after, 1, author_id)
        of_target[event.actor_id] = after
        new = NewReport(
            *(event.ref, event.actor_id, author_id, event.version, event.reason, event.note),
            *(after.weight, after.network),
        )
        self._new[new.place] = new
        self._closed.pop(new.place, None)

    def _notice(self, event: Noticed) -> None:
        """Opens a notice."""
        weight = self._notices.open(event)
        if weight is not None:
            moment, author_id = moment_of(event.version), self._about(event.ref, event)[1]
            self._cases[event.ref] = self._cases[event.ref].changed(moment, author_id, has_notice=True, weight=weight)

    def _weight(self, event: Reported) -> int:
        made, from_ = self._totals.get(event.actor_id, {}), _network(event)
        reporter = Reporter(
            is_new=(event.version >> 20) - born_ms(event.actor_id) < self._new_account_ms,
            accepted=made.get(ReportStatus.ACCEPTED, 0),
            dismissed=made.get(ReportStatus.DISMISSED, 0),
            from_same_network=self._in_network[event.ref, from_] if from_ else 0,
        )
        return weight(reporter)

    def _count(
        self, ref: EntityRef, version: int, report: StoredReport, one: int, author_id: int | None = None
    ) -> None:
        """Adds a report that was opened (`one` is 1) to the case of its target, or subtracts a report that was closed
        (-1).
        """
        moment = moment_of(version)
        self._cases[ref] = self._cases[ref].changed(moment, author_id, reports=one, weight=one * report.weight)
        if report.network:
            self._in_network[ref, report.network] += one

    def _moot(self, ref: EntityRef, version: int) -> None:
        """Closes the open reports and notices of a target that was deleted. `version` is that of the deletion."""
        closing = Closing(ref, version, ReportStatus.MOOT)
        self._close(closing)
        self._close_notices(closing)

    def _close(self, closing: Closing) -> Collection[int]:
        """Closes open reports of a target. Adds the notifications of the reporters and the outgoing event to the batch.
        Returns the ids of the reporters.
        """
        of_target = self._reports.get(closing.ref, {})
        closed = {reporter_id: report for reporter_id, report in of_target.items() if closing.closes(report)}
        message = with_title(MESSAGES[closing.status] + closing.reason, closing.ground, self._batch.state.settings)
        for reporter_id, report in closed.items():
            of_target[reporter_id] = report._replace(status=closing.status)
            self._closed[*closing.ref, reporter_id] = closing.status
            self._count(closing.ref, closing.version, report, -1)
            self._batch.untold.report_decided(reporter_id, closing.ref, closing.version, message)
        if closed:
            ref = closing.ref
            self._batch.outgoing.add(
                *(REPORT_RESOLVED, ref.entity_id, ref.business_id, closing.version, ref),
                status=int(closing.status),
                count=len(closed),
            )
        return closed

    def _close_notices(self, closing: Closing) -> int:
        """Closes open notices about a target. Returns the number of closed notices."""
        count, weight = self._notices.close(closing)
        if count:
            ref, moment = closing.ref, moment_of(closing.version)
            is_open = self._notices.is_open(ref)
            self._cases[ref] = self._cases[ref].changed(moment, has_notice=is_open, weight=-weight)
        return count

    def _decide(self, event: ReportsResolved) -> None:
        """Closes the reports and notices that a moderator has decided, and adds a line to the moderation log. There is
        no line if the decision is about a post or comment and closes neither.
        """
        closing = Closing(event.ref, event.version, event.status, event.reason, event.ground)
        reporters, notices = self._close(closing), self._close_notices(closing)
        if event.decides_content and not reporters and not notices:
            return
        row = self._batch.rows.get(event.ref)
        author_id = row.author_id if row else event.author_id
        moment, action = moment_of(event.version), _ACTIONS[event.status]
        what = moment, action, ModerationRole.MODERATOR, event.actor_id, event.ref, author_id
        before, after = {"reports": len(reporters)}, {"reports": 0}
        if notices:
            before["notices"], after["notices"] = notices, 0
        line = LogLine(*what, before, after, event.reason, event.ground)
        self._batch.log.append(line)
        outcome, settings = _OUTCOMES[event.status], self._batch.state.settings
        self._batch.statements += [
            statements.of(line, outcome, settings, found_by=FoundBy.REPORTS, user_id=reporter_id)
            for reporter_id in reporters
        ]

    def _queue(self, change: RowChange[Any]) -> None:
        """Opens or resolves the case of a post or comment that waits for approval, or waited for it."""
        row, waits, waited = change.after, _waits(change.after), _waits(change.before)
        if waits and (change.source or not waited):
            content = change.source or CaseSource.RULES
        elif waited and not waits:
            content = CaseSource(0)
        else:
            return
        if case := self._cases.get(row.ref):
            moment = moment_of(change.notification_version)
            self._cases[row.ref] = case.changed(moment, row.author_id, content=content)

    def _appeal(self, ref: EntityRef) -> None:
        """Opens or resolves the case of a post or comment whose appeal was opened or closed."""
        if case := self._cases.get(ref):
            is_open, version = self._batch.appeal_states[ref]
            author_id = self._batch.rows[ref].author_id
            self._cases[ref] = case.changed(moment_of(version), author_id, has_appeal=is_open)


def _network(event: Reported) -> str | None:
    return network(event.trace.ip) if event.trace.ip else None


def _waits(row: PostRow | CommentRow | None) -> bool:
    return row is not None and row.status is AuditStatus.PENDING and not row.deleted


async def _collect(publication: Publication, events: Sequence[ReportEvent]) -> None:
    """Adds to the publication the reporters, who may have new notifications, and the decisions that closed reports."""
    for event in events:
        if isinstance(event, Reported):
            publication.notified.add(event.actor_id)
        elif isinstance(event, ReportsResolved):
            publication.closings.append(Closing(event.ref, event.version, event.status))


PROJECTION: Projection[ReportEvent] = Projection(
    (Reported, ReportsResolved, Noticed),
    {REPORT: _parse_report, RESOLVE: _parse_resolution, NOTICE: parse_notice},
    _apply,
    _collect,
    rank=3,
    also=(ContentChanged, ModerationDecided, Appealed, StatementAppealed, StatementAppealDecided, CollectionChanged),
)
