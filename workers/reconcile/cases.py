"""Compares the moderation queue with the posts and comments that wait for approval, and with open reports."""

from collections.abc import Sequence

from models.counters import EntityRef
from state import State
from store.reconcile import cases
from workers.reconcile.batches import Compare, RowKey, compare_rows


def compare(state: State) -> Compare:
    """Finds cases that differ from their target or reports, and targets that lack a case. Yields the results."""
    keysets = cases.CASES, cases.WAITING_POSTS, cases.WAITING_COMMENTS, cases.REPORTED
    return compare_rows(state, [("cases", keyset, _repair) for keyset in keysets])


async def _repair(state: State, places: Sequence[RowKey]) -> None:
    async with state.postgres.transaction() as transaction:
        await cases.repair(transaction, [EntityRef(*place) for place in places])
