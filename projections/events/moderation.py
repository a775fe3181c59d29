"""Events of reports, appeals, warnings and suspensions."""

from typing import Any, NamedTuple

from domain.moderation.reports import ReportReason, ReportStatus
from models.base import at
from models.counters import EntityRef
from models.users import SuspensionMode
from projections.events.fields import TEXTS, Parsers, ref_of, trace_of
from store.content.patches import APPEAL, REPORT, RESOLVE, SUSPEND, WARN
from store.write_log.journal import ClientTrace, Entry


class Reported(NamedTuple):
    """An event: a user reported a post, comment, user or entity."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The target."""
    about: int
    """The business of the subject for a comment, otherwise the business of the target."""
    author_id: int | None
    """The author or owner of the target; None for an entity without owner."""
    reason: ReportReason
    note: str | None
    trace: ClientTrace

    @property
    def settled(self) -> None:
        """Returns None, because a report is never pending."""


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
    """The author or owner of the target; None for an entity without owner, and if a post or comment was decided."""
    decides_content: bool = False
    """Whether the decision is about a post or comment, which also decides its reports."""

    @property
    def settled(self) -> None:
        """Returns None, because a decision is never pending."""


class Appealed(NamedTuple):
    """An event: the author of a rejected post or comment asked for another look."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    content_version: int
    """The version of the content that was rejected."""
    text: str

    @property
    def settled(self) -> None:
        """Returns None, because an appeal is never pending."""


class Warned(NamedTuple):
    """An event: a moderator warned a user."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The user."""
    reason: str

    @property
    def settled(self) -> None:
        """Returns None, because a warning is never pending."""


class Suspended(NamedTuple):
    """An event: a moderator suspended a user, or ended the suspension."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The user."""
    mode: SuspensionMode | None
    """What the suspension does; None if the event ends it."""
    until_ms: int | None
    """When the suspension ends, in milliseconds since the Unix epoch; None for one without an end."""
    reason: str | None

    @property
    def settled(self) -> None:
        """Returns None, because a suspension is never pending."""


def _parse_report(entry: Entry, data: dict[str, Any]) -> Reported:
    author, note = None if data["owner"] is None else int(data["owner"]), data["note"]
    if type(note) not in TEXTS:
        raise TypeError(f"{note!r} is not a text")
    actor, about, reason = int(data["actor"]), int(data["about"]), ReportReason(data["reason"])
    return Reported(entry.partition, entry.version, actor, ref_of(data), about, author, reason, note, trace_of(data))


def _parse_resolution(entry: Entry, data: dict[str, Any]) -> ReportsResolved:
    status = ReportStatus(data["status"])
    if status not in (ReportStatus.ACCEPTED, ReportStatus.DISMISSED):
        raise ValueError(f"a moderator cannot decide {status!r}")
    actor, author = int(data["actor"]), None if data["owner"] is None else int(data["owner"])
    return ReportsResolved(entry.partition, entry.version, actor, ref_of(data), status, f"{data['reason']}", author)


def _parse_appeal(entry: Entry, data: dict[str, Any]) -> Appealed:
    actor, content = int(data["actor"]), int(data["content"])
    return Appealed(entry.partition, entry.version, actor, ref_of(data), content, f"{data['text']}")


def _parse_warning(entry: Entry, data: dict[str, Any]) -> Warned:
    return Warned(entry.partition, entry.version, int(data["actor"]), ref_of(data), f"{data['reason']}")


def _parse_suspension(entry: Entry, data: dict[str, Any]) -> Suspended:
    mode = None if data["mode"] is None else SuspensionMode(data["mode"])
    until_ms = None if data["until"] is None else int(data["until"])
    if mode is None:
        return Suspended(entry.partition, entry.version, int(data["actor"]), ref_of(data), None, None, None)
    if until_ms is not None:
        at(until_ms)  # raises an error for a time that no row can have
    return Suspended(
        entry.partition, entry.version, int(data["actor"]), ref_of(data), mode, until_ms, f"{data['reason']}"
    )


PARSERS: Parsers[Reported | ReportsResolved | Appealed | Warned | Suspended] = {
    REPORT: _parse_report,
    RESOLVE: _parse_resolution,
    APPEAL: _parse_appeal,
    WARN: _parse_warning,
    SUSPEND: _parse_suspension,
}
"""The parser of each kind of journal entry."""
