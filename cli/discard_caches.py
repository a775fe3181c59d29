"""`plaudit discard-caches`: empties the caches, by letting workers begin with new cache keys."""

from settings import Settings
from state import opened
from store.write_log import write_mode


async def discard(settings: Settings) -> None:
    """Lets writes go directly to Postgres, and returns. Workers then store the changes that are still in the journals,
    and begin a new generation of keys, in which nothing is cached. Raises PostgresDown if Postgres does not answer.
    """
    async with opened(settings, "discard-caches", makes_ids=False) as state:
        await write_mode.discard_caches(state.postgres)
