"""One worker: reads its partitions, persists, publishes, sweeps. Steps that fail are repeated, for ever."""

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
from workers.pace import Pace
from workers.partitions import Ownership, Partition
from workers.persist import NOTHING, PersistedBatch, persist
from workers.profiles import ProfileReviews
from workers.publish import publish
from workers.reconcile.run import keep_comparing
from workers.recovery import Recovery
from workers.reviews import Reviews
from workers.sweep import Sweeper, Waiting
from workers.together import gather_all

log = structlog.get_logger(__name__)

_LANES = 3
"""How many batches of a backlog are on their way at once at most, each with partitions of its own."""
_BATCHES = 8
"""How many a lane commits before it publishes what they changed together (most counters and lists are in several of
them), and before partitions are looked at anew, and a wish to stop is.
"""
_DEEP = 8
"""How many of the partitions with a backlog are in one batch."""
_PATIENCE = 5.0
"""The longest pause before a step that failed is repeated."""
_LOOK_EVERY = 0.5
"""Seconds between two looks at whether Redis is there and knows what it should."""

_SWEEP_EVERY = 60.0
"""Seconds between two looks for rows that are older than is kept."""

_NOWHERE: Mapping[int, int] = {}


class Worker:
    """`step` is one batch, or more while there is a backlog; `run` is steps until told to stop."""

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
        """The partitions that are this worker's, as far as it knows."""
        return self.ownership.partitions

    @property
    def backlog(self) -> bool:
        """Whether the last reads left entries behind."""
        return bool(_deep(self.owned))

    @property
    def busy(self) -> bool:
        """Whether there is more to do at once."""
        return self.backlog or self.fanouts.backlog

    async def run(self, stop: asyncio.Event) -> None:
        """Works until `stop` is set; then finishes its batch and gives its partitions to the others."""
        between = self.state.settings.partition_lease_seconds / 4
        beside = (
            _keep(self._renew, between, "leases not renewed"),
            _keep(partial(measures.journals, self.state, self.ownership), between, "journals not measured"),
            _keep(self.recovery.look, _LOOK_EVERY, "Redis not looked after"),
            _keep(self.recovery.sweep, _LOOK_EVERY, "earlier generations not removed"),
            _keep(partial(retention.sweep, self.state, self._leads), _SWEEP_EVERY, "old rows not removed"),
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
        with suppress(PlauditError):  # then the leases run out by themselves
            await self.ownership.leave()

    async def _repeat(self, stop: asyncio.Event) -> None:
        failures = 0
        while not stop.is_set():
            try:
                if self.state.modes.current.direct:
                    busy = await self.recovery.step() > 0
                else:
                    await self.step()
                    busy = self.busy
                failures, self._worked = 0, time.monotonic()
                wait = 0.0 if busy else self.state.settings.batch_window_seconds
            except Fenced as error:
                log.warning("partitions lost", partitions=error.partitions)
                wait = 0.0
            except Exception as error:  # noqa: BLE001 - nothing may end a worker: it repeats
                failures += 1
                self._report(error, failures)
                wait = pause(failures, _PATIENCE)
            await _wait(stop, wait)

    async def step(self) -> int:
        """A batch all the way; or several while there is a backlog, in lanes that work while others wait for a store.
        Beside them posts are fanned out.

        Returns how many entries and chunks there were. Raises what stopped a lane, once all have ended; repeating it
        is right.
        """
        self._lanes, batches = (self.pace.lanes, _BATCHES) if self.backlog else (1, 1)
        owned = sorted(self.owned.items())
        work = [self._work_off(dict(owned[lane :: self._lanes]), batches) for lane in range(self._lanes)]
        return sum(await gather_all(*work, self.fanouts.step(self.owned)))

    async def _work_off(self, owned: dict[int, Partition], batches: int) -> int:
        """Commits batch after batch of these partitions while there is a backlog, publishes them together, sweeps."""
        await self._commit_ahead(owned)
        entries, written, reached = list[Entry](), NOTHING, dict[int, int]()
        try:
            for _ in range(batches):
                batch = await self.read(owned, reached)
                written += await self._persist(owned, batch)
                entries += batch
                reached |= {entry.partition: entry.version for entry in batch}
                self._worked = time.monotonic()
                if not _deep(owned):
                    break
            await self._publish(owned, entries, written)
        except Exception:
            for p in reached:
                owned[p].has_backlog = True  # what was not published is read again
            raise
        await self.sweeper.sweep(time.monotonic())
        await self.sweeper.trim(list(owned.values()))
        return len(entries)

    async def _commit_ahead(self, owned: dict[int, Partition]) -> None:
        """Commits what comes after entries that could not be published because the cache, or a part of it, is away.

        It is published where the cache answers, and once more everywhere when it is read again.
        """
        if all(own.head <= own.done for own in owned.values()):
            return
        for _ in range(_BATCHES):
            ahead = await self.read(owned, {own.p: own.head for own in owned.values()})
            written = await self._persist(owned, ahead)
            if ahead and self.state.cache.redis.answers_in_part:
                with suppress(PlauditError):
                    await publish(self.state, written.events, written.moved)
            if not _deep(owned):
                break

    async def read(self, owned: dict[int, Partition], reached: Mapping[int, int] = _NOWHERE) -> list[Entry]:
        """The next entries of every partition without a backlog, and of a few of those that have one, in turns: the
        fewer partitions there are in a batch, the less there is to ask for, to lock, and to write into counters.

        What comes next is what is not done, or beyond the versions `reached`.
        """
        batch = self.pace.entries(self._lanes)
        deep = sorted(_deep(owned), key=lambda partition: partition.turn)[:_DEEP]
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
        """One batch: persists what is beyond the heads, publishes everything, and lets it wait to be swept."""
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
        """Whether what one worker alone does is done by this one."""
        return 0 in self.owned and not self.state.modes.current.direct

    async def _renew(self) -> None:
        """Unless nothing has been done for so long that somebody else may do better."""
        if time.monotonic() - self._worked < 2 * self.state.settings.partition_lease_seconds:
            await self.ownership.renew()

    async def _keep_reviewing(self) -> None:
        """Asks the external reviewer, where there is one."""
        if not (settings := self.state.settings.moderation.reviewer):
            return
        async with reviewer.opened(settings) as external:
            reviews, profiles, failures = Reviews(self.state, external), ProfileReviews(self.state, external), 0
            while True:
                try:
                    asked = await reviews.step(list(self.owned)) + await profiles.step(list(self.owned))
                    wait = 0 if asked else self.state.settings.batch_window_seconds
                    failures = 0
                except Exception as error:  # noqa: BLE001 - what was not reviewed is due again
                    log.warning("posts not reviewed", error=repr(error))
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
    """Takes a step every so many seconds, whatever came of the one before."""
    while True:
        try:
            await step()
        except Exception as error:  # noqa: BLE001 - what stands in its way may go away
            log.warning(failed, error=repr(error))
        await rest(every)


def _deep(owned: Mapping[int, Partition]) -> list[Partition]:
    return [partition for partition in owned.values() if partition.has_backlog]


def _parseable(entries: Iterable[Entry]) -> list[Event]:
    events = []
    for entry in entries:
        try:
            events.append(parse(entry))
        except Malformed:
            continue  # it is among the dead letters
    return events


async def _wait(stop: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stop.wait()
