"""Applies the events of a batch to the tables. Each projection writes the rows of its kinds of events, in the order of
`Projection.rank`. The moderation log, notifications, outgoing events and counters are written last.
"""

from collections.abc import Sequence

from models.counters import EntityRef
from projections import statements
from projections.batch import Batch
from projections.cpu_limit import limited, seconds_for
from projections.entries.statement_appeals import find_late
from projections.events import Event
from projections.registry import by_projection, events_of
from projections.statement_events import StatementAppealDecided
from state import State
from store.outgoing.new_events import NOT_TRACED, Traceparents
from store.postgres.client import Transaction
from store.write_log.journal import Entry, include


async def apply(
    state: State, transaction: Transaction, events: Sequence[Event], traceparents: Traceparents = NOT_TRACED
) -> set[EntityRef]:
    """Writes what the events change: rows, counters, events to be delivered as notifications, lines of the moderation
    log, and outgoing events. `traceparents` are those of the requests, by partition and version of the journal entry.
    Returns the objects whose counters changed.

    Raises TooSlow if the events take too much CPU time, ValueError for an event that cannot be applied. The caller must
    then roll the transaction back.
    """
    seconds = seconds_for(len({event.version for event in events}))
    return await limited(_apply(state, transaction, events, traceparents), seconds)


async def _apply(
    state: State, transaction: Transaction, events: Sequence[Event], traceparents: Traceparents
) -> set[EntityRef]:
    batch = Batch(state, transaction, events, traceparents)
    types = {type(event) for event in events}
    if StatementAppealDecided in types:
        await find_late(batch)
    for projection, some in by_projection(events).items():
        if some or not types.isdisjoint(projection.also):
            await projection.apply(batch, some)
    if batch.log or batch.changes or batch.statements or batch.content_appeals or batch.closed_content_appeals:
        await statements.write(batch)
    await batch.write()
    return batch.deltas.refs


async def apply_early(state: State, entry: Entry) -> None:
    """Writes one journal entry to Postgres before a worker reads it.

    When a worker applies the entry later, no row changes. If Redis loses the entry, workers notice that, and use no
    value that Redis has cached. Raises PostgresDown.
    """
    async with state.postgres.transaction() as transaction:
        await include(transaction, entry.partition, entry.version)  # locks the partition first, as batches do
        await apply(state, transaction, events_of(entry))
