"""Removes data that is too old to keep: in batches with pauses, and from the logs of likes and follows also as whole
table partitions. Only the worker that owns partition 0 does this.
"""

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from domain.versions import version_at
from models.uploads import STORED_WITHIN_MS
from observability import metrics
from observability.logs import Log
from projections import comments, posts
from settings import Settings
from state import State
from store import log_partitions, old_rows
from store.backoff import rest
from store.content import uploaded_files
from store.notifications import notifications
from store.write_log.lag import longest_lag_s

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
_TEXTS = frozenset({"post_texts", "comment_texts"})
"""The kinds of data with attachments."""
_PAUSE = 0.1
"""Seconds between two batches, so that about ten thousand rows are removed per second."""


def periods(settings: Settings) -> dict[str, float]:
    """Returns for how many days each kind of data (`store.old_rows.KINDS`) is kept; 0 for a kind that is kept forever.

    A row of a log is removed as a single row only if its table partition was not dropped in time: the first partition
    is longer than a week, and another database role may own the partitions.
    """
    kept = settings.retention
    log_days = kept.reaction_log_days and kept.reaction_log_days + _DROPPED_WITHIN_DAYS
    return {
        "post_clients": kept.client_days,
        "comment_clients": kept.client_days,
        "post_texts": kept.removed_text_days,
        "comment_texts": kept.removed_text_days,
        "edits": kept.removed_text_days,
        "uploads": kept.unused_upload_days if settings.images.uploads else 0,
        "reports": kept.report_days,
        "appeal_texts": kept.report_days,
        "statement_appeal_texts": kept.report_days,
        "notice_texts": kept.notice_days,
        "notifications": kept.notification_days,
        "claims": kept.idempotency_days,
        "records": kept.view_and_share_days,
        "daily_likes": _DAILY_LIKES_DAYS,
        "daily_reactions": _DAILY_LIKES_DAYS,
        "traces": settings.moderation.window * 1000 / _DAY_MS,
        **dict.fromkeys(log_partitions.LOGS, log_days),
    }


def due(state: State) -> dict[str, dict[str, Any]]:
    """Returns, by the kinds of data that are not kept forever, the parameters with which `store.old_rows` finds data
    that is too old.
    """
    now_ms = state.now_ms()
    found: dict[str, dict[str, Any]] = {
        kind: {"before_ms": max(0, now_ms - int(days * _DAY_MS))}
        for kind, days in periods(state.settings).items()
        if days
    }
    for kind in ("daily_likes", "daily_reactions"):
        found[kind]["businesses"] = sorted(state.businesses_by_id)
    return found


async def sweep(state: State, is_leader: Callable[[], bool]) -> dict[str, int]:
    """Removes data that is older than the settings allow. Returns the number of removed rows by kind.

    The kinds take turns, one batch each, so that a kind with much old data does not delay the others. A kind that
    cannot be removed is logged, and left to the next call. Stops when `is_leader` returns false, because this worker no
    longer owns partition 0.
    """
    wanted = due(state)
    removed, turns = dict.fromkeys(wanted, 0), deque(wanted)
    while turns and is_leader():
        kind = turns.popleft()
        try:
            batch = await _remove(state, kind, wanted[kind])
        except Exception as error:  # noqa: BLE001 - the other kinds may be removed
            log.warning("could not remove old rows", kind=kind, error=repr(error))
            continue
        removed[kind] += batch.removed
        if batch.is_full:
            turns.append(kind)
            await rest(_PAUSE)
    return removed


async def _remove(state: State, kind: str, parameters: dict[str, Any]) -> old_rows.Batch:
    """Removes a batch of data of a kind, counts it, and updates caches. Returns the batch. Raises PostgresDown;
    Unavailable if uploaded files must be deleted and their store does not answer, or RedisDown if journals do not.
    """
    if state.uploads and kind in _TEXTS:
        delete_files = partial(uploaded_files.delete_of, uploads=state.uploads, now_ms=state.now_ms())
        parameters = {**parameters, "delete_files": delete_files}
    elif kind == "uploads":
        if await longest_lag_s(state.redis, state.postgres, state.now_ms()) * 1000 >= STORED_WITHIN_MS:
            return old_rows.Batch(0, is_full=False)
        parameters = {**parameters, "uploads": state.uploads, "now_ms": state.now_ms()}
    batch = await old_rows.remove(state.postgres, kind, **parameters)
    metrics.RETENTION_REMOVED.labels(kind).inc(batch.removed)
    await _publish(state, kind, batch.touched)
    return batch


async def _publish(state: State, kind: str, touched: Sequence[Any]) -> None:
    """Updates or removes the cached values that a batch has changed: emptied posts and comments, and the notifications
    of users. Copies that are not reached, because Redis is down, expire within `content_days` of the business.
    """
    if not touched:
        return
    if kind == "notifications":
        await notifications.drop(state.cache, touched)
    elif kind == "post_texts":
        await posts.publish(state, touched)
    else:
        await comments.publish(state, touched)


async def measure(state: State, is_leader: Callable[[], bool]) -> None:
    """Exports, by kind of data, for how many seconds the oldest data has been too old; 0 if none is. Unless `is_leader`
    returns true, exports nothing.
    """
    wanted = due(state) if is_leader() else {}
    late: dict[str, float] = {}
    for kind, parameters in wanted.items():
        oldest_ms = await old_rows.oldest(state.postgres, kind, **parameters)
        late[kind] = 0.0 if oldest_ms is None else (parameters["before_ms"] - oldest_ms) / 1000
    metrics.RETENTION_OVERDUE.clear()
    for kind, seconds in late.items():
        metrics.RETENTION_OVERDUE.labels(kind).set(seconds)


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
    return version_at(max(0, state.now_ms() - int(days * _DAY_MS)))
