"""Compares the two tables of blocks: one has the rows by blocker, the other by blocked user."""

from collections.abc import Sequence

from state import State
from store.people.boundary_rows import write_blocks
from store.reconcile.boundaries import BLOCKED_BY, BLOCKS, newest
from workers.reconcile.batches import Compare, RowKey, compare_rows


def compare(state: State) -> Compare:
    """Compares each row in the table of blockers with its counterpart in the table of blocked users, then the other way
    round. Yields the results.
    """
    return compare_rows(state, [("blocks", BLOCKS, _repair), ("blocks", BLOCKED_BY, _repair_blocked)])


async def _repair(state: State, pairs: Sequence[RowKey]) -> None:
    """Writes the newer row of each pair of blocker and blocked user to both tables, and removes the cached blocks and
    mutes of these users.
    """
    if not pairs:
        return
    async with state.postgres.transaction() as transaction:
        await write_blocks(transaction, await newest(transaction, [(pair[0], pair[1]) for pair in pairs]))
    await state.boundaries.forget({user for pair in pairs for user in pair})


async def _repair_blocked(state: State, pairs: Sequence[RowKey]) -> None:
    await _repair(state, [(blocker, blocked) for blocked, blocker in pairs])
