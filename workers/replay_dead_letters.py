"""Applies dead letters again: journal entries that could not be stored, and may succeed now."""

from projections.apply import apply
from projections.registry import BY_TYPE, events_of
from state import State
from store.write_log import dead_letters, partition_leases
from store.write_log.dead_letters import DeadLetter
from workers.publish import publish
from workers.published_changes import remove_pending


async def apply_again(state: State, letter: DeadLetter) -> None:
    """Applies and publishes the journal entry of a dead letter. Then removes the dead letter, and the actor's pending
    change.

    If this function raises, the dead letter stays and can be tried again. Rows have versions, so an entry that was
    applied already, or is older than the row, changes nothing.
    """
    events = events_of(letter.entry)
    async with state.postgres.transaction() as transaction:
        await partition_leases.lock(transaction, letter.entry.partition)
        moved = await apply(state, transaction, events)
    await publish(state, events, moved)
    await remove_pending(state, [BY_TYPE[type(event)].pending(event) for event in events])
    async with state.postgres.transaction() as transaction:
        await dead_letters.remove(transaction, letter.entry)
