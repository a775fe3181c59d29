"""A worker: reads the journals of its partitions in batches. Stores each batch in Postgres, publishes it to caches, and
then removes its changes from the users' pending changes. Repeats failed steps without a limit.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from itertools import accumulate, islice

from domain.errors import PlauditError
from domain.versions import version_ms
from observability import metrics, tracing
from observability.logs import Log
from projections.registry import BY_TYPE
from state import State
from store.backoff import pause
from store.gather import results_of
from store.groups import grouped
from store.write_log.arrivals import Arrivals
from store.write_log.journal import Entry
from store.write_log.partition_leases import Fenced
from workers import background
from workers.direct_writes import DirectWrites
from workers.fanout import Fanouts
from workers.ownership import Ownership, Partition
from workers.persist import NOTHING, PersistedBatch, parsed, persist
from workers.publish import publish
from workers.published_changes import PublishedChanges, Sweeper
from workers.repeating import wait_for
from workers.write_throttle import WriteThrottle

log = Log(__name__)

_LANES = 4
"""The most batches that a worker has in progress at once while it has a backlog. Each is in a lane, which has
partitions of its own.
"""
_COMMIT_TARGET = 1.0
"""The time in seconds that commits should take at most. If the median takes longer, the worker writes less at once. An
idle Postgres commits a batch in a few hundredths of this, so a median above it means that Postgres is overloaded.
"""
_LONGEST_STEP = 10.0
"""Seconds after which the lanes of a step begin no further batch."""
_LANE_PAUSE = 0.1
"""Seconds between two batches of a lane without a backlog, while other lanes have one."""
_PUBLISHED_TOGETHER = 24
"""How many batches of a backlog are committed before they are published together. This saves work, because most
counters and lists are in several batches.
"""
_COMMITTED_AHEAD = 8
"""The most batches that a lane commits in one step while earlier batches cannot be published."""
_BACKLOG_PARTITIONS = 8
"""The most partitions with a backlog in one batch."""
_MOST_BYTES = 512 * 1024
"""The most bytes of the entries of one batch, because moderation reads long texts. A batch of reactions has less than
half of it.
"""
_LONGEST_PAUSE = 5.0
"""The longest pause in seconds before a failed step is repeated."""
_TEND_EVERY = 0.5
"""Seconds between two removals of pending changes, and between two steps of the fan-outs, while no entries arrive."""
_FROM_DONE: Mapping[int, int] = {}


class _Step:
    """The state that all lanes (parallel loops that commit batches) share in one call of `Worker.step`: the worker's
    partitions, the numbers of the lanes with a backlog, the batches that are committed and not published yet, and the
    time at which the lanes end.
    """

    def __init__(self, owned: dict[int, Partition], busy: set[int]) -> None:
        self.owned = owned
        self.busy = busy
        self.committed: list[PersistedBatch] = []
        self.until = time.monotonic() + _LONGEST_STEP


class Worker:
    """A worker, which stores and publishes journal entries. `step` processes one batch, or several while there is a
    backlog. `run` repeats `step` until it is stopped.
    """

    def __init__(self, state: State, name: str) -> None:
        self.state = state
        self.ownership = Ownership(state.postgres, name, state.settings.partition_lease_seconds)
        self.sweeper = Sweeper(state, self.ownership)
        self.fanouts = Fanouts(state)
        self.throttle = WriteThrottle(_LANES, state.settings.batches.entries, _COMMIT_TARGET)
        self.direct_writes = DirectWrites(state, self.ownership, self.throttle, self.sweeper, name)
        self._arrivals = Arrivals(state.redis, state.keys)
        self._lanes = 1
        self._publishing = asyncio.Lock()
        self._stop = asyncio.Event()
        self._progressed_at = time.monotonic()

    @property
    def owned(self) -> dict[int, Partition]:
        """Returns the partitions that this worker owned at the last renewal, by number."""
        return self.ownership.partitions

    @property
    def backlog(self) -> bool:
        """Returns whether entries were left in the journals after the last reads."""
        return bool(_with_backlog(self.owned))

    @property
    def busy(self) -> bool:
        """Returns whether the next step should follow without a pause: journal entries or fan-outs are left."""
        return self.backlog or self.fanouts.backlog

    async def run(self, stop: asyncio.Event) -> None:
        """Repeats `step`, and runs the background tasks, until `stop` is set. Then finishes the current batch and
        releases the partitions.
        """
        others = [*map(asyncio.create_task, background.tasks(self))]
        self._stop = stop
        try:
            await self._run_steps(stop)
        finally:
            for other in others:
                other.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            await self._arrivals.close()
        with suppress(PlauditError):  # the leases expire by themselves
            await self.ownership.leave()

    async def _run_steps(self, stop: asyncio.Event) -> None:
        failures = 0
        while not stop.is_set():
            try:
                if self.state.write_mode.current.direct:
                    busy = await self.direct_writes.step() > 0
                elif await self.step():
                    busy = self.busy
                else:
                    await self._wait_for_entries(stop)
                    busy = True
                failures, self._progressed_at = 0, time.monotonic()
                wait = 0.0 if busy else self.state.settings.batches.window_seconds
            except Fenced as error:
                log.warning("partitions lost", partitions=error.partitions)
                wait = 0.0
            except Exception as error:  # noqa: BLE001 - no failure may end a worker
                failures += 1
                self._report(error, failures)
                wait = pause(failures, _LONGEST_PAUSE)
            await wait_for(stop, wait)

    async def _wait_for_entries(self, stop: asyncio.Event) -> None:
        """Waits until there is work: new journal entries, entries to be published again, or a fan-out with a backlog.
        Also returns when `stop` is set, or when writes go directly to Postgres. While waiting, processes fan-outs and
        removes published changes from the pending changes.
        """
        while not (stop.is_set() or self.busy or self.state.write_mode.current.direct):
            self.direct_writes.redis_check.require_shared_primary()
            owned = dict(sorted(self.owned.items()))
            if any(partition.publish_again for partition in owned.values()):
                return
            if await self._arrivals.wait({p: one.done for p, one in owned.items()}, _TEND_EVERY, stop):
                return
            self._progressed_at = time.monotonic()
            await self.fanouts.step(owned)
            await self._publish_committed(_Step(owned, set()))

    async def step(self) -> int:
        """Reads, stores and publishes one batch. While there is a backlog, commits many batches in parallel lanes, and
        publishes them meanwhile. Fans out posts at the same time.

        Returns the number of entries and fan-out chunks. If a lane fails, raises its failure after all lanes have ended
        and their batches are published, or the failure of that publication; the step can then be repeated. Raises
        RedisDown if this worker reaches another Redis primary than the one that is in use.
        """
        self.direct_writes.redis_check.require_shared_primary()
        owned, self._lanes = dict(sorted(self.owned.items())), 1
        for partition in owned.values():
            if partition.publish_again:
                partition.done, partition.publish_again = 0, False
        is_behind = any(partition.head > partition.done for partition in owned.values())
        first = None if self.backlog or is_behind else await self.read(owned)
        if self.backlog:  # the lanes read the first entries again
            self._lanes, first = self.throttle.lanes, None
        lanes = [dict(islice(owned.items(), lane, None, self._lanes)) for lane in range(self._lanes)]
        step = _Step(owned, {lane for lane, some in enumerate(lanes) if _with_backlog(some)})
        commits = asyncio.gather(
            *[self._commit_batches(lane, some, first, step) for lane, some in enumerate(lanes)], return_exceptions=True
        )
        fanned_out = asyncio.gather(self.fanouts.run_until(commits, self.owned), return_exceptions=True)
        counts, chunks = await asyncio.gather(commits, fanned_out)
        await self._publish_committed(step)
        return sum(results_of([*counts, *chunks]))

    async def _commit_batches(
        self, lane: int, owned: dict[int, Partition], first: list[Entry] | None, step: _Step
    ) -> int:
        """Commits one batch of the partitions `owned`, or many while any lane has a backlog, and adds them to those of
        the step. Publishes the committed batches of all lanes when there are enough of them. `first` are the entries of
        the first batch; None if they are not read yet.

        Returns the number of entries.
        """
        count, reached = 0, dict[int, int]()
        try:
            await self._commit_ahead(owned)
            while True:
                entries, first = await self.read(owned, reached) if first is None else first, None
                if entries:
                    step.committed.append(written := await self._persist(owned, entries))
                    self._progressed_at = time.monotonic()
                    if written.stuck:
                        raise written.stuck
                count += len(entries)
                reached |= {entry.partition: entry.version for entry in entries}
                (step.busy.add if _with_backlog(owned) else step.busy.discard)(lane)
                if not step.busy or self._must_end(step):
                    return count
                if len(step.committed) >= _PUBLISHED_TOGETHER * (1 + self._publishing.locked()):
                    await self._publish_committed(step)
                elif lane not in step.busy:
                    await wait_for(self._stop, _LANE_PAUSE)
        finally:
            step.busy.discard(lane)

    def _must_end(self, step: _Step) -> bool:
        """Returns whether lanes should begin no further batch: the step is long enough, the worker should stop, or it
        owns other partitions now.
        """
        return time.monotonic() > step.until or self._stop.is_set() or self.owned.keys() != step.owned.keys()

    async def _publish_committed(self, step: _Step) -> None:
        """Publishes the committed batches of a step. Then removes due changes from the pending changes and the
        journals.
        """
        async with self._publishing:
            if batches := step.committed[:]:
                await self._publish(step.owned, sum(batches, NOTHING))
                del step.committed[: len(batches)]
            await self.sweeper.sweep(time.monotonic())
            await self.sweeper.trim(list(step.owned.values()))

    async def _commit_ahead(self, owned: dict[int, Partition]) -> None:
        """Commits further entries if earlier entries are committed but not published, for example because cache Redis
        is down.

        If a part of the cache answers, publishes the further entries there. All of these entries are published again
        when the cache is back.
        """
        if all(partition.head <= partition.done for partition in owned.values()):
            return
        for _ in range(_COMMITTED_AHEAD):
            ahead = await self.read(owned, {partition.p: partition.head for partition in owned.values()})
            written = await self._persist(owned, ahead)
            if ahead and self.state.cache.redis.is_any_up:
                with suppress(PlauditError):
                    await publish(self.state, written.events, written.moved)
            if written.stuck or not _with_backlog(owned):
                break

    async def read(self, owned: dict[int, Partition], reached: Mapping[int, int] = _FROM_DONE) -> list[Entry]:
        """Returns the next entries of each partition: those after the version in `reached` or, without one, after
        `done`. Records in each partition whether it has a backlog.

        Reads only a few of the partitions with a backlog, in turns, because a batch of few partitions needs fewer
        reads, locks and counter updates.
        """
        batch = self.throttle.entries(self._lanes)
        deep = sorted(_with_backlog(owned), key=lambda partition: partition.turn)[:_BACKLOG_PARTITIONS]
        for partition in deep:
            partition.turn += 1
        most = {partition.p: -(-batch // len(owned)) for partition in owned.values() if not partition.has_backlog}
        most |= {partition.p: max(1, batch // len(deep)) for partition in deep}
        wanted = [(p, reached.get(p, owned[p].done), count) for p, count in most.items()]
        answers = await self.state.journals.read_any(wanted)
        for (p, _, count), answer in zip(wanted, answers, strict=True):
            is_cut = _drop_end(answer, _MOST_BYTES // len(wanted))
            owned[p].has_backlog = is_cut or len(answer) >= count
        return [entry for answer in answers for entry in answer]

    async def handle(self, owned: dict[int, Partition], entries: Sequence[Entry]) -> None:
        """Processes one batch of entries: stores those that are not stored yet, publishes all, and passes their pending
        changes to the sweeper, which removes them later. Raises the error of an entry that could not be stored.

        Only tests call this method, with entries that were read at another time or through another worker. `step` calls
        `_persist` and `_publish` separately, because its lanes store several batches before one publication.
        """
        written = await self._persist(owned, entries)
        await self._publish(owned, written)
        if written.stuck:
            raise written.stuck

    async def _persist(self, owned: dict[int, Partition], entries: Sequence[Entry]) -> PersistedBatch:
        fresh = [entry for entry in entries if entry.version > owned[entry.partition].head]
        stale = [entry for entry in entries if entry.version <= owned[entry.partition].head]
        async with self.ownership.fenced():
            with self.throttle.commit() if fresh else nullcontext():
                written = await persist(self.state, owned, fresh)
        now_ms = self.state.now_ms()
        for entry in fresh:
            metrics.PERSIST_SECONDS.observe(max(0.0, (now_ms - version_ms(entry.version)) / 1000))
        committed_before, _ = parsed(stale)  # malformed entries are dead letters already
        return PersistedBatch(stale, committed_before, set(), []) + written

    async def _publish(self, owned: dict[int, Partition], written: PersistedBatch) -> None:
        if not written.entries:
            return
        with tracing.batch("publish", (entry.traceparent for entry in written.entries)):
            await publish(self.state, written.events, written.moved)
        for entry in written.entries:
            owned[entry.partition].done = entry.version
        refused, _ = parsed(written.refused)
        events = *written.events, *refused
        pending = grouped((event.partition, BY_TYPE[type(event)].pending(event)) for event in events)
        now = time.monotonic()
        for p in {entry.partition for entry in written.entries}:
            self.sweeper.add(PublishedChanges(now, owned[p], pending.get(p, []), owned[p].done))

    def is_leader(self) -> bool:
        """Returns whether this worker does the tasks that only one worker may do: it owns partition 0, and writes are
        not direct.
        """
        return 0 in self.owned and not self.state.write_mode.current.direct

    async def renew(self) -> None:
        """Renews the leases of this worker. Does nothing if this worker has made no progress for the duration of two
        leases, so that other workers take over its partitions.
        """
        if time.monotonic() - self._progressed_at < 2 * self.state.settings.partition_lease_seconds:
            await self.ownership.renew()

    def _report(self, error: Exception, failures: int) -> None:
        metrics.WORKER_RETRIES.inc()
        if isinstance(error, PlauditError):
            log.warning("a store is down; trying again", error=repr(error), failures=failures)
        else:
            log.error("a batch failed; trying again", failures=failures, exc_info=error)


def _drop_end(entries: list[Entry], most_bytes: int) -> bool:
    """Removes the last entries, so that the others have at most `most_bytes`. Keeps at least one entry. Returns whether
    an entry was removed.
    """
    sizes = accumulate(sum(map(len, entry.fields.values())) for entry in entries)
    kept = max(1, sum(size <= most_bytes for size in sizes))
    is_long = kept < len(entries)
    del entries[kept:]
    return is_long


def _with_backlog(owned: Mapping[int, Partition]) -> list[Partition]:
    return [partition for partition in owned.values() if partition.has_backlog]
