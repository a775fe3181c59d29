"""One worker: reads its partitions, persists, publishes and sweeps. Repeats steps that fail, without a limit."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from functools import partial

import structlog

from domain.errors import PlauditError
from observability import metrics
from projections.events import Event, Malformed, parse
from state import State
from store.backoff import pause, rest
from store.write_log.journal import Entry
from store.write_log.partitions import Fenced
from workers import measures, retention, reviewer
from workers.fanout import Fanouts
from workers.gather import gather_all
from workers.pace import Pace
from workers.partitions import Ownership, Partition
from workers.persist import NOTHING, PersistedBatch, persist
from workers.profiles import ProfileReviews
from workers.publish import publish
from workers.reconcile.run import keep_comparing
from workers.recovery import Recovery
from workers.reviews import Reviews
from workers.sweep import Sweeper, Waiting

log = structlog.get_logger(__name__)

_LANES = 3
"""The most batches of a backlog in progress at once, each with partitions of its own."""
_BATCHES = 8
"""The most batches that a lane commits before it publishes all of them together, since most counters and lists are in
several batches. Ownership and the request to stop are checked only then.
"""
_BACKLOG_PARTITIONS = 8
"""The most partitions with a backlog in one batch."""
_PATIENCE = 5.0
"""The longest pause in seconds before a failed step is repeated."""
_CHECK_EVERY = 0.5
"""Seconds between two checks of Redis."""

_SWEEP_EVERY = 60.0
"""Seconds between two searches for rows that are too old to keep."""

_NOWHERE: Mapping[int, int] = {}


class Worker:
    """A worker. `step` processes one batch, or several while there is a backlog; `run` repeats it until stopped."""

    def __init__(self, state: State, name: str) -> None:
        self.state = state
        self.ownership = Ownership(state.postgres, name, state.settings.partition_lease_seconds)
        self.sweeper = Sweeper(state)
        self.fanouts = Fanouts(state)
        self.pace = Pace(_LANES, state.settings.batch_entries, state.settings.commit_target_seconds)
        self.recovery = Recovery(state, self.ownership, self.pace, name)
        self._lanes = 1
        self._worked = time.monotonic()

    @property
    def owned(self) -> dict[int, Partition]:
        """Returns the partitions that this worker owns, as far as it knows."""
        return self.ownership.partitions

    @property
    def backlog(self) -> bool:
        """Returns whether the last reads left entries in the journals."""
        return bool(_with_backlog(self.owned))

    @property
    def busy(self) -> bool:
        """Returns whether the next step should follow without a pause."""
        return self.backlog or self.fanouts.backlog

    async def run(self, stop: asyncio.Event) -> None:
        """Works until `stop` is set; then finishes its batch and releases its partitions."""
        between = self.state.settings.partition_lease_seconds / 4
        beside = (
            _keep(self._renew, between, "could not renew leases"),
            _keep(partial(measures.journals, self.state, self.ownership), between, "could not measure journals"),
            _keep(self.recovery.check, _CHECK_EVERY, "could not check Redis"),
            _keep(self.recovery.sweep, _CHECK_EVERY, "could not remove earlier generations"),
            _keep(partial(retention.sweep, self.state, self._leads), _SWEEP_EVERY, "could not remove old rows"),
            keep_comparing(self.state, self._leads),
            self._keep_reviewing(),
        )
        others = [*map(asyncio.create_task, beside)]
        try:
            await self._repeat(stop)
        finally:
            for other in others:
                other.cancel()
            await asyncio.gather(*others, return_exceptions=True)
        with suppress(PlauditError):  # the leases expire by themselves
            await self.ownership.leave()

    async def _repeat(self, stop: asyncio.Event) -> None:
        failures = 0
        while not stop.is_set():
            try:
                if self.state.write_mode.current.direct:
                    busy = await self.recovery.step() > 0
                else:
                    await self.step()
                    busy = self.busy
                failures, self._worked = 0, time.monotonic()
                wait = 0.0 if busy else self.state.settings.batch_window_seconds
            except Fenced as error:
                log.warning("partitions lost", partitions=error.partitions)
                wait = 0.0
            except Exception as error:  # noqa: BLE001 - no failure may end a worker
                failures += 1
                self._report(error, failures)
                wait = pause(failures, _PATIENCE)
            await _wait(stop, wait)

    async def step(self) -> int:
        """Processes one batch from journal to sweep, or several in parallel lanes while there is a backlog. Fans out
        posts at the same time.

        Returns the number of entries and chunks. Raises the failure of a lane after all lanes have ended, and can then
        be repeated.
        """
        self._lanes, batches = (self.pace.lanes, _BATCHES) if self.backlog else (1, 1)
        owned = sorted(self.owned.items())
        work = [self._work_off(dict(owned[lane :: self._lanes]), batches) for lane in range(self._lanes)]
        return sum(await gather_all(*work, self.fanouts.step(self.owned)))

    async def _work_off(self, owned: dict[int, Partition], batches: int) -> int:
        """Commits batches of these partitions, more than one while there is a backlog; publishes them together, and
        sweeps. Returns the number of entries.
        """
        await self._commit_ahead(owned)
        entries, written, reached = list[Entry](), NOTHING, dict[int, int]()
        try:
            for _ in range(batches):
                batch = await self.read(owned, reached)
                written += await self._persist(owned, batch)
                entries += batch
                reached |= {entry.partition: entry.version for entry in batch}
                self._worked = time.monotonic()
                if not _with_backlog(owned):
                    break
            await self._publish(owned, entries, written)
        except Exception:
            for p in reached:
                owned[p].has_backlog = True  # entries that were not published are read again
            raise
        await self.sweeper.sweep(time.monotonic())
        await self.sweeper.trim(list(owned.values()))
        return len(entries)

    async def _commit_ahead(self, owned: dict[int, Partition]) -> None:
        """Commits the entries that follow those which could not be published, because cache Redis is down.

        If a part of the cache answers, publishes them there. All of them are published again when the cache is back.
        """
        if all(own.head <= own.done for own in owned.values()):
            return
        for _ in range(_BATCHES):
            ahead = await self.read(owned, {own.p: own.head for own in owned.values()})
            written = await self._persist(owned, ahead)
            if ahead and self.state.cache.redis.is_partly_up:
                with suppress(PlauditError):
                    await publish(self.state, written.events, written.moved)
            if not _with_backlog(owned):
                break

    async def read(self, owned: dict[int, Partition], reached: Mapping[int, int] = _NOWHERE) -> list[Entry]:
        """Reads the next entries of each partition: those after `done`, or after the versions in `reached`. Returns
        them.

        Of the partitions with a backlog it reads only a few, in turns: a batch of few partitions needs fewer reads,
        locks and counter updates.
        """
        batch = self.pace.entries(self._lanes)
        deep = sorted(_with_backlog(owned), key=lambda partition: partition.turn)[:_BACKLOG_PARTITIONS]
        for partition in deep:
            partition.turn += 1
        most = {own.p: -(-batch // len(owned)) for own in owned.values() if not own.has_backlog}
        most |= {own.p: max(1, batch // len(deep)) for own in deep}
        wanted = [(p, reached.get(p, owned[p].done), count) for p, count in most.items()]
        answers = await self.state.journals.read(wanted) if wanted else []
        for (p, _, count), answer in zip(wanted, answers, strict=True):
            owned[p].has_backlog = len(answer) >= count
        return [entry for answer in answers for entry in answer]

    async def handle(self, owned: dict[int, Partition], entries: Sequence[Entry]) -> None:
        """Processes one batch: persists the entries beyond the heads, publishes all, and queues them for the sweep."""
        await self._publish(owned, entries, await self._persist(owned, entries))

    async def _persist(self, owned: dict[int, Partition], entries: Sequence[Entry]) -> PersistedBatch:
        fresh = [entry for entry in entries if entry.version > owned[entry.partition].head]
        stale = [entry for entry in entries if entry.version <= owned[entry.partition].head]
        async with self.ownership.fenced():
            with self.pace.commit() if fresh else nullcontext():
                written = await persist(self.state, owned, fresh)
        measures.persisted(fresh, self.state.now_ms())
        return written + PersistedBatch(_parseable(stale), set(), [])

    async def _publish(self, owned: dict[int, Partition], entries: Sequence[Entry], written: PersistedBatch) -> None:
        if not entries:
            return
        await publish(self.state, written.events, written.moved)
        for entry in entries:
            owned[entry.partition].done = entry.version
        through = [(owned[p], owned[p].done) for p in {entry.partition for entry in entries}]
        settled = [event.settled for event in (*written.events, *_parseable(written.refused))]
        self.sweeper.add(Waiting(time.monotonic(), settled, through))

    def _leads(self) -> bool:
        """Returns whether this worker does the tasks that only one worker may do: it owns partition 0."""
        return 0 in self.owned and not self.state.write_mode.current.direct

    async def _renew(self) -> None:
        """Renews the leases, unless this worker has made no progress for two leases: then another should take over."""
        if time.monotonic() - self._worked < 2 * self.state.settings.partition_lease_seconds:
            await self.ownership.renew()

    async def _keep_reviewing(self) -> None:
        """Sends due submissions to the external reviewer again and again, if one is configured."""
        if not (settings := self.state.settings.moderation.reviewer):
            return
        async with reviewer.opened(settings) as external:
            reviews, profiles, failures = Reviews(self.state, external), ProfileReviews(self.state, external), 0
            while True:
                try:
                    asked = await reviews.step(list(self.owned)) + await profiles.step(list(self.owned))
                    wait = 0 if asked else self.state.settings.batch_window_seconds
                    failures = 0
                except Exception as error:  # noqa: BLE001 - the submissions are still due
                    log.warning("could not review submissions", error=repr(error))
                    failures += 1
                    wait = pause(failures, _PATIENCE)
                await rest(wait)

    def _report(self, error: Exception, failures: int) -> None:
        metrics.WORKER_RETRIES.inc()
        if isinstance(error, PlauditError):
            log.warning("a store is down; trying again", error=repr(error), failures=failures)
        else:
            log.error("a batch failed; trying again", failures=failures, exc_info=error)


async def _keep(step: Callable[[], Awaitable[object]], every: float, failed: str) -> None:
    """Calls `step` every so many seconds. Logs a failure with the message `failed`, and goes on."""
    while True:
        try:
            await step()
        except Exception as error:  # noqa: BLE001 - the next call may succeed
            log.warning(failed, error=repr(error))
        await rest(every)


def _with_backlog(owned: Mapping[int, Partition]) -> list[Partition]:
    return [partition for partition in owned.values() if partition.has_backlog]


def _parseable(entries: Iterable[Entry]) -> list[Event]:
    events = []
    for entry in entries:
        try:
            events.append(parse(entry))
        except Malformed:
            continue  # it is a dead letter
    return events


async def _wait(stop: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stop.wait()
