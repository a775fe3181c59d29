"""Parses journal entries into events. Each module has the events of one subject, and their parsers."""

import re
from collections import Counter
from collections.abc import Iterable

import orjson

from domain.moderation.reports import ReportStatus
from domain.moderation.verdicts import AuditStatus
from models.follows import FollowState
from observability import metrics
from projections.events import content, moderation, notifications, people, reactions
from projections.events.content import CommentSettingsChanged, ContentChanged, ModerationDecided, PinChanged
from projections.events.fields import Parsers
from projections.events.moderation import Appealed, Reported, ReportsResolved, Suspended, Warned
from projections.events.notifications import ReadMarked
from projections.events.people import Blocked, Followed, FollowerRemoved, Muted, ThreadMuted
from projections.events.reactions import ActionRecorded, CollectionChanged, Reacted, Saved
from store.write_log.journal import Entry

ContentEvent = ContentChanged | ModerationDecided
BoundaryEvent = Blocked | Muted | ThreadMuted | FollowerRemoved
ReportEvent = Reported | ReportsResolved
Event = (
    Reacted
    | Saved
    | CollectionChanged
    | Followed
    | ActionRecorded
    | ContentEvent
    | CommentSettingsChanged
    | PinChanged
    | ReadMarked
    | BoundaryEvent
    | ReportEvent
    | Appealed
    | Warned
    | Suspended
)
_OWN_COUNTER = re.compile(r"[1-9]\d{2,4}")
_PARSERS: Parsers[Event] = {
    **reactions.PARSERS,
    **people.PARSERS,
    **content.PARSERS,
    **moderation.PARSERS,
    **notifications.PARSERS,
}
"""The parser of each kind of entry. The kind of an action that a business counts is the id of its counter."""


class Malformed(ValueError):
    """Raised for an invalid journal entry. No version of Plaudit writes such entries."""


def parse(entry: Entry) -> Event:
    """Parses a journal entry. Returns its event. Raises Malformed if the entry is invalid."""
    try:
        kind = entry.fields[b"kind"].decode()
        if read := _PARSERS.get(kind) or (reactions.parse_action if _OWN_COUNTER.fullmatch(kind) else None):
            return read(entry, orjson.loads(entry.fields[b"data"]))
    except (KeyError, ValueError, TypeError, OverflowError) as error:
        raise Malformed(f"{type(error).__name__}: {error}") from error
    raise Malformed(f"unknown kind {kind!r}")


def events_of(entry: Entry) -> list[Event]:
    """Parses a journal entry. Returns its event and the changes that follow from it: a block ends a follow, and the
    decision of a moderator resolves the reports of its target. Raises Malformed if the entry is invalid.
    """
    event = parse(entry)
    if isinstance(event, Blocked) and event.unfollows:
        return [event, Followed(*event[:4], FollowState.NONE, indirect=True, trace=event.trace)]
    if isinstance(event, ModerationDecided) and event.by_moderator:
        status = ReportStatus.ACCEPTED if event.status is AuditStatus.REJECTED else ReportStatus.DISMISSED
        return [event, ReportsResolved(*event[:4], status, event.reason, decides_content=True)]
    return [event]


def count_stored(entries: Iterable[Entry], log: str) -> None:
    """Exports that these valid entries, which were acknowledged by this log, were committed to Postgres."""
    for kind, number in Counter(entry.fields[b"kind"] for entry in entries).items():
        name = kind.decode()
        metrics.ENTRIES_STORED.labels(name if name in _PARSERS else "action", log).inc(number)


def actor_of(entry: Entry) -> int:
    """Returns the id of the actor of a journal entry. Raises Malformed if the entry has none."""
    try:
        return int(orjson.loads(entry.fields[b"data"])["actor"])
    except (KeyError, ValueError, TypeError) as error:
        raise Malformed(f"{type(error).__name__}: {error}") from error
