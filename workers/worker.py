"""One worker: reads its partitions, persists, publishes, sweeps. Steps that fail are repeated, for ever."""

import asyncio
import random
import time
from collections.abc import Sequence
from contextlib import suppress

import structlog

import metrics
from errors import PlauditError
from state import State
from store import dead_letters
from store.journal import Entry
from workers.events import Event, Malformed, parse
from workers.partitions import Fenced, Ownership, Partition
from workers.persist import persist
from workers.publish import publish
from workers.sweep import Sweeper, Waiting

log = structlog.get_logger(__name__)


class Worker:
    """`step` is one batch; `run` is steps until told to stop."""

    def __init__(self, state: State, name: str) -> None:
        self.state = state
        self.ownership = Ownership(state.postgres, name, state.settings.lease)
        self.sweeper = Sweeper(state)

    @property
    def owned(self) -> dict[int, Partition]:
        """The partitions that are this worker's, as far as it knows."""
        return self.ownership.partitions

    async def run(self, stop: asyncio.Event) -> None:
        """Works until `stop` is set; then finishes its batch and gives its partitions to the others."""
        renewal = asyncio.create_task(self._keep_renewing())
        failures = 0
        while not stop.is_set():
            try:
                handled = await self.step()
                failures = 0
                wait = 0.0 if 2 * handled >= self.state.settings.batch_entries else self.state.settings.batch_window
            except Fenced as error:
                log.warning("partitions lost", partitions=error.args[0])
                wait = 0.0
            except Exception as error:  # noqa: BLE001 - nothing may end a worker: it repeats
                failures += 1
                self._report(error, failures)
                wait = min(5.0, 0.05 * 2**failures) * random.uniform(0.5, 1)  # noqa: S311 - jitter
            await _wait(stop, wait)
        renewal.cancel()
        await asyncio.gather(renewal, return_exceptions=True)
        with suppress(PlauditError):  # then the leases run out by themselves
            await self.ownership.leave()

    async def step(self) -> int:
        """One batch all the way. Returns how many entries it had. Raises what stopped it; repeating it is right."""
        owned = dict(self.owned)
        entries = await self.read(owned)
        if entries:
            await self.handle(owned, entries)
        await self.sweeper.sweep(time.monotonic())
        await self.sweeper.trim(list(self.owned.values()))
        return len(entries)

    async def read(self, owned: dict[int, Partition]) -> list[Entry]:
        """The next entries of every owned partition. Partitions with a backlog share a batch among themselves."""
        batch = self.state.settings.batch_entries
        deep = sum(partition.deep for partition in owned.values())
        shallow_share, deep_share = -(-batch // max(1, len(owned))), max(1, batch // max(1, deep))
        wanted = [(p, own.done, deep_share if own.deep else shallow_share) for p, own in owned.items()]
        answers = await self.state.journals.read(wanted) if wanted else []
        for (p, _, most), answer in zip(wanted, answers, strict=True):
            owned[p].deep = len(answer) >= most
        return [entry for answer in answers for entry in answer]

    async def handle(self, owned: dict[int, Partition], entries: Sequence[Entry]) -> None:
        """Persists what is beyond the heads, publishes everything, and lets it wait to be swept."""
        fresh = [entry for entry in entries if entry.version > owned[entry.partition].head]
        try:
            moved = await persist(self.state.postgres, owned, fresh)
        except Fenced as fenced:
            await self.ownership.release(fenced.args[0])
            raise
        self._measure(fresh)
        events = _parseable(entries)
        refused = await dead_letters.among(self.state.postgres, entries)
        await publish(self.state, [event for event in events if (event.partition, event.version) not in refused], moved)
        for entry in entries:
            owned[entry.partition].done = entry.version
        through = [(owned[p], owned[p].done) for p in {entry.partition for entry in entries}]
        self.sweeper.add(Waiting(time.monotonic(), [event.settled for event in events], through))

    async def _keep_renewing(self) -> None:
        while True:
            try:
                await self.ownership.renew()
            except Exception as error:  # noqa: BLE001 - a worker that stops renewing would be replaced for nothing
                log.warning("leases not renewed", error=repr(error))
            try:
                await self._measure_journals()
            except Exception as error:  # noqa: BLE001 - the same
                log.warning("journals not measured", error=repr(error))
            await asyncio.sleep(self.state.settings.lease / 4)

    async def _measure_journals(self) -> None:
        owned = list(self.owned.values())
        metrics.PARTITIONS_OWNED.set(len(owned))
        lengths = await self.state.journals.lengths([partition.p for partition in owned])
        oldest = await self.state.journals.read([(partition.p, partition.head, 1) for partition in owned])
        for partition, length, waiting in zip(owned, lengths, oldest, strict=True):
            metrics.JOURNAL_LENGTH.labels(partition.p).set(length)
            metrics.JOURNAL_LAG.labels(partition.p).set(self._age(waiting[0]) if waiting else 0)

    def _measure(self, fresh: Sequence[Entry]) -> None:
        for entry in fresh:
            metrics.PERSIST_SECONDS.observe(self._age(entry))

    def _age(self, entry: Entry) -> float:
        return max(0.0, (self.state.now_ms() - (entry.version >> 20)) / 1000)

    def _report(self, error: Exception, failures: int) -> None:
        metrics.WORKER_RETRIES.inc()
        if isinstance(error, PlauditError):
            log.warning("a store is down; trying again", error=repr(error), failures=failures)
        else:
            log.error("a batch failed; trying again", failures=failures, exc_info=error)


def _parseable(entries: Sequence[Entry]) -> list[Event]:
    events = []
    for entry in entries:
        try:
            events.append(parse(entry))
        except Malformed:
            continue  # it is among the dead letters
    return events


async def _wait(stop: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return
