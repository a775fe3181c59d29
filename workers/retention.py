"""Removes rows that are too old to keep, in batches with pauses. Only the owner of partition 0 does this."""

from collections.abc import Callable

from observability import metrics
from state import State
from store import old_rows
from store.backoff import rest
from store.old_rows import BATCH
from store.write_log.journal import version_at

_DAY_MS = 86_400_000
_PAUSE = 0.1
"""Seconds between two batches, so that about ten thousand rows are removed per second."""


async def sweep(state: State, is_leader: Callable[[], bool]) -> dict[str, int]:
    """Removes rows that are older than the settings allow. Returns the number of removed rows by table.

    Stops when `is_leader` returns false, because this worker no longer owns partition 0. Raises PostgresDown if
    Postgres is down; the call can then be repeated.
    """
    settings, now_ms = state.settings, state.now_ms()

    def since(days: float) -> int:
        return version_at(now_ms - int(days * _DAY_MS))

    first_day = int(now_ms / _DAY_MS - settings.daily_likes_days)
    due: dict[str, dict[str, object]] = {
        "records": {"before": since(settings.view_and_share_days)},
        "daily_likes": {"before": first_day, "businesses": sorted(state.businesses_by_id)},
        "traces": {"before": now_ms - int(settings.moderation.window * 1000)},
    }
    if settings.reaction_log_days:
        due["like_log"] = due["follow_log"] = {"before": since(settings.reaction_log_days)}
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
