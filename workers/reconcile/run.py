"""A reconciliation run: compares every kind of derived value with its rows, batch by batch, and repairs wrong values if
`repair` is set.

`plaudit reconcile` starts runs. The owner of partition 0 starts runs regularly, without repairs. The totals by kind are
stored (`store/reconcile/last_run.py`) and exported as `plaudit_drift`.
"""

import time
from collections.abc import Callable, Collection, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial

from observability import metrics
from observability.logs import Log
from settings import Settings
from state import State, opened
from store.backoff import rest
from store.postgres.client import again_after_deadlock
from store.reconcile import last_run
from store.reconcile.cached import kind_of, own_kind_of
from workers.reconcile import (
    boundaries,
    cached,
    cached_lists,
    cached_values,
    cases,
    comments,
    counters,
    follows,
    notifications,
    own_sets,
    posts,
    search,
    user_terms,
)
from workers.reconcile.batches import Compare, Compared
from workers.reconcile.pace import LONGEST_HOURS, Pace, estimate

log = Log(__name__)

_STATEMENT_TIMEOUT = 60.0
"""Seconds that one statement may take, because it may count very many likes of one entity."""
_CHECK_INTERVAL = 60.0
"""Seconds between two checks whether a run is due."""


@dataclass(slots=True)
class KindTotal:
    """The totals of one kind of derived value: the number of compared keys, and the number whose values drift (differ
    from the rows).
    """

    keys: int = 0
    drifting: int = 0


@dataclass(slots=True)
class ReconcileRun:
    """A run of reconciliation. `repair` tells whether it repairs wrong values. `only` are the names of the parts that
    it compares (all if empty). `rate` is the most keys per second; if all keys would take more than `hours` hours at
    this rate, the run compares more per second.

    `report` is called when the run begins, without a kind, and after each batch, with the kind of the batch's keys and
    its total.
    """

    repair: bool = False
    only: Collection[str] = ()
    rate: float | None = None
    hours: float | None = None
    report: Callable[[Pace, str | None, KindTotal], None] | None = None
    totals: dict[str, KindTotal] = field(default_factory=dict)

    async def execute(self, state: State) -> dict[str, KindTotal]:
        """Compares all chosen parts, and stores the result, except at a reading site. Returns the totals by
        kind.

        Does not store the result of a full run without repairs if another full run has ended in the meantime, because
        that run may have repaired wrong values. Raises PostgresDown or RedisDown if a store is down; batches that were
        repaired before stay repaired.
        """
        since = None if self.only or self.repair else await last_run.read_end(state.postgres)
        pace = await self._begin(state)
        for compare in self._parts.values():
            async with aclosing(compare(state)) as batches:
                async for compared in batches:
                    await self._take(pace, compared)
        drift = {kind: 0 if self.repair else total.drifting for kind, total in self.totals.items()}
        if state.write_mode.takes_writes:
            await last_run.remember(state.postgres, drift, whole=not self.only, since=since)
        drifting = sum(total.drifting for total in self.totals.values())
        seconds = round(time.monotonic() - pace.began)
        log.info("reconciliation ended", keys=pace.compared, drifting=drifting, seconds=seconds)
        return self.totals

    @property
    def _parts(self) -> dict[str, Callable[[State], Compare]]:
        return {name: compare for name, compare in PARTS.items() if not self.only or name in self.only}

    async def _begin(self, state: State) -> Pace:
        """Estimates the number of keys and chooses the limit of keys per second. Logs and reports how long the run will
        take. Returns the pace of the run.
        """
        keys = await estimate(state, self._parts)
        rate = max(self.rate, keys / (self.hours * 3600)) if self.rate and self.hours else self.rate
        pace = Pace(keys, rate)
        hours = None if pace.expected_seconds is None else round(pace.expected_seconds / 3600, 2)
        log.info("reconciliation begins", keys=keys, keys_per_second=rate and round(rate), hours=hours)
        if self.report:
            self.report(pace, None, KindTotal())
        return pace

    async def _take(self, pace: Pace, compared: Compared) -> None:
        if compared.kind is not None:
            total = self.totals.setdefault(compared.kind, KindTotal())
            total.keys += compared.keys
            total.drifting += compared.drifting
            if self.report:
                self.report(pace, compared.kind, total)
        if compared.drifting and self.repair:
            # On Citus, a repair and a worker may lock rows of several shards in different orders.
            await again_after_deadlock(compared.repair)
        await pace.rest_after(compared.keys)


def _caches(state: State) -> Compare:
    find_mismatches = {**cached_values.FINDERS, **cached_lists.FINDERS}
    return cached.compare(state, state.cache.redis, kind_of, find_mismatches, state.cache.drop)


def _own_sets(state: State) -> Compare:
    return cached.compare(state, state.redis, own_kind_of, own_sets.FINDERS, partial(own_sets.drop, state))


PARTS: Mapping[str, Callable[[State], Compare]] = {
    "follows": follows.compare,
    "blocks": boundaries.compare,
    "posts": posts.compare,
    "comments": comments.compare,
    "search": search.compare,
    "cases": cases.compare,
    "counters": counters.compare,
    "notifications": notifications.compare,
    "user_terms": user_terms.compare,
    "caches": _caches,
    "sets": _own_sets,
}
"""The parts of a run by name, in their order: counters follow the rows that they count, and caches follow the values
that they copy.
"""


async def run(settings: Settings, run: ReconcileRun) -> dict[str, KindTotal]:
    """Executes a run with connections of its own, whose statements may take longer than those of requests. Returns the
    totals.
    """
    patient = settings.model_copy(update={"database_timeout": max(_STATEMENT_TIMEOUT, settings.database_timeout)})
    async with opened(patient, "reconcile", makes_ids=False) as state:
        return await run.execute(state)


async def keep_comparing(state: State, is_leader: Callable[[], bool]) -> None:
    """Starts a run without repairs each time `reconcile.interval` seconds after the last run of any worker has ended,
    while `is_leader` returns true. Exports how many values the last run found wrong. Returns at once if the interval is
    0.
    """
    while every := state.settings.reconcile.interval:
        await rest(min(every, _CHECK_INTERVAL))
        try:
            drift = await _run_if_due(state, every) if is_leader() else {}
        except Exception as error:  # noqa: BLE001 - the next run starts from the beginning
            log.warning("could not finish the reconciliation run", error=repr(error))
            continue
        metrics.DRIFT.clear()
        for kind, keys in drift.items():
            metrics.DRIFT.labels(kind).set(keys)


async def _run_if_due(state: State, every: float) -> dict[str, int]:
    if await last_run.is_due(state.postgres, every):
        settings = state.settings
        await run(settings, ReconcileRun(rate=settings.reconcile.keys_per_second, hours=LONGEST_HOURS))
    return await last_run.read_drift(state.postgres)
