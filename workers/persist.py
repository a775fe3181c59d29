"""Writes a batch of journal entries to Postgres, in one transaction with the heads of its partitions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import structlog
from sqlalchemy.exc import SQLAlchemyError

from models.counters import EntityRef
from observability import metrics
from projections import late_reapply
from projections.apply import apply
from projections.events import Event, Malformed, parse
from state import State
from store.postgres.client import is_refusal
from store.write_log import dead_letters
from store.write_log.journal import Entry
from store.write_log.partitions import advance_heads
from workers.partitions import Partition

log = structlog.get_logger(__name__)

Letters = list[tuple[Entry, str]]
EntryKey = tuple[int, int]
"""An entry's partition and version."""


@dataclass(frozen=True, slots=True)
class PersistedBatch:
    """The result of writing entries: the applied events, entities whose counters changed, and refused entries."""

    events: list[Event]
    moved: set[EntityRef]
    refused: list[Entry]

    def __add__(self, other: "PersistedBatch") -> "PersistedBatch":
        return PersistedBatch(self.events + other.events, self.moved | other.moved, self.refused + other.refused)


NOTHING = PersistedBatch([], set(), [])


async def persist(
    state: State, owned: Mapping[int, Partition], entries: Sequence[Entry], *, late: bool = False
) -> PersistedBatch:
    """Writes entries, which must be in order within their partitions and beyond their heads. Returns the result.

    If Postgres refuses a batch, halves it until the bad entry stands alone, and makes that a dead letter. Entries that
    are `late` are older than direct writes, which are reapplied after them.

    Raises Fenced if this worker has lost a partition, PostgresDown if it should try again. Then nothing of the failed
    part was written, and the heads say what was.
    """
    if not entries:
        return NOTHING
    try:
        return await _commit(state, owned, entries, None, late)
    except (SQLAlchemyError, ValueError, TypeError) as error:
        if isinstance(error, SQLAlchemyError) and not is_refusal(error):
            raise
        if len(entries) == 1:
            return await _commit(state, owned, entries, str(error), late)
        middle = len(entries) // 2
        written = await persist(state, owned, entries[:middle], late=late)
        return written + await persist(state, owned, entries[middle:], late=late)


async def _commit(
    state: State,
    owned: Mapping[int, Partition],
    entries: Sequence[Entry],
    refusal: str | None,
    late: bool,
) -> PersistedBatch:
    heads = {entry.partition: entry.version for entry in entries}
    with metrics.COMMIT_SECONDS.time():
        async with state.postgres.transaction() as transaction:
            moving = {p: (owned[p].epoch, owned[p].head, head) for p, head in heads.items()}
            direct = await advance_heads(transaction, moving)
            late = late or any(entry.version <= direct[entry.partition] for entry in entries)
            wanted = await late_reapply.without_repeated(transaction, entries) if late else entries
            events, letters = ([], [(entry, refusal) for entry in wanted]) if refusal else _parsed(wanted)
            await dead_letters.write(transaction, letters)
            moved = await apply(state, transaction, events)
            if late:
                await late_reapply.reapply(state, transaction, events)
    for p, head in heads.items():
        owned[p].head = head
    metrics.BATCH_ENTRIES.observe(len(entries))
    for entry, error in letters:
        metrics.DEAD_LETTERS.inc()
        log.error("dead letter", partition=entry.partition, version=entry.version, error=error)
    return PersistedBatch(events, moved, [entry for entry, _ in letters])


def _parsed(entries: Sequence[Entry]) -> tuple[list[Event], Letters]:
    events: list[Event] = []
    letters: Letters = []
    for entry in entries:
        try:
            events.append(parse(entry))
        except Malformed as error:
            letters.append((entry, str(error)))
    return events, letters
