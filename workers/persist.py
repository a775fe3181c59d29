"""Writes batches of journal entries to Postgres. One transaction writes a batch, and for each of its partitions the
version of the last stored entry (the head).
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy.exc import SQLAlchemyError

from domain.errors import PlauditError
from models import METADATA
from models.counters import EntityRef
from observability import metrics, tracing
from observability.logs import Log
from projections import late_reapply
from projections.apply import apply
from projections.events import Event
from projections.moderation import read_ahead
from projections.registry import Malformed, count_stored, events_of
from state import State
from store.outgoing.new_events import NOT_TRACED, Traceparents
from store.postgres.server import lock_for_writes
from store.write_log import dead_letters
from store.write_log.journal import Entry
from store.write_log.partition_leases import advance_heads
from workers.isolate_refused import Isolation
from workers.ownership import Partition

log = Log(__name__)

DeadLetters = list[tuple[Entry, str]]

_QUICK = 1.0
"""Postgres counts as taking writes if it commits a small write within this many seconds."""


@dataclass(frozen=True, slots=True)
class PersistedBatch:
    """The result of writing journal entries: the entries that are done, their applied events, the objects whose
    counters changed (`moved`), and the refused entries, which are dead letters now. `stuck` is the error of an entry
    that could not be written now, so that it and later entries of its partition still wait; None if there is none.
    """

    entries: list[Entry]
    events: list[Event]
    moved: set[EntityRef]
    refused: list[Entry]
    stuck: Exception | None = None

    def __add__(self, other: "PersistedBatch") -> "PersistedBatch":
        return PersistedBatch(
            self.entries + other.entries,
            self.events + other.events,
            self.moved | other.moved,
            self.refused + other.refused,
            self.stuck or other.stuck,
        )


NOTHING = PersistedBatch([], [], set(), [])


async def persist(
    state: State, owned: Mapping[int, Partition], entries: Sequence[Entry], *, late: bool = False
) -> PersistedBatch:
    """Writes journal entries to Postgres, and returns the result. `owned` has the partitions of the entries, by number;
    their heads move. The entries of a partition must be together, in order, and newer than its head.

    Entries that cannot be stored become dead letters (workers/isolate_refused.py). With `late`, the entries are older
    than direct writes, which are then reapplied after them.

    Raises Fenced if this worker has lost a partition, and PostgresDown if the call should be repeated. The heads of the
    partitions tell which entries were written before.
    """
    if not entries:
        return NOTHING
    isolation = Isolation(
        lambda batch, refusal: _commit(state, owned, batch, refusal, late),
        lambda batch: _takes_writes(state, owned, batch),
    )
    with tracing.batch("store", (entry.traceparent for entry in entries)):
        stuck = await isolation.run(entries)
    return replace(sum(isolation.results, NOTHING), stuck=stuck)


async def _takes_writes(state: State, owned: Mapping[int, Partition], entries: Sequence[Entry]) -> bool:
    """Returns whether Postgres takes writes now: to all tables, and to the partitions of these entries. Raises Fenced
    if this worker has lost a partition.
    """
    began, partitions = time.monotonic(), {entry.partition for entry in entries}
    try:
        async with state.postgres.transaction() as transaction:
            await lock_for_writes(transaction, METADATA.tables)
            await advance_heads(transaction, {p: (owned[p].epoch, owned[p].head, owned[p].head) for p in partitions})
    except (PlauditError, SQLAlchemyError):
        return False
    return time.monotonic() - began < _QUICK


async def _commit(
    state: State,
    owned: Mapping[int, Partition],
    entries: Sequence[Entry],
    refusal: str | None,
    late: bool,
) -> PersistedBatch:
    heads = {entry.partition: entry.version for entry in entries}
    events, letters = ([], [(entry, refusal) for entry in entries]) if refusal else parsed(entries)
    await read_ahead(state, events)
    with metrics.COMMIT_SECONDS.time():
        async with state.postgres.transaction() as transaction:
            moving = {p: (owned[p].epoch, owned[p].head, head) for p, head in heads.items()}
            direct = await advance_heads(transaction, moving)
            wanted = entries
            if late := late or any(entry.version <= direct[entry.partition] for entry in entries):
                wanted = await late_reapply.without_repeated(transaction, entries)
                names = {(one.partition, one.version) for one in wanted}
                events = [one for one in events if (one.partition, one.version) in names]
                letters = [(one, error) for one, error in letters if (one.partition, one.version) in names]
            if letters:
                await dead_letters.write(transaction, letters)
            moved = await apply(state, transaction, events, _traceparents(wanted))
            if late:
                await late_reapply.reapply(state, transaction, events)
    for p, head in heads.items():
        owned[p].head = head
    metrics.BATCH_ENTRIES.observe(len(entries))
    refused = {(entry.partition, entry.version) for entry, _ in letters}
    count_stored((one for one in wanted if (one.partition, one.version) not in refused), "journal")
    for entry, error in letters:
        metrics.DEAD_LETTERS.inc()
        log.error("dead letter", partition=entry.partition, version=entry.version, error=error)
    return PersistedBatch([*entries], events, moved, [entry for entry, _ in letters])


def _traceparents(entries: Iterable[Entry]) -> Traceparents:
    """Returns the traceparents of these entries, by partition and version; none if this process traces nothing."""
    if not tracing.tracer:
        return NOT_TRACED
    return {(one.partition, one.version): one.traceparent for one in entries if one.traceparent}


def parsed(entries: Iterable[Entry]) -> tuple[list[Event], DeadLetters]:
    """Returns two values: the events of these entries, and the invalid entries, each with its error."""
    events: list[Event] = []
    letters: DeadLetters = []
    for entry in entries:
        try:
            events += events_of(entry)
        except Malformed as error:
            letters.append((entry, str(error)))
    return events, letters
