"""Removes rows that are too old to keep: in batches with pauses, and in the logs of likes and follows also as whole
table partitions. Only the worker that owns partition 0 does this.
"""

from collections.abc import Callable
from functools import partial

from domain.versions import version_at
from observability import metrics
from observability.logs import Log
from state import State
from store import log_partitions, old_rows
from store.backoff import rest
from store.old_rows import BATCH

log = Log(__name__)
_DAY_MS = 86_400_000
_WEEKS_AHEAD = 4
"""For how many weeks in advance the logs of likes and follows have table partitions."""
_DAILY_LIKES_DAYS = 30
"""Days for which the counts of likes per day are kept. Leaderboards need the last seven; the rest lets an operator look
at a whole month.
"""
_DROPPED_WITHIN_DAYS = 8
"""Days for which a row of a log that is too old may stay before it is deleted by its key. Normally it is gone by then:
a table partition has the rows of a week and is dropped when all of them are too old. One more day is left for that.
"""
_PAUSE = 0.1
"""Seconds between two batches, so that about ten thousand rows are removed per second."""


async def sweep(state: State, is_leader: Callable[[], bool]) -> dict[str, int]:
    """Removes rows that are older than the settings allow. Returns the number of removed rows by table.

    A row of a log is removed here only if its table partition was not dropped in time: the first partition is longer
    than a week, and another database role may own the partitions. Stops when `is_leader` returns false, because this
    worker no longer owns partition 0. Raises PostgresDown if Postgres is down; the call can then be repeated.
    """
    since, now_ms = partial(_since, state), state.now_ms()
    kept = state.settings.retention

    first_day = int(now_ms / _DAY_MS - _DAILY_LIKES_DAYS)
    due: dict[str, dict[str, object]] = {
        "records": {"before": since(kept.view_and_share_days)},
        "daily_likes": {"before": first_day, "businesses": sorted(state.businesses_by_id)},
        "traces": {"before": now_ms - int(state.settings.moderation.window * 1000)},
    }
    if kept.reaction_log_days:
        due["like_log"] = due["follow_log"] = {"before": since(kept.reaction_log_days + _DROPPED_WITHIN_DAYS)}
    removed = dict.fromkeys(due, 0)
    for table, parameters in due.items():
        while is_leader():
            batch = await old_rows.remove(state.postgres, table, **parameters)
            metrics.SWEPT.labels(table).inc(batch)
            removed[table] += batch
            if batch < BATCH:
                break
            await rest(_PAUSE)
    return removed


async def partition_log(table: str, state: State, is_leader: Callable[[], bool]) -> None:
    """Drops the oldest table partition of the log `table` (likes or follows) if its rows are all older than
    `reaction_log_days`, and this setting is not 0. Creates the next partition in advance. Does at most one of each, so
    that a wrong clock does limited harm.

    Does nothing if `is_leader` returns false. Raises PostgresDown if Postgres is down or the log is in use for too
    long; the call can then be repeated.
    """
    postgres, days = state.postgres, state.settings.retention.reaction_log_days
    until, before = _since(state, -7 * _WEEKS_AHEAD), _since(state, days)
    if is_leader() and days and (name := await log_partitions.drop_oldest(postgres, table, before)):
        log.info("dropped a partition", table=name, older_than_days=days)
    if is_leader() and (name := await log_partitions.create_next(postgres, table, until)):
        log.info("created a partition", table=name)


def _since(state: State, days: float) -> int:
    """Returns the lowest version that a change made `days` days ago can have."""
    return version_at(state.now_ms() - int(days * _DAY_MS))
