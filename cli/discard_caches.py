"""`plaudit discard-caches`: lets workers begin a new generation of keys, in which nothing is cached."""

from settings import Settings
from state import opened
from store.write_log import write_mode


async def discard(settings: Settings) -> None:
    """Makes writes direct. Workers then store what the journals still hold, and begin a new generation of keys. Raises
    PostgresDown if Postgres does not answer.
    """
    async with opened(settings, "discard-caches", makes_ids=False) as state:
        await write_mode.discard_caches(state.postgres)
