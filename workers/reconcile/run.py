"""A run: every kind compared, batch by batch, and repaired where that is asked for.

Enters: `plaudit reconcile`, or the owner of partition 0, which compares once in a while. Leaves: totals by kind, which
are remembered (`store/reconcile/last_run.py`) and exported as `plaudit_drift`.
"""

from collections.abc import Callable, Collection, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial

import structlog

from observability import metrics
from settings import Settings
from state import State, opened
from store.backoff import rest
from store.reconcile import last_run
from store.reconcile.cached import kind_of, own_kind_of
from workers.reconcile import (
    cached,
    cached_lists,
    cached_values,
    comments,
    counters,
    follows,
    notifications,
    own_sets,
    posts,
)
from workers.reconcile.batches import Compare, Compared

log = structlog.get_logger(__name__)

_PATIENCE = 60.0
"""Seconds for one statement: it may count all likes of something that many like."""
_LOOK = 60.0
"""Seconds between two looks whether a run is due."""


@dataclass(slots=True)
class KindTotal:
    """What came of a kind."""

    keys: int = 0
    drifting: int = 0


@dataclass(slots=True)
class ReconcileRun:
    """How a run goes: whether it repairs, which parts it is of, and how many keys it may compare a second."""

    repair: bool = False
    only: Collection[str] = ()
    rate: float | None = None
    report: Callable[[str, str, KindTotal], None] | None = None
    totals: dict[str, KindTotal] = field(default_factory=dict)

    async def over(self, state: State) -> dict[str, KindTotal]:
        """Compares everything, and remembers what came of it, unless it repairs nothing and another run of everything
        has ended meanwhile, which may have. Raises PostgresDown or RedisDown where a store does not
        answer; batches that were repaired by then are.
        """
        since = None if self.only or self.repair else await last_run.read_end(state.postgres)
        for name, compare in PARTS.items():
            if not self.only or name in self.only:
                async with aclosing(compare(state)) as batches:
                    async for compared in batches:
                        await self._take(name, compared)
        drift = {kind: 0 if self.repair else total.drifting for kind, total in self.totals.items()}
        await last_run.remember(state.postgres, drift, whole=not self.only, since=since)
        return self.totals

    async def _take(self, part: str, compared: Compared) -> None:
        if compared.kind is not None:
            total = self.totals.setdefault(compared.kind, KindTotal())
            total.keys += compared.keys
            total.drifting += compared.drifting
            if self.report:
                self.report(part, compared.kind, total)
        if compared.drifting and self.repair:
            await compared.repair()
        if self.rate:
            await rest(compared.keys / self.rate)


async def _caches(state: State) -> Compare:
    wrong = {**cached_values.WRONG, **cached_lists.WRONG}
    async for compared in cached.compare(state, state.cache.redis, kind_of, wrong, state.cache.drop):
        yield compared


async def _own_sets(state: State) -> Compare:
    drop = partial(own_sets.drop, state)
    async for compared in cached.compare(state, state.redis, own_kind_of, own_sets.WRONG, drop):
        yield compared


PARTS: Mapping[str, Callable[[State], Compare]] = {
    "follows": follows.compare,
    "posts": posts.compare,
    "comments": comments.compare,
    "counters": counters.compare,
    "notifications": notifications.compare,
    "caches": _caches,
    "sets": _own_sets,
}
"""In this order: counters count rows that come before them, caches copy both."""


async def run(settings: Settings, run: ReconcileRun) -> dict[str, KindTotal]:
    """The same in stores of its own, which are given time for large counts."""
    patient = settings.model_copy(update={"database_timeout": max(_PATIENCE, settings.database_timeout)})
    async with opened(patient, "reconcile", makes_ids=False) as state:
        return await run.over(state)


async def keep_comparing(state: State, ours: Callable[[], bool]) -> None:
    """Where it is `ours` to do so, compares `reconcile_interval` seconds after the last run, whoever's that was, unless
    that is 0, and never repairs; and exports what the last run left.
    """
    while every := state.settings.reconcile_interval:
        await rest(min(every, _LOOK))
        try:
            drift = await _look(state, every) if ours() else {}
        except Exception as error:  # noqa: BLE001 - the next run begins anew
            log.warning("not all was compared", error=repr(error))
            continue
        metrics.DRIFT.clear()
        for kind, keys in drift.items():
            metrics.DRIFT.labels(kind).set(keys)


async def _look(state: State, every: float) -> dict[str, int]:
    if await last_run.is_due(state.postgres, every):
        await run(state.settings, ReconcileRun(rate=state.settings.reconcile_keys_per_second))
    return await last_run.read_drift(state.postgres)
