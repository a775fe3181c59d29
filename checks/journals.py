"""Checks that workers store changes soon. Changes wait in journals, which are Redis streams, until a worker stores them
in Postgres.
"""

from collections.abc import Callable

from sqlalchemy.exc import DBAPIError

from checks.findings import Finding, Severity, assess
from store.postgres.client import Postgres, PostgresDown
from store.redis.client import Redis, RedisDown
from store.write_log.lag import longest_lag_s

_LAG_S = 5.0
"""The longest time, in seconds, that a change usually waits in its journal."""


async def findings(redis: Redis, database: Postgres, now_ms: Callable[[], int]) -> list[Finding]:
    """Returns one finding: how long the oldest change in the journals has waited. Returns none if a store does not
    answer or has no tables, which other checks report.
    """
    try:
        lag = await longest_lag_s(redis, database, now_ms())
    except (RedisDown, PostgresDown, DBAPIError):
        return []
    fact = f"the oldest change that waits in a journal is {lag:.0f} s old" if lag else "no change waits in a journal"
    because = "workers are stopped or too slow: PlauditJournalLag, docs/operate/monitor.md"
    return [assess("journals.lag", lag < _LAG_S, Severity.WARNING, fact, because)]
