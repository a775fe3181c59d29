"""Writes reports, and opens and resolves the cases of the moderation queue.

A case is open while its post or comment waits for approval, and while there are open reports of its target. Counts of
reports change by what happened to the rows of reports, so a repeated report changes nothing.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from domain.ids import born_ms
from domain.moderation import reports as rules
from domain.moderation.reports import CaseSource, Reporter, ReportStatus
from domain.moderation.verdicts import AuditStatus
from models.comments import CommentRow
from models.counters import EntityRef
from models.devices import network
from models.moderation_log import ModerationAction, ModerationRole
from models.posts import PostRow
from projections.content import Change, Contents
from projections.events import Reported, ReportEvent, ReportsResolved
from settings import COMMENTS, POSTS
from store.moderation import reports
from store.moderation.cases import CaseChanges
from store.moderation.log import LogLine
from store.moderation.reports import NewReport, Place, StoredReport
from store.notifications.outbox import NotificationOutbox
from store.postgres.client import Transaction
from store.write_log.journal import moment_of

_OUTCOMES = {
    ReportStatus.ACCEPTED: "Your report was accepted: ",
    ReportStatus.DISMISSED: "Your report was dismissed: ",
    ReportStatus.MOOT: "What you reported was deleted.",
}
"""The beginnings of notifications of reporters. The reason of the decision follows."""


_LAST = (1 << 63) - 1
"""A version that no report has."""


class _Decision(NamedTuple):
    """The decision or deletion that closes the open reports of a target."""

    status: ReportStatus
    version: int
    reason: str = ""


async def apply(
    transaction: Transaction,
    events: Sequence[ReportEvent],
    contents: Contents,
    new_account_ms: int,
    outbox: NotificationOutbox,
) -> None:
    """Writes reports, closes those that moderators have decided and those of deleted posts and comments, and updates
    the moderation queue. Adds the outcomes of reports to `outbox`.

    Raises ValueError for a report of a post or comment that is missing in Postgres.
    """
    await _Pass(transaction, contents, new_account_ms, outbox).run(events)


class _Pass:
    """The changes of one batch to reports and cases."""

    def __init__(
        self, transaction: Transaction, contents: Contents, new_account_ms: int, outbox: NotificationOutbox
    ) -> None:
        self._transaction = transaction
        self._contents = contents
        self._new_account_ms = new_account_ms
        self._outbox = outbox
        self._cases = CaseChanges()
        self._stored: dict[Place, StoredReport] = {}

    def _counts(self, event: ReportsResolved) -> bool:
        """Returns whether a decision closes reports: it had an effect, and is not about the moderator's own content."""
        row = self._contents.rows.get(event.ref)
        own = (row.author_id if row else event.author_id) == event.actor_id
        return not own and (event.ref, event.version) not in self._contents.without_effect

    async def run(self, events: Sequence[ReportEvent]) -> None:
        reported = _last(event for event in events if isinstance(event, Reported))
        resolved = _last(event for event in events if isinstance(event, ReportsResolved) and self._counts(event))
        decisions = {event.ref: _Decision(event.status, event.version, event.reason) for event in resolved}
        deleted = [change.after for change in self._contents.changes if change.deleted_by]
        decisions |= {row.ref: _Decision(ReportStatus.MOOT, row.newest) for row in deleted}
        gone = {event.ref for event in reported if (row := self._contents.rows.get(event.ref)) and row.deleted}
        places = {(*event.ref, event.actor_id) for event in reported}
        if places or decisions:
            self._stored = await reports.lock(self._transaction, places, decisions.keys() | gone)
        # In one batch, a decision does not close the reports that came after it.
        early: list[Reported] = []
        late: list[Reported] = []
        for event in reported:
            decision = decisions.get(event.ref)
            (early if decision is None or event.version < decision.version else late).append(event)
        await self._store(early)
        closed = await self._close(decisions)
        await self._store(late)
        await self._close({ref: _Decision(ReportStatus.MOOT, _last_version(reported, ref)) for ref in gone})
        for event in resolved:
            if (count := closed[event.ref]) or not event.decides_content:
                self._log(event, count)
        for change in self._contents.changes:
            self._queue(change)
        for ref, appealed in self._contents.appealed.items():
            row = self._contents.rows[ref]
            self._cases.of(ref, _about(row), row.author_id, moment_of(row.newest)).appealed = appealed
        await self._cases.write(self._transaction)

    async def _store(self, events: Sequence[Reported]) -> None:
        """Stores reports, and counts those that are new or were closed."""
        if not events:
            return
        weights = await self._weights(events)
        new = []
        for event in events:
            before = self._stored.get((*event.ref, event.actor_id))
            if before and before.version >= event.version:
                continue
            about, author_id = self._subject(event)
            is_open = before is not None and before.status is ReportStatus.OPEN
            weight = before.weight if before and is_open else weights[event]
            from_ = network(event.trace.ip) if event.trace.ip else None
            if before and is_open:
                from_ = before.network  # its weight stays, too
            new.append(
                NewReport(event.ref, event.actor_id, author_id, event.version, event.reason, event.note, weight, from_)
            )
            if not is_open:
                change = self._cases.of(event.ref, about, author_id, moment_of(event.version))
                change.reports += 1
                change.weight += weight
        if new:
            await reports.write(self._transaction, new)

    def _subject(self, event: Reported) -> tuple[int, int | None]:
        """Returns the business that a report is about, and the author or owner of the target."""
        if event.ref.business_id not in (POSTS, COMMENTS):
            return event.about, event.author_id
        row = self._contents.rows.get(event.ref)
        if row is None:
            raise ValueError(f"{event.ref} has no row yet")
        return _about(row), row.author_id

    async def _weights(self, events: Sequence[Reported]) -> dict[Reported, int]:
        """Returns the weights of reports. Reports of one network in the batch count one after the other."""
        totals = await reports.made_in(self._transaction, {event.actor_id for event in events})
        places = {(event.ref, network(event.trace.ip)) for event in events if event.trace.ip}
        seen = await reports.open_by_network(self._transaction, places) if places else {}
        weights = {}
        for event in events:
            made, place = totals.get(event.actor_id, {}), (event.ref, network(event.trace.ip))
            reporter = Reporter(
                is_new=(event.version >> 20) - born_ms(event.actor_id) < self._new_account_ms,
                accepted=made.get(ReportStatus.ACCEPTED, 0),
                dismissed=made.get(ReportStatus.DISMISSED, 0),
                from_same_network=seen.get(place, 0),
            )
            weights[event] = rules.weight(reporter)
            if event.trace.ip:
                seen[place] = reporter.from_same_network + 1
        return weights

    async def _close(self, decisions: Mapping[EntityRef, _Decision]) -> Counter[EntityRef]:
        """Closes the open reports of these targets, and tells the reporters. Returns how many there were, by target."""
        if not decisions:
            return Counter()
        # A deletion closes all reports, a decision those that came before it.
        closed = await reports.close(
            self._transaction,
            {
                ref: (one.status, _LAST if one.status is ReportStatus.MOOT else one.version)
                for ref, one in decisions.items()
            },
        )
        for report in closed:
            status, version, reason = decisions[report.ref]
            change = self._cases.of(report.ref, report.ref.business_id, None, moment_of(version))
            change.reports -= 1
            change.weight -= report.weight
            self._outbox.report_decided(report.reporter_id, report.ref, version, _OUTCOMES[status] + reason)
        return Counter(report.ref for report in closed)

    def _log(self, event: ReportsResolved, count: int) -> None:
        """Adds to the moderation log that a moderator has decided about reports."""
        row, dismissed = self._contents.rows.get(event.ref), event.status is ReportStatus.DISMISSED
        action = ModerationAction.REPORTS_DISMISSED if dismissed else ModerationAction.REPORTS_ACCEPTED
        line = LogLine(
            moment=moment_of(event.version),
            action=action,
            role=ModerationRole.MODERATOR,
            actor_id=event.actor_id,
            ref=event.ref,
            user_id=row.author_id if row else event.author_id,
            before={"reports": count},
            after={"reports": 0},
            reason=event.reason,
        )
        self._contents.log.append(line)

    def _queue(self, change: Change[Any]) -> None:
        """Opens or resolves the case of a post or comment that waits for approval, or waited for it."""
        waits, waited = _waits(change.after), change.before is not None and _waits(change.before)
        if not waits and not waited:
            return
        row = change.after
        case = self._cases.of(row.ref, _about(row), row.author_id, moment_of(change.notification_version))
        if not waits:
            case.content = CaseSource(0)
        elif change.source or not waited:
            case.content = change.source or CaseSource.RULES


def _last_version(events: Iterable[Reported], ref: EntityRef) -> int:
    return max(event.version for event in events if event.ref == ref)


def _last(events: Iterable[Any]) -> list[Any]:
    """Returns the last event about each target: for reports, the last one of each reporter."""
    last = {
        (event.ref, event.actor_id if isinstance(event, Reported) else None): event
        for event in sorted(events, key=attrgetter("version"))
    }
    return sorted(last.values(), key=attrgetter("version"))


def _waits(row: PostRow | CommentRow) -> bool:
    return row.status is AuditStatus.PENDING and not row.deleted


def _about(row: PostRow | CommentRow) -> int:
    return row.subject_business if isinstance(row, CommentRow) else row.business_id
