"""How a worker serves a destination of outgoing events: which tasks send events, and the pauses after failures.

Each partition has pauses of its own, so events that a destination refuses delay only their partition. If attempts fail
in many partitions and succeed in none, the destination is down, and the partitions share their attempts: the work for a
destination that is down does not grow with the number of partitions.
"""

import asyncio
import time
from collections import defaultdict
from dataclasses import dataclass

from models.outgoing import Destination, DestinationState
from settings import EventSettings
from store.backoff import pause
from workers.outgoing.sinks import Sink, open_sink

_MANY = 4
"""A destination is down if attempts have failed in this many partitions, and none has succeeded since."""


@dataclass(slots=True)
class Pause:
    """The pause after failed attempts to send events. `failures` is the number of failures in a row. `resumes_at` is
    when the next attempt may begin, a time of `time.monotonic`.
    """

    failures: int = 0
    resumes_at: float = 0.0

    @property
    def is_over(self) -> bool:
        """Returns whether the next attempt may begin."""
        return time.monotonic() >= self.resumes_at

    def put_off(self, longest: float) -> None:
        """Lets the next attempt begin after a pause, which grows with the number of failures in a row, up to `longest`
        seconds.
        """
        self.failures += 1
        self.resumes_at = time.monotonic() + pause(self.failures, longest)

    def end(self) -> None:
        """Lets the next attempt begin at once."""
        self.failures, self.resumes_at = 0, 0.0


@dataclass(slots=True)
class Lane(Pause):
    """How this worker sends the events of one partition to one destination: the pause after failures, and the task that
    sends events.
    """

    task: "asyncio.Task[None] | None" = None

    @property
    def is_busy(self) -> bool:
        """Returns whether events are being sent."""
        return self.task is not None and not self.task.done()


class Line:
    """How this worker sends events to one destination: the connection (`sink`), the limit of simultaneous requests
    (`slots`), and for each partition the pause and the task (`lanes`).
    """

    def __init__(self, destination: Destination, settings: EventSettings) -> None:
        self.destination = destination
        self.sink: Sink = open_sink(destination, settings)
        self.slots = asyncio.Semaphore(settings.concurrency)
        self.lanes: defaultdict[int, Lane] = defaultdict(Lane)
        self._timeout, self._longest = settings.timeout, settings.longest_pause
        self._pause = Pause()
        self._failing: set[int] = set()
        """The partitions in which attempts have failed since one has succeeded in any partition."""

    @property
    def is_down(self) -> bool:
        """Returns whether attempts have failed in many partitions, and none has succeeded since."""
        return len(self._failing) >= _MANY

    @property
    def waits(self) -> bool:
        """Returns whether no attempt may begin now. While the destination is down, one attempt follows the other, with
        pauses, in any partition.
        """
        return self.is_down and not self._pause.is_over

    def begin(self) -> None:
        """Records that an attempt begins. If the destination is down, no other attempt begins until this one has ended
        or its time is over.
        """
        self._pause.resumes_at = time.monotonic() + self._timeout

    def failed(self, p: int) -> None:
        """Records that an attempt in a partition has failed."""
        self.lanes[p].put_off(self._longest)
        self._failing.add(p)
        self._pause.put_off(self._longest)

    def succeeded(self, p: int) -> None:
        """Records that an attempt in a partition has succeeded. If the destination was down, all partitions may send
        again at once.
        """
        for one in self._failing if self.is_down else ():
            self.lanes[one].end()
        self.lanes[p].end()
        self._failing.clear()
        self._pause.end()

    def is_about(self, destination: Destination) -> bool:
        """Returns whether this object can serve a destination that was read again: its name, URL, secrets and wanted
        events are unchanged.
        """
        return self.destination[:5] == destination[:5]

    def update(self, destination: Destination) -> None:
        """Takes over the state of the destination (active, paused or lapsed). If an operator has resumed the
        destination, ends all pauses after failures.
        """
        if self.destination.state is not DestinationState.ACTIVE:
            for p in list(self.lanes):
                self.succeeded(p)
        self.destination = destination

    @property
    def tasks(self) -> "list[asyncio.Task[None]]":
        """Returns the tasks that send events. Some may have ended."""
        return [lane.task for lane in self.lanes.values() if lane.task]

    async def close(self) -> None:
        """Cancels all requests and closes the connections."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.sink.close()
