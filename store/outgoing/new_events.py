"""Writes outgoing events, which are sent to webhooks and Redis streams: changes of rows, stored in the transaction that
makes them.

Input: changes that really happened. Output: one row of `outgoing_events` for each change that a destination wants. Each
row gets a position in its partition. A transaction that writes events locks the newest position (the head) of each of
their partitions until it commits, so positions follow the order of commits, and a reader that has seen a position has
seen all before it. Therefore a transaction writes its events after all other rows, except counters.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from operator import attrgetter
from typing import Any, NamedTuple

import orjson
from sqlalchemy import text

from store.groups import grouped
from store.outgoing.event_kinds import EventKind
from store.postgres.client import Transaction
from store.postgres.columns import columns

Traceparents = Mapping[tuple[int, int], bytes]
"""The traceparents of journal entries, by partition and version."""
NOT_TRACED: Traceparents = {}
ROW_BYTES = 100
"""About how many bytes a row takes in addition to its JSON."""

_FILTERS = text("SELECT kinds, businesses FROM event_destinations")
# `excluded.added` is the number of events. The first position is later than the last one of the partition and, if
# clocks allow it, the current time in microseconds.
_HEADS = text("""
    INSERT INTO outgoing_heads AS h (p, position, added, bytes)
    SELECT p, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint + added, added, bytes
    FROM unnest(CAST(:ps AS smallint[]), CAST(:counts AS bigint[]), CAST(:sizes AS bigint[])) AS w(p, added, bytes)
    ON CONFLICT (p) DO UPDATE SET
        position = greatest(h.position + excluded.added, excluded.position),
        added = excluded.added, bytes = h.bytes + excluded.bytes
    RETURNING p, position, bytes
""")
_STORE = text("""
    INSERT INTO outgoing_events (p, position, kind, business_id, version, object, data, bytes_through)
    SELECT * FROM unnest(CAST(:ps AS smallint[]), CAST(:positions AS bigint[]), CAST(:kinds AS smallint[]),
                         CAST(:businesses AS smallint[]), CAST(:versions AS bigint[]), CAST(:objects AS text[]),
                         CAST(:datas AS bytea[]), CAST(:throughs AS bigint[]))
""")


class NewEvent(NamedTuple):
    """An event to store: its kind, the key and version of the changed row, and what the event says about the change
    (`data`). If `version` is 0, the event's position becomes its version.
    """

    kind: EventKind
    user_id: int
    """The id of the user, post, comment or entity whose partition has the event."""
    business_id: int
    version: int
    key: Sequence[object]
    """The key of the changed row."""
    data: Mapping[str, Any]


class OutgoingEvents:
    """Collects the outgoing events of a transaction, and stores those that a destination wants. `partition_of` returns
    the partition for an id (see `add`). `traceparents` are stored with the events of their journal entries.
    """

    def __init__(self, partition_of: Callable[[int], int], traceparents: Traceparents = NOT_TRACED) -> None:
        self._partition_of = partition_of
        self._traceparents = traceparents
        self._events: list[NewEvent] = []

    def add(
        self, kind: EventKind, user_id: int, business_id: int, version: int, key: Sequence[object], **data: Any
    ) -> None:
        """Adds the event that the row with this key has changed. `user_id` is the id of a user, post, comment or
        entity; events with the same id are sent in order. `version` is the version of the row; 0 if rows of this kind
        have none that can be compared: then the event's position becomes its version. `data` is what the event stores
        about the change.
        """
        self._events.append(NewEvent(kind, user_id, business_id, version, key, data))

    async def write(self, transaction: Transaction) -> None:
        """Stores the added events that a destination wants. Reads the destinations in the transaction, so a new
        destination gets all events of transactions that begin after it was added.
        """
        if not self._events:
            return
        filters = [tuple(map(frozenset, row)) for row in await transaction.execute(_FILTERS)]
        wanted = [
            event
            for event in self._events
            if any(
                (not kinds or event.kind.number in kinds) and (not businesses or event.business_id in businesses)
                for kinds, businesses in filters
            )
        ]
        if wanted:
            if self._traceparents:
                wanted = [self._traced(event) for event in wanted]
            wanted.sort(key=attrgetter("version"))
            await _store(transaction, grouped((self._partition_of(event.user_id), event) for event in wanted))

    def _traced(self, event: NewEvent) -> NewEvent:
        """Returns the event with the traceparent (the trace context) of the journal entry that has caused it, if the
        entry has one.
        """
        traceparent = self._traceparents.get((self._partition_of(event.user_id), event.version))
        return (
            event._replace(data={**event.data, "traceparent": traceparent.decode("latin-1")}) if traceparent else event
        )


async def _store(transaction: Transaction, by_partition: Mapping[int, Sequence[NewEvent]]) -> None:
    """Stores events, given by partition, in the given order. Locks the partitions in order of their numbers, against
    deadlocks.
    """
    rows: list[tuple[Any, ...]] = []
    heads: list[tuple[int, int, int]] = []
    encoded = {p: [orjson.dumps(event.data) for event in events] for p, events in sorted(by_partition.items())}
    sizes = {p: [len(data) + ROW_BYTES for data in datas] for p, datas in encoded.items()}
    heads = [(p, len(some), sum(some)) for p, some in sizes.items()]
    for p, position, total in await transaction.execute(_HEADS, **columns(heads, "ps", "counts", "sizes")):
        first, before = position - len(encoded[p]) + 1, total - sum(sizes[p])
        through = accumulate(sizes[p], initial=before)
        next(through)
        for place, (event, data, bytes_through) in enumerate(
            zip(by_partition[p], encoded[p], through, strict=True), first
        ):
            object_ = ".".join(map(str, event.key))
            rows.append((p, place, event.kind.number, event.business_id, event.version, object_, data, bytes_through))
    names = "ps", "positions", "kinds", "businesses", "versions", "objects", "datas", "throughs"
    await transaction.execute(_STORE, **columns(rows, *names))
