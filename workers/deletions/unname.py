"""Removes a deleted user from the notifications of other users."""

from collections.abc import Collection, Sequence

from state import State
from store.backoff import rest
from store.groups import chunks
from store.notifications import notifications
from store.people import account_rows
from store.postgres.client import again_after_deadlock

_RECIPIENTS = 50
"""The most users whose notifications one transaction changes. It locks them against the delivery of new ones."""
_PAUSE = 0.05
"""Seconds between two transactions, so that the changes of other users do not wait."""


async def unname(state: State, user_id: int, others: Collection[int]) -> None:
    """Removes a user from the notifications of the users `others`, also from cached copies. Raises PostgresDown or
    RedisDown; the call can then be repeated.
    """
    for some in chunks(sorted(others), _RECIPIENTS):

        async def write(some: Sequence[int] = some) -> None:
            async with state.postgres.transaction() as transaction:
                await account_rows.unname(transaction, user_id, some)

        await again_after_deadlock(write)
        await state.cache.drop({notifications.CODEC.key(other) for other in some})
        await rest(_PAUSE)
