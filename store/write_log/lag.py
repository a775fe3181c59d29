"""The age of the oldest change that waits in a journal to be stored in Postgres, for checks."""

from store.keys import Keys
from store.postgres.client import Postgres
from store.redis.client import Redis, RedisDown
from store.write_log import journal


async def longest_lag_s(redis: Redis, postgres: Postgres, now_ms: int) -> float:
    """Returns the age, in seconds, of the oldest change that waits in a journal to be stored; 0 if none waits. `now_ms`
    is the current time, in milliseconds since the Unix epoch. Raises RedisDown if the server of a journal does not
    answer.
    """
    heads = await journal.heads(postgres)
    sizes = await journal.Journals(redis, Keys(len(heads))).sizes(heads)
    if len(sizes) < len(heads):
        raise RedisDown
    return max((size.lag_s(now_ms) for size in sizes.values()), default=0.0)
