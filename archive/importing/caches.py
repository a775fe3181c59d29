"""Drops cached copies that an import has made old, and that `plaudit reconcile` does not compare."""

from state import State
from store.reconcile.batches import BATCH
from store.reconcile.cached import kind_of, scan

_KINDS = frozenset({"inbox", "followed_by", "board", "hot", "hot_comments", "recommended", "identity"})
"""Inboxes, answers to "does this user follow that one?", lists that are ordered by likes, and unknown identities."""


async def drop(state: State) -> None:
    """Drops all cached inboxes and other copies of these kinds. Readers fill them again. Raises RedisDown."""
    async for _, keys in scan(state.cache.redis, BATCH):
        await state.cache.drop([key for key in keys if kind_of(key) in _KINDS])
