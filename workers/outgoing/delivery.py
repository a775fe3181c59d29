"""Sends the outgoing events of a worker's partitions to their destinations, in batches.

Each partition of each destination is a lane with a task of its own, so a destination that hangs delays no other. The
lanes of a destination take turns. In a lane, one request follows the other, so events arrive in order.

A cursor says up to which event a destination has got the events of a partition. It moves when the destination has
accepted events, and only if no one else has moved it. So each event is sent at least once, also if a worker dies or
loses the partition in between.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import nullcontext, suppress
from datetime import UTC, datetime, timedelta

from domain.errors import PlauditError
from models.outgoing import Destination, DestinationState, StoredEvent
from observability import metrics, tracing
from observability.logs import Log
from state import State
from store.backoff import rest
from store.outgoing import cursors, destinations
from store.outgoing.cursors import Cursor
from workers.outgoing import upkeep
from workers.outgoing.failures import DeliveryFailed
from workers.outgoing.pauses import Line
from workers.outgoing.render import Rendered, render
from workers.outgoing.unstored import lost

log = Log(__name__)

_IDLE = 1.0
"""Seconds between two searches for destinations while there are none."""
_REST = 29
"""While a worker has a backlog, it pauses after it has prepared events: this many times as long as that took."""
_LATE = 60.0
"""If events have waited for more than this many seconds, the worker pauses only as long as it took to prepare them.
Otherwise, with a long backlog, they could be removed before they are sent.
"""


class Delivery:
    """Sends the outgoing events of the partitions that `owned` returns. While `has_backlog` returns true, the worker
    has changes to store, and most of its time is left for that. `run` repeats `step` until it is cancelled.
    """

    def __init__(
        self, state: State, owned: Callable[[], Collection[int]], has_backlog: Callable[[], bool] = lambda: False
    ) -> None:
        self._state = state
        self._owned = owned
        self._has_backlog = has_backlog
        self._turns = asyncio.Lock()
        self._lines: dict[str, Line] = {}

    async def run(self) -> None:
        """Sends events until this task is cancelled."""
        try:
            while True:
                try:
                    found = await self.step()
                except Exception as error:  # noqa: BLE001 - the next step may succeed
                    log.warning("could not send outgoing events", error=repr(error))
                    found = False
                await rest(self._state.settings.batches.window_seconds if found else _IDLE)
        finally:
            await self.close()

    async def close(self) -> None:
        """Cancels all requests and closes all connections."""
        for name in list(self._lines):
            await self._lines.pop(name).close()

    async def step(self) -> bool:
        """Starts a task for each destination and partition in which events wait and nothing is being sent. Returns
        whether there are destinations.
        """
        known = await destinations.read(self._state.postgres)
        for name, line in list(self._lines.items()):
            if name in known and line.is_about(known[name]):
                line.update(known[name])
            else:
                await self._lines.pop(name).close()
        owned = self._owned()
        if not known or not owned:
            return bool(known)
        # A lane that is busy now moves its cursor, so the cursor that is read next may be too old for it.
        busy = {(name, p) for name, line in self._lines.items() for p, lane in line.lanes.items() if lane.is_busy}
        for cursor in await cursors.due(self._state.postgres, owned):
            if cursor.name in known and (cursor.name, cursor.p) not in busy:
                await self._start(known[cursor.name], cursor)
        return True

    async def finish(self) -> None:
        """Waits until the tasks that send events have ended."""
        await asyncio.gather(*[task for line in self._lines.values() for task in line.tasks])

    async def _start(self, destination: Destination, cursor: Cursor) -> None:
        if destination.state is not DestinationState.ACTIVE:
            return
        if destination.name not in self._lines:
            try:
                self._lines[destination.name] = Line(destination, self._state.settings.events)
            except Exception as error:  # noqa: BLE001 - an older version has accepted the URL; others must get events
                await destinations.pause(self._state.postgres, destination.name, str(error) or repr(error))
                return
        line = self._lines[destination.name]
        lane = line.lanes[cursor.p]
        if lane.is_over and not line.waits:
            lane.task = asyncio.create_task(self._serve(line, cursor))

    async def _serve(self, line: Line, cursor: Cursor) -> None:
        """Sends the events of a partition to a destination until none waits. After a failure, stores the failure and
        lets the next attempt wait.
        """
        name = line.destination.name
        try:
            await self._send_partition(line, cursor)
        except DeliveryFailed as error:
            line.failed(cursor.p)
            metrics.EVENT_REQUESTS_FAILED.labels(name, error.reason).inc()
            log.warning("could not send outgoing events", destination=name, partition=cursor.p, error=str(error))
            with suppress(PlauditError):
                await self._failed(cursor, str(error))
        except Exception as error:  # noqa: BLE001 - the events still wait
            line.lanes[cursor.p].put_off(self._state.settings.events.longest_pause)
            log.warning("could not send outgoing events", destination=name, partition=cursor.p, error=repr(error))

    async def _failed(self, cursor: Cursor, why: str) -> None:
        """Stores that an attempt to send events of a partition failed, and why. Pauses the destination if all attempts
        in this partition have failed for too long, even if attempts in other partitions succeed.
        """
        postgres, longest = self._state.postgres, self._state.settings.events.pause_after
        since = await cursors.failed(postgres, cursor, why)
        if datetime.now(UTC) - since >= timedelta(seconds=longest):
            reason = f"partition {cursor.p} has failed since {since:%Y-%m-%dT%H:%M:%SZ}: {why}"
            await destinations.pause(postgres, cursor.name, reason)

    async def _send_partition(self, line: Line, cursor: Cursor) -> None:
        """Sends the events of a partition to a destination, request after request, until none waits or this worker no
        longer owns the partition. Lets other partitions send between two requests. After a failure, the first request
        has only one event, so that attempts cost little while a destination is down.
        """
        more = True
        while more:
            async with line.slots:
                if cursor.p not in self._owned() or line.destination.state is not DestinationState.ACTIVE:
                    return
                if line.waits:
                    return  # attempts in other partitions have failed meanwhile
                line.begin()
                size = 1 if line.lanes[cursor.p].failures else self._state.settings.events.batch
                events, prepared = await self._prepare(line.destination, cursor, size)
                with tracing.batch("send events", (one.traceparent for one in prepared)):
                    await self._send(line, cursor.p, prepared)
                to = events[-1].position if events else cursor.position
                if not await cursors.advance(self._state.postgres, cursor, to):
                    return  # another worker sends these events, or an operator has moved the cursor
            if prepared:
                line.succeeded(cursor.p)
            more, cursor = len(events) == size, Cursor(cursor.name, cursor.p, to, None, None)

    async def _prepare(
        self, destination: Destination, cursor: Cursor, size: int
    ) -> tuple[Sequence[StoredEvent], list[Rendered]]:
        """Returns two values: up to `size` next events of a partition, and what to send. That is the event about lost
        events, if there are any, and then those of the next events that the destination wants.

        While the worker has a backlog of changes to store, prepares one request at a time and pauses after it, so that
        most of the worker's time is left for the changes.
        """
        has_backlog = self._has_backlog()
        async with self._turns if has_backlog else nullcontext():
            began = time.monotonic()
            events = await cursors.following(self._state.postgres, cursor.p, cursor.position, size)
            wanted = [one for one in events if destination.wants(one.kind, one.business_id)]
            rendered = await self._render(cursor.p, wanted)
            if has_backlog:
                await asyncio.sleep(self._rest(events) * (time.monotonic() - began))
        if cursor.lost_after is not None:
            rendered.insert(0, lost(cursor))
        return events, rendered

    def _rest(self, events: Sequence[StoredEvent]) -> int:
        """Returns how long the worker pauses after it has prepared these events, as a multiple of the time that this
        took.
        """
        is_late = events and self._state.now_ms() - events[0].position // 1000 > 1000 * _LATE
        return 1 if is_late else _REST

    async def _render(self, p: int, events: Sequence[StoredEvent]) -> list[Rendered]:
        """Returns events of the partition `p` as they are sent. Raises DeliveryFailed for an event that this version
        cannot send.
        """
        try:
            return await render(self._state, p, events)
        except PlauditError:
            raise
        except Exception as error:
            raise DeliveryFailed("unknown event", repr(error)) from error

    async def _send(self, line: Line, p: int, events: list[Rendered]) -> None:
        if events:
            await line.sink.send(p, events)
            metrics.EVENTS_SENT.labels(line.destination.name).inc(len(events))


async def run(state: State, owned: Callable[[], Collection[int]], has_backlog: Callable[[], bool]) -> None:
    """Sends outgoing events of the partitions that `owned` returns, exports metrics about them, and removes old ones,
    until the task is cancelled. `has_backlog` tells whether the worker has a backlog of changes to store.
    """
    async with asyncio.TaskGroup() as group:
        group.create_task(Delivery(state, owned, has_backlog).run())
        group.create_task(upkeep.keep(state, owned))
