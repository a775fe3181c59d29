"""The background tasks of a worker, such as renewing its leases of partitions, checking Redis and sending outgoing
events.
"""

from collections.abc import Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from store import log_partitions
from store.site import BEAT_S
from workers import journal_metrics, moderation_metrics, retention, reviews, suspensions
from workers.announcements import announce
from workers.bells import ring
from workers.deletions.run import delete_accounts, erase_entities, measure_deletions
from workers.empty_collections import empty_collections
from workers.hide_reported import hide_reported
from workers.holds import explain_holds
from workers.outgoing import delivery as outgoing
from workers.reconcile.run import keep_comparing
from workers.released import watch_other_site
from workers.repeating import repeat_every
from workers.search import index, measure_search
from workers.suggestions import refresh_suggestions
from workers.topic_recounts import recount_topics

if TYPE_CHECKING:
    from state import State
    from workers.worker import Worker

_CHECK_INTERVAL = 0.5
"""Seconds between two checks of Redis."""
_RETENTION_INTERVAL = 60.0
"""Seconds between two searches for data that is too old to keep, and between two measurements of how old it is."""
_SUSPENSIONS_INTERVAL = 60.0
"""Seconds between two searches for suspensions that have ended."""
_PARTITIONS_INTERVAL = 600.0
"""Seconds between two searches for a table partition of the logs of likes and follows that is missing or too old to
keep.
"""
_MODERATION_INTERVAL = 60.0
"""Seconds between two measurements of the moderation queue, of the index for search, and of the deletions of accounts
and entities.
"""
_MEASURE_INTERVAL = 5.0
"""Seconds between two measurements of the journals."""
_DEAD_LETTERS_INTERVAL = 10.0
"""Seconds between two counts of the dead letters."""
_HIDE_INTERVAL = 1.0
"""Seconds between two searches for posts and comments with many reports."""
_EXPLAIN_INTERVAL = 60.0
"""Seconds between two searches for posts and comments that have waited for approval for long."""
_EMPTY_INTERVAL = 0.5
"""Seconds between two steps that remove saves from deleted collections."""
_DELETE_INTERVAL = 0.5
"""Seconds between two steps that delete accounts, and between two steps that erase entities."""
_ANNOUNCE_INTERVAL = 0.5
"""Seconds between two steps that publish, change and delete the posts that announce entities."""
_RING_INTERVAL = 0.5
"""Seconds between two steps that notify users about new posts."""
_INDEX_INTERVAL = 0.5
"""Seconds between two steps that index posts, comments and entities for search."""
_SUGGEST_INTERVAL = 0.5
"""Seconds between two steps that compute suggestions of users to follow."""
_SITE_INTERVAL = 1.0
"""Seconds between two questions to the other one of two sites."""
_RECOUNT_INTERVAL = 0.5
"""Seconds between two steps that correct the post counts of topics."""


async def _beat(state: "State") -> None:
    """Lets a reading site know that it has all changes of cached values until now. Does nothing if there is one
    site, or while writes are direct.
    """
    if state.cache.log and not state.write_mode.current.direct:
        await state.cache.log.beat()


def tasks(worker: "Worker") -> Sequence[Coroutine[Any, Any, None]]:
    """Returns the background tasks of a worker, as coroutines to be run. None of them ends by itself."""
    state, is_leader = worker.state, worker.is_leader
    between = state.settings.partition_lease_seconds / 4
    measure = partial(journal_metrics.measure_journals, state, worker.ownership)
    measure_letters = partial(journal_metrics.measure_dead_letters, state, worker.ownership)
    measure_queue = partial(moderation_metrics.measure_moderation, state, is_leader)
    return (
        repeat_every(partial(_beat, state), BEAT_S, "could not append to the log of cache changes"),
        repeat_every(partial(watch_other_site, state), _SITE_INTERVAL, "could not ask the other site"),
        repeat_every(worker.renew, between, "could not renew leases"),
        repeat_every(measure, _MEASURE_INTERVAL, "could not measure journals"),
        repeat_every(measure_letters, _DEAD_LETTERS_INTERVAL, "could not count dead letters"),
        repeat_every(worker.direct_writes.check, _CHECK_INTERVAL, "could not check Redis"),
        repeat_every(worker.direct_writes.sweep, _CHECK_INTERVAL, "could not remove earlier generations"),
        repeat_every(partial(retention.sweep, state, is_leader), _RETENTION_INTERVAL, "could not remove old rows"),
        repeat_every(partial(retention.measure, state, is_leader), _RETENTION_INTERVAL, "could not measure old rows"),
        *(
            repeat_every(
                partial(retention.partition_log, table, state, is_leader),
                _PARTITIONS_INTERVAL,
                f"could not change the partitions of {table}",
            )
            for table in log_partitions.LOGS
        ),
        repeat_every(
            partial(suspensions.sweep, state, is_leader), _SUSPENSIONS_INTERVAL, "could not clear ended suspensions"
        ),
        repeat_every(measure_queue, _MODERATION_INTERVAL, "could not measure the moderation queue"),
        repeat_every(
            partial(hide_reported, state, is_leader), _HIDE_INTERVAL, "could not hide reported posts and comments"
        ),
        repeat_every(
            partial(explain_holds, state, is_leader), _EXPLAIN_INTERVAL, "could not give statements about long holds"
        ),
        repeat_every(
            partial(empty_collections, state, is_leader), _EMPTY_INTERVAL, "could not empty deleted collections"
        ),
        repeat_every(partial(announce, state, is_leader), _ANNOUNCE_INTERVAL, "could not announce entities"),
        repeat_every(partial(ring, state, is_leader), _RING_INTERVAL, "could not notify users about new posts"),
        repeat_every(partial(delete_accounts, state, is_leader, {}), _DELETE_INTERVAL, "could not delete accounts"),
        repeat_every(partial(erase_entities, state, is_leader), _DELETE_INTERVAL, "could not erase entities"),
        repeat_every(
            partial(measure_deletions, state, is_leader),
            _MODERATION_INTERVAL,
            "could not measure deletions",
        ),
        repeat_every(partial(recount_topics, state, is_leader), _RECOUNT_INTERVAL, "could not recount topics"),
        repeat_every(partial(index, state, is_leader), _INDEX_INTERVAL, "could not index for search"),
        repeat_every(
            partial(measure_search, state, is_leader), _MODERATION_INTERVAL, "could not measure the index for search"
        ),
        repeat_every(partial(refresh_suggestions, state), _SUGGEST_INTERVAL, "could not compute suggestions"),
        outgoing.run(state, lambda: list(worker.owned), lambda: worker.backlog),
        keep_comparing(state, is_leader),
        reviews.run(state, lambda: list(worker.owned)),
    )
