"""Compares the terms by which searches find users with the profiles and the counters of followers."""

from collections.abc import Sequence
from functools import partial

from state import State
from store.content import user_terms
from store.people import users
from store.reconcile.user_terms import USERS, drifting
from workers.reconcile.batches import Compare, Compared


async def compare(state: State) -> Compare:
    """Finds users whose terms or tiers are wrong. Yields the results."""
    async for rows in USERS.batches(state.postgres):
        wrong = await drifting(state.postgres, rows)
        yield Compared("user_terms", len(rows), len(wrong), partial(_repair, state, wrong))


async def _repair(state: State, ids: Sequence[int]) -> None:
    """Writes the terms of these users again. Locks their profiles, so that no user is renamed meanwhile."""
    for user_id in ids:
        async with state.postgres.transaction() as transaction:
            user = await users.lock(transaction, user_id)
            if user:
                await user_terms.rewrite(transaction, [user])
