"""How a worker serves a destination: what it sends at the moment, and the pauses after failures.

Each partition has pauses of its own, so events that a destination refuses delay only their partition. If attempts fail
in many partitions and succeed in none, the destination is down, and the partitions share their attempts: the work for
a destination that is down does not grow with the number of partitions.
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
"""A destination is down if attempts fail in this many partitions."""


@dataclass(slots=True)
class Pause:
    """The pause after failed attempts."""

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
    """A partition of a destination, as this worker serves it."""

    task: "asyncio.Task[None] | None" = None

    @property
    def is_busy(self) -> bool:
        """Returns whether events are being sent."""
        return self.task is not None and not self.task.done()


class Line:
    """A destination, as this worker serves it."""

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
        """Records that an attempt begins. If the destination is down, no other begins before this one has ended."""
        self._pause.resumes_at = time.monotonic() + self._timeout

    def failed(self, p: int) -> None:
        """Records that an attempt in a partition has failed."""
        self.lanes[p].put_off(self._longest)
        self._failing.add(p)
        self._pause.put_off(self._longest)

    def succeeded(self, p: int) -> None:
        """Records that an attempt in a partition has succeeded. If the destination was down, all partitions go on."""
        for one in self._failing if self.is_down else ():
            self.lanes[one].end()
        self.lanes[p].end()
        self._failing.clear()
        self._pause.end()

    def is_about(self, destination: Destination) -> bool:
        """Returns whether a destination still gets the same events, in the same way."""
        return self.destination[:5] == destination[:5]

    def update(self, destination: Destination) -> None:
        """Takes over the state of the destination. If an operator has resumed it, it gets events at once."""
        if self.destination.state is not DestinationState.ACTIVE:
            for p in list(self.lanes):
                self.succeeded(p)
        self.destination = destination

    @property
    def tasks(self) -> "list[asyncio.Task[None]]":
        """Returns the tasks that send events, and some that have ended."""
        return [lane.task for lane in self.lanes.values() if lane.task]

    async def close(self) -> None:
        """Ends all requests and closes the connections."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.sink.close()
