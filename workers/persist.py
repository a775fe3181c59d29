"""Writes batches of journal entries to Postgres. A transaction writes a batch and the heads of its partitions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from models.counters import EntityRef
from observability import metrics, tracing
from observability.logs import Log
from projections import late_reapply
from projections.apply import apply
from projections.events import Event, Malformed, count_stored, events_of
from projections.moderation import read_ahead
from state import State
from store.outgoing.outbox import NOT_TRACED, Traceparents
from store.write_log import dead_letters
from store.write_log.journal import Entry
from store.write_log.partition_leases import advance_heads
from workers.cpu_limit import limited
from workers.isolate_refused import isolate
from workers.ownership import Partition

log = Log(__name__)

DeadLetters = list[tuple[Entry, str]]

_CPU_OF_ONE, _CPU_OF_EACH = 0.25, 0.0002
"""The most seconds of CPU time between two waits of a commit: for a single entry, and for each of several entries. A
batch that takes longer is halved until the slow entry is alone.
"""
_CPU_OF_BATCH = 0.05
"""The seconds of CPU time that a batch of several entries may take beyond those for its entries."""


@dataclass(frozen=True, slots=True)
class PersistedBatch:
    """The result of writing entries: the entries, the applied events, the entities whose counters changed, and the
    refused entries.
    """

    entries: list[Entry]
    events: list[Event]
    moved: set[EntityRef]
    refused: list[Entry]

    def __add__(self, other: "PersistedBatch") -> "PersistedBatch":
        return PersistedBatch(
            self.entries + other.entries,
            self.events + other.events,
            self.moved | other.moved,
            self.refused + other.refused,
        )


NOTHING = PersistedBatch([], [], set(), [])


async def persist(
    state: State, owned: Mapping[int, Partition], entries: Sequence[Entry], *, late: bool = False
) -> PersistedBatch:
    """Writes journal entries to Postgres, and returns the result. The entries of a partition must be in order, and
    newer than its head.

    Entries that cannot be stored become dead letters (workers/isolate_refused.py). `late` tells that the entries are
    older than direct writes, which are then reapplied after them.

    Raises Fenced if this worker has lost a partition, and PostgresDown if the call should be repeated. The batch that
    failed was not written. The heads of the partitions tell which entries were written before.
    """
    if not entries:
        return NOTHING
    with tracing.batch("store", (entry.traceparent for entry in entries)):
        written = await isolate(
            lambda batch, refusal: _commit(state, owned, batch, refusal, late), state.postgres.answers, entries
        )
    return sum(written, NOTHING)


def _cpu_seconds(entries: int) -> float:
    return _CPU_OF_ONE if entries == 1 else _CPU_OF_BATCH + _CPU_OF_EACH * entries


async def _commit(
    state: State,
    owned: Mapping[int, Partition],
    entries: Sequence[Entry],
    refusal: str | None,
    late: bool,
) -> PersistedBatch:
    heads = {entry.partition: entry.version for entry in entries}
    events, letters = _parsed(entries, refusal)
    seconds = _cpu_seconds(len(entries))
    await limited(read_ahead(state, events), seconds)
    with metrics.COMMIT_SECONDS.time():
        async with state.postgres.transaction() as transaction:
            moving = {p: (owned[p].epoch, owned[p].head, head) for p, head in heads.items()}
            direct = await advance_heads(transaction, moving)
            late = late or any(entry.version <= direct[entry.partition] for entry in entries)
            wanted = entries
            if late:
                wanted = await late_reapply.without_repeated(transaction, entries)
                events, letters = _parsed(wanted, refusal)
            await dead_letters.write(transaction, letters)
            moved = await limited(apply(state, transaction, events, _traceparents(wanted)), seconds)
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
    """Returns the traceparents of these entries; none if this process traces nothing."""
    if not tracing.tracer:
        return NOT_TRACED
    return {(one.partition, one.version): one.traceparent for one in entries if one.traceparent}


def _parsed(entries: Sequence[Entry], refusal: str | None) -> tuple[list[Event], DeadLetters]:
    return ([], [(entry, refusal) for entry in entries]) if refusal else parsed(entries)


def parsed(entries: Iterable[Entry]) -> tuple[list[Event], DeadLetters]:
    """Returns the events of these entries, and the malformed entries with their errors."""
    events: list[Event] = []
    letters: DeadLetters = []
    for entry in entries:
        try:
            events += events_of(entry)
        except Malformed as error:
            letters.append((entry, str(error)))
    return events, letters
