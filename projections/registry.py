"""The list of all projections, and the parsing of journal entries into events."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

import orjson

from domain.packages import modules_of
from observability import metrics
from projections.entries import actions
from projections.events import Event
from projections.projection import Projection
from store.write_log.journal import Entry

PROJECTIONS: Sequence[Projection[Any]] = sorted(
    (module.PROJECTION for module in modules_of("projections.entries")), key=attrgetter("rank")
)
"""All projections, in the order in which a batch applies them: by rank, then by module name. Batches lock rows in this
order, against deadlocks.
"""
_OWN_COUNTER = re.compile(r"[1-9]\d{2,4}")
_PARSERS = {kind: parse for one in PROJECTIONS for kind, parse in one.parsers.items()}
BY_TYPE = {type_: one for one in PROJECTIONS for type_ in one.events}
"""The projection that applies the events of a type, by the type."""


class Malformed(ValueError):
    """Raised for an invalid journal entry. No version of Plaudit writes such entries."""


def events_of(entry: Entry) -> Sequence[Event]:
    """Parses a journal entry. Returns its event and the events that follow from it. Raises Malformed if the entry is
    invalid.
    """
    try:
        kind = entry.fields[b"kind"].decode()
        if parse := _PARSERS.get(kind) or (actions.parse if _OWN_COUNTER.fullmatch(kind) else None):
            return parse(entry, orjson.loads(entry.fields[b"data"]))
    except (KeyError, ValueError, TypeError, OverflowError) as error:
        raise Malformed(f"{type(error).__name__}: {error}") from error
    raise Malformed(f"unknown kind {kind!r}")


def by_projection(events: Iterable[Event]) -> dict[Projection[Any], list[Event]]:
    """Returns the events by the projection that applies them. The projections are in the order in which a batch applies
    them; one without events has an empty list.
    """
    found: dict[Projection[Any], list[Event]] = {one: [] for one in PROJECTIONS}
    for event in events:
        found[BY_TYPE[type(event)]].append(event)
    return found


def count_stored(entries: Iterable[Entry], log: str) -> None:
    """Adds these entries, which were committed to Postgres, to the metric of stored entries. Expects valid entries.
    `log` is the write log that acknowledged them: `journal` or `direct`.
    """
    for kind, number in Counter(entry.fields[b"kind"] for entry in entries).items():
        name = kind.decode()
        metrics.ENTRIES_STORED.labels(name if name in _PARSERS else "action", log).inc(number)


def actor_of(entry: Entry) -> int:
    """Returns the id of the actor of a journal entry. Raises Malformed if the entry has none."""
    try:
        return int(orjson.loads(entry.fields[b"data"])["actor"])
    except (KeyError, ValueError, TypeError) as error:
        raise Malformed(f"{type(error).__name__}: {error}") from error
