"""The counts of transparency reports, as articles 15 and 24 of the Digital Services Act ask for.

Every count is one row: the part of the report, the indicator, its category, the value and its unit. To add counts, such
as those by another attribute of decisions, write a function like `_notices`, and call it in `counts`.
"""

import csv
import io
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import orjson

from domain.ids import born_ms
from domain.moderation.appeals import AppealStatus
from domain.moderation.reports import HIDDEN_BY_REPORTS, ReportReason, ReportStatus
from domain.moderation.statements import Restriction
from domain.moderation.verdicts import AuditStatus
from domain.versions import moment_ms
from models.counters import EntityRef
from models.moderation_log import LogRow, ModerationAction, ModerationRole
from settings import COLLECTIONS, COMMENTS, POSTS, USERS
from store.moderation import transparency
from store.moderation.transparency import Durations, Period
from store.postgres.client import Postgres

_AT_ONCE = 1000
"""How many decided appeals are looked up at once."""
COLUMNS = "part", "indicator", "category", "value", "unit"
_AUTOMATED = frozenset({ModerationRole.RULES, ModerationRole.REVIEWER, ModerationRole.SYSTEM})
_RESTRICTIONS = frozenset(
    {
        *(ModerationAction.HELD, ModerationAction.REJECTED, ModerationAction.DELETED),
        *(ModerationAction.WARNED, ModerationAction.SUSPENDED, ModerationAction.LABELED),
    }
)
_APPEALS = frozenset({ModerationAction.APPEAL_GRANTED, ModerationAction.APPEAL_DENIED})
_OUTCOMES = frozenset({Restriction.REPORT_ACCEPTED, Restriction.REPORT_DISMISSED})
"""The statements for reporters, which are no restrictions."""
_REASONS = tuple(ReportReason)
_NUMBER, _SECONDS = "number", "seconds"


class Count(NamedTuple):
    """A row of the report. `category` is empty for a total. `value` is None for a median of nothing."""

    part: str
    indicator: str
    category: str
    value: int | None
    unit: str = _NUMBER


async def counts(postgres: Postgres, period: Period) -> list[Count]:
    """Returns all counts of a period. Reads the moderation log of the period, and many rows of other tables."""
    decided = _Decided()
    async for lines in _decisions(transparency.decisions(postgres, period)):
        decided.add(lines)
        if len(decided.appeals) >= _AT_ONCE:
            await decided.look_up(postgres)
    await decided.look_up(postgres)
    return [
        *await _notices(postgres, period),
        *await _reports(postgres, period),
        *decided.restrictions(),
        *await _statements(postgres, period),
        *await _appeals(postgres, period, decided),
        *decided.suspensions(),
    ]


def as_csv(counts: Sequence[Count]) -> str:
    """Returns the counts as CSV. A value is empty for a median of nothing. A category that a spreadsheet would read as
    a formula begins with an apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(one._replace(category=_harmless(one.category)) for one in counts)
    return out.getvalue()


def _harmless(category: str) -> str:
    """Returns a text that a spreadsheet does not read as a formula. People without an account write the laws."""
    return f"'{category}" if category.startswith(("=", "+", "-", "@", "\t")) else category


async def _notices(postgres: Postgres, period: Period) -> Iterable[Count]:
    """Returns the counts of notices (articles 15 (1) b and 22)."""
    found, part = await transparency.notices(postgres, period), "notices"
    total, trusted = Counter[ReportStatus](), Counter[ReportStatus]()
    for (is_trusted, status), count in found.by_state.items():
        total[status] += count
        trusted[status] += count if is_trusted else 0
    named, named_trusted = sum(law.received for law in found.laws), sum(law.trusted for law in found.laws)
    return [
        Count(part, "notices received", "", total.total()),
        *(Count(part, "notices received", law.law, law.received) for law in found.laws),
        Count(part, "notices received", "(other laws)", total.total() - named),
        Count(part, "notices by trusted flaggers", "", trusted.total()),
        *(Count(part, "notices by trusted flaggers", law.law, law.trusted) for law in found.laws if law.trusted),
        Count(part, "notices by trusted flaggers", "(other laws)", trusted.total() - named_trusted),
        *(Count(part, "notices by state", status.name, total[status]) for status in ReportStatus),
        *(Count(part, "notices accepted", law.law, law.accepted) for law in found.laws if law.accepted),
        Count(part, "notices decided by automated means", "", 0),
        Count(part, "median time to decision", "", found.durations.median, _SECONDS),
        Count(part, "median time to decision", "trusted flaggers", found.trusted_durations.median, _SECONDS),
    ]


async def _reports(postgres: Postgres, period: Period) -> Iterable[Count]:
    """Returns the counts of the reports of signed-in users, by reason."""
    found, part = await transparency.reports(postgres, period), "reports of users"
    received = Counter[ReportReason]()
    for (reason, _), count in found.items():
        received[reason] += count

    return [
        Count(part, "reports received", "", received.total()),
        *(Count(part, "reports received", one.name, received[one]) for one in _REASONS),
        *(Count(part, "reports accepted", one.name, found.get((one, ReportStatus.ACCEPTED), 0)) for one in _REASONS),
        *(Count(part, "reports dismissed", one.name, found.get((one, ReportStatus.DISMISSED), 0)) for one in _REASONS),
    ]


async def _statements(postgres: Postgres, period: Period) -> Iterable[Count]:
    """Returns the counts of statements of reasons about restrictions, by ground (articles 17 and 15 (1) c)."""
    found, part = await transparency.statements(postgres, period), "statements of reasons"
    by_ground, automated, total = Counter[str](), Counter[str](), 0
    for (restriction, ground, is_automated), count in found.items():
        if restriction not in _OUTCOMES:
            total += count
            by_ground[ground] += count
            automated[ground] += count if is_automated else 0
    return [
        Count(part, "statements of reasons", "", total),
        *(Count(part, "statements of reasons", ground, by_ground[ground]) for ground in sorted(by_ground)),
        *(
            Count(part, "statements about automated decisions", ground, automated[ground])
            for ground in sorted(by_ground)
        ),
    ]


async def _appeals(postgres: Postgres, period: Period, decided: "_Decided") -> Iterable[Count]:
    """Returns the counts of appeals (article 15 (1) d)."""
    made, part = await transparency.appeals(postgres, period), "complaints"
    granted = decided.actions[ModerationAction.APPEAL_GRANTED]
    return [
        Count(part, "appeals received", "", sum(made.values())),
        Count(part, "appeals received", "closed by a change of the content", made.get(AppealStatus.MOOT, 0)),
        Count(part, "appeals decided", "GRANTED", granted),
        Count(part, "appeals decided", "DENIED", decided.actions[ModerationAction.APPEAL_DENIED]),
        Count(part, "decisions reversed", "", granted),
        Count(part, "median time to decision", "", decided.appeal_times.median, _SECONDS),
    ]


@dataclass
class _Decided:
    """The counts of the decisions that the moderation log has for a period."""

    actions: Counter[ModerationAction] = field(default_factory=Counter)
    appeals: list[LogRow] = field(default_factory=list)
    """The decided appeals whose times are not known yet."""
    appeal_times: Durations = field(default_factory=Durations)
    _number: Counter[str] = field(default_factory=Counter)
    _automated: Counter[str] = field(default_factory=Counter)
    _own_initiative: Counter[str] = field(default_factory=Counter)
    """All restrictions that nobody asked for, also those in `_detected`."""
    _detected: Counter[str] = field(default_factory=Counter)
    """Those of them whose content automated means found."""
    _times: defaultdict[str, Durations] = field(default_factory=lambda: defaultdict(Durations))
    _modes: Counter[str] = field(default_factory=Counter)

    def add(self, lines: Sequence[LogRow]) -> None:
        """Counts the lines of one decision."""
        asked = any(line.action is ModerationAction.REPORTS_ACCEPTED for line in lines)
        for line in lines:
            if line.after is None:  # the decision had no effect
                continue
            self.actions[line.action] += 1
            if line.action in _APPEALS:
                self.appeals.append(line)
            elif line.action in _RESTRICTIONS and not _removes_labels(line):
                self._restrict(line, asked=asked or line.reason == HIDDEN_BY_REPORTS)

    def _restrict(self, line: LogRow, *, asked: bool) -> None:
        kind = _kind(line)
        self._number[kind] += 1
        self._automated[kind] += line.role in _AUTOMATED
        self._own_initiative[kind] += not asked
        self._detected[kind] += not asked and _found_by_automated_means(line)
        if line.ref.business_id in (POSTS, COMMENTS):
            self._times[kind].add((moment_ms(line.moment) - born_ms(line.ref.entity_id)) / 1000)
        if line.action is ModerationAction.SUSPENDED:
            self._modes[str(orjson.loads(line.after or "{}").get("mode"))] += 1

    async def look_up(self, postgres: Postgres) -> None:
        """Adds the times of the decided appeals, from the appeal to the decision. Leaves out an appeal after which
        there was another one about the same post or comment.
        """
        made = await transparency.appealed_ms(postgres, {line.ref for line in self.appeals}) if self.appeals else {}
        for line in self.appeals:
            took = moment_ms(line.moment) - made.get(line.ref, 1 << 62)
            if took >= 0:
                self.appeal_times.add(took / 1000)
        self.appeals.clear()

    def restrictions(self) -> Iterator[Count]:
        """Yields the counts of restrictions by kind (article 15 (1) c and e)."""
        part = "restrictions"
        yield Count(part, "restrictions", "", self._number.total())
        yield Count("automated means", "restrictions by automated means", "", self._automated.total())
        yield Count("own initiative", "restrictions on own initiative", "", self._own_initiative.total())
        yield Count("own initiative", "own initiative found by automated means", "", self._detected.total())
        for kind in sorted(self._number):
            yield Count(part, "restrictions", kind, self._number[kind])
            yield Count("automated means", "restrictions by automated means", kind, self._automated[kind])
            yield Count("own initiative", "restrictions on own initiative", kind, self._own_initiative[kind])
            yield Count("own initiative", "own initiative found by automated means", kind, self._detected[kind])
        for kind, times in sorted(self._times.items()):
            yield Count(part, "median time since publication", kind, times.median, _SECONDS)

    def suspensions(self) -> Iterator[Count]:
        """Yields the counts of suspensions of users by mode (articles 23 and 24 (1) b)."""
        part = "suspensions"
        yield Count(part, "suspensions", "", self._modes.total())
        for mode in sorted(self._modes):
            yield Count(part, "suspensions", mode, self._modes[mode])
        yield Count(part, "suspensions ended early", "", self.actions[ModerationAction.REINSTATED])


def _kind(line: LogRow) -> str:
    """Returns the name of a restriction in the report."""
    others = {USERS: "PROFILE_REJECTED", COLLECTIONS: "MADE_PRIVATE"}
    name = line.action.name
    return others.get(line.ref.business_id, name) if line.action is ModerationAction.REJECTED else name


def _found_by_automated_means(line: LogRow) -> bool:
    """Returns whether automated means made a restriction that nobody asked for, or made the content wait before it."""
    waited = orjson.loads(line.before or "{}").get("status") == AuditStatus.PENDING.name
    return waited or line.role in _AUTOMATED


def _removes_labels(line: LogRow) -> bool:
    return line.action is ModerationAction.LABELED and not orjson.loads(line.after or "{}").get("labels")


async def _decisions(lines: AsyncIterator[LogRow]) -> AsyncIterator[list[LogRow]]:
    """Yields the lines of each moment and target: those of one decision. Lines must come in the order of moments."""
    moment, of_target = -1, dict[EntityRef, list[LogRow]]()
    async for line in lines:
        if line.moment != moment:
            for some in of_target.values():
                yield some
            moment, of_target = line.moment, {}
        of_target.setdefault(line.ref, []).append(line)
    for some in of_target.values():
        yield some
