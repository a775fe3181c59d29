"""Applies events to the tables in the order of the projections. Then writes the log, notifications, outgoing events and
counters of the batch.
"""

from collections.abc import Sequence

from models.counters import EntityRef
from projections.batch import Batch
from projections.cpu_limit import limited, seconds_for
from projections.events import Event
from projections.registry import by_projection
from state import State
from store.outgoing.new_events import NOT_TRACED, Traceparents
from store.postgres.client import Transaction


async def apply(
    state: State, transaction: Transaction, events: Sequence[Event], traceparents: Traceparents = NOT_TRACED
) -> set[EntityRef]:
    """Writes the rows, untold events, lines of the moderation log, outgoing events and counter changes of events.
    `traceparents` are those of the requests, by partition and version of the journal entry. Returns the entities whose
    counters changed.

    Raises TooSlow if the events take too much CPU time, ValueError for an event that cannot be applied. The transaction
    must then be rolled back.
    """
    seconds = seconds_for(len({event.version for event in events}))
    return await limited(_apply(state, transaction, events, traceparents), seconds)


async def _apply(
    state: State, transaction: Transaction, events: Sequence[Event], traceparents: Traceparents
) -> set[EntityRef]:
    batch = Batch(state, transaction, events, traceparents)
    types = {type(event) for event in events}
    for projection, some in by_projection(events).items():
        if some or not types.isdisjoint(projection.also):
            await projection.apply(batch, some)
    await batch.write()
    return batch.deltas.refs
