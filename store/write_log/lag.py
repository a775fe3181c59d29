"""The age of the oldest change that waits in a journal, for checks."""

from store.keys import Keys
from store.postgres.client import Postgres
from store.redis.client import Redis
from store.write_log import partition_leases
from store.write_log.journal import Journals


async def longest_lag_s(redis: Redis, postgres: Postgres, now_ms: int) -> float:
    """Returns the age, in seconds, of the oldest change that waits in a journal; 0 if none waits. Leaves out journals
    whose server does not answer.
    """
    heads = await partition_leases.every_head(postgres)
    sizes = await Journals(redis, Keys(len(heads))).sizes(heads)
    return max((size.lag_s(now_ms) for size in sizes.values()), default=0.0)
