"""Sends the outgoing events of a worker's partitions to their destinations.

Each destination has a task of its own, so one that hangs delays no other. In a partition, one request follows the
other, so its events arrive in order. A cursor moves after the destination has the events, and only if it is where this
worker read it. So each event is sent at least once, also if a worker dies or loses the partition in between.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass

from domain.errors import PlauditError
from models.outgoing import Destination, DestinationState
from observability import metrics
from observability.logs import Log
from state import State
from store.backoff import pause, rest
from store.gather import gather_all
from store.groups import grouped
from store.outgoing import cursors, destinations
from store.outgoing.cursors import Cursor
from workers.outgoing import upkeep
from workers.outgoing.failures import DeliveryFailed
from workers.outgoing.render import Rendered, lost, render
from workers.outgoing.sinks import Sink, open_sink

log = Log(__name__)

_IDLE = 1.0
"""Seconds between two searches for destinations while there are none."""


@dataclass(slots=True)
class _Line:
    """A destination, as this worker serves it."""

    destination: Destination
    sink: Sink
    task: "asyncio.Task[None] | None" = None
    failures: int = 0
    resumes_at: float = 0.0

    @property
    def is_free(self) -> bool:
        """Returns whether a new round of requests may begin."""
        return (self.task is None or self.task.done()) and time.monotonic() >= self.resumes_at

    def is_about(self, destination: Destination) -> bool:
        """Returns whether a destination still gets the same events, in the same way."""
        return self.destination[:5] == destination[:5]

    def update(self, destination: Destination) -> None:
        """Takes over the state of the destination. If an operator has resumed it, it gets events at once."""
        if self.destination.state is not DestinationState.ACTIVE:
            self.failures, self.resumes_at = 0, 0.0
        self.destination = destination

    def put_off(self, longest: float) -> None:
        """Lets the next round begin after a pause, which grows with the number of failures in a row."""
        self.failures += 1
        self.resumes_at = time.monotonic() + pause(self.failures, longest)


class Delivery:
    """Sends the events of the partitions that a worker owns. `run` repeats `step` until it is cancelled."""

    def __init__(self, state: State, owned: Callable[[], Collection[int]]) -> None:
        self._state = state
        self._owned = owned
        self._lines: dict[str, _Line] = {}

    async def run(self) -> None:
        """Sends events until this task is cancelled."""
        try:
            while True:
                try:
                    found = await self.step()
                except Exception as error:  # noqa: BLE001 - the next step may succeed
                    log.warning("could not send outgoing events", error=repr(error))
                    found = False
                await rest(self._state.settings.batch_window_seconds if found else _IDLE)
        finally:
            await self.close()

    async def close(self) -> None:
        """Ends all requests."""
        for name in list(self._lines):
            await self._end(name)

    async def step(self) -> bool:
        """Starts a round of requests to each destination that has waiting events, and none under way. Returns whether
        there are destinations.
        """
        known = await destinations.read(self._state.postgres)
        for name, line in list(self._lines.items()):
            if name in known and line.is_about(known[name]):
                line.update(known[name])
            else:
                await self._end(name)
        owned = self._owned()
        if not known or not owned:
            return bool(known)
        waiting = grouped((cursor.name, cursor) for cursor in await cursors.due(self._state.postgres, owned))
        for name, behind in waiting.items():
            if name in known and known[name].state is DestinationState.ACTIVE:
                self._start(known[name], behind)
        return True

    async def finish(self) -> None:
        """Waits until the requests under way have ended."""
        await asyncio.gather(*[line.task for line in self._lines.values() if line.task])

    def _start(self, destination: Destination, behind: Collection[Cursor]) -> None:
        line = self._lines.get(destination.name)
        if line is None:
            sink = open_sink(destination, self._state.settings.events)
            line = self._lines[destination.name] = _Line(destination, sink)
        if line.is_free:
            line.task = asyncio.create_task(self._round(line, behind))

    async def _end(self, name: str) -> None:
        line = self._lines.pop(name)
        if line.task:
            line.task.cancel()
            await asyncio.gather(line.task, return_exceptions=True)
        await line.sink.close()

    async def _round(self, line: _Line, behind: Iterable[Cursor]) -> None:
        """Sends what waits for a destination, in all partitions, and stores whether that succeeded."""
        slots = asyncio.Semaphore(self._state.settings.events.concurrency)
        name, settings = line.destination.name, self._state.settings.events
        try:
            await gather_all(*[self._send_partition(line, cursor, slots) for cursor in behind])
        except DeliveryFailed as error:
            line.put_off(settings.longest_pause)
            metrics.EVENT_REQUESTS_FAILED.labels(name, error.reason).inc()
            log.warning("could not send outgoing events", destination=name, error=str(error))
            with suppress(PlauditError):
                await destinations.failed(self._state.postgres, name, str(error), settings.pause_after)
        except Exception as error:  # noqa: BLE001 - the events still wait
            line.put_off(settings.longest_pause)
            log.warning("could not send outgoing events", destination=name, error=repr(error))
        else:
            if line.failures or line.destination.failing_since:
                with suppress(PlauditError):
                    await destinations.sent(self._state.postgres, name)
            line.failures = 0

    async def _send_partition(self, line: _Line, cursor: Cursor, slots: asyncio.Semaphore) -> None:
        """Sends the events of a partition, request after request, until none waits or this worker no longer owns the
        partition.
        """
        size = self._state.settings.events.batch
        more = True
        while more and cursor.p in self._owned() and line.destination.state is DestinationState.ACTIVE:
            async with slots:
                events = await cursors.following(self._state.postgres, cursor.p, cursor.position, size)
                wanted = [one for one in events if line.destination.wants(one.kind, one.business_id)]
                rendered = await render(self._state, cursor.p, wanted)
                if cursor.lost_after is not None:
                    rendered.insert(0, lost(cursor))
                await self._send(line, cursor.p, rendered)
                to = events[-1].position if events else cursor.position
                if not await cursors.advance(self._state.postgres, cursor, to):
                    return  # another worker sends these events, or an operator has moved the cursor
            more, cursor = len(events) == size, Cursor(cursor.name, cursor.p, to, None, None)

    async def _send(self, line: _Line, p: int, events: list[Rendered]) -> None:
        if events:
            await line.sink.send(p, events)
            metrics.EVENTS_SENT.labels(line.destination.name).inc(len(events))


async def run(state: State, owned: Callable[[], Collection[int]]) -> None:
    """Sends, measures and removes the outgoing events of the partitions that a worker owns, until it is cancelled."""
    async with asyncio.TaskGroup() as group:
        group.create_task(Delivery(state, owned).run())
        group.create_task(upkeep.keep(state, owned))
