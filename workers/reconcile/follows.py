"""Compares the lists of followers, followees and follow requests with the rows in `follows`, which has one row for each
pair of users. The lock of a pair's row also protects its list entries.
"""

from collections.abc import Sequence

from models.follows import Pair
from state import State
from store.people.follow_rows import write_lists, write_requests
from store.people.follows import drop_lists
from store.reconcile.follows import PAIRS, UNPAIRED, lock_pairs
from workers.reconcile.batches import Compare, RowKey, compare_rows


def compare(state: State) -> Compare:
    """Compares the list entries of every pair of users, then finds list entries without a pair. Yields the results."""
    return compare_rows(state, [("follow_lists", lists, _repair) for lists in (PAIRS, *UNPAIRED)])


async def _repair(state: State, people: Sequence[RowKey]) -> None:
    """Writes the list entries of these pairs of users again, and removes the cached lists of these users."""
    pairs = sorted({(min(pair), max(pair)) for pair in people})
    async with state.postgres.transaction() as transaction:
        locked = [_as_if_followed(pair) for pair in await lock_pairs(transaction, pairs)]
        await write_lists(transaction, locked)
        await write_requests(transaction, locked)
    users = {user for pair in pairs for user in pair}
    await drop_lists(state.cache, users)


def _as_if_followed(pair: Pair) -> Pair:
    """Returns the pair with a version of at least 1 in each direction. Version 0 says that a user never followed the
    other one, and wrong list entries of this direction would then stay.
    """
    return pair._replace(lo_version=pair.lo_version or 1, hi_version=pair.hi_version or 1)
