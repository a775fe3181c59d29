"""A time limit for many tasks with one timer. `asyncio.timeout` creates a timer for each task, which costs more."""

import asyncio
from types import TracebackType


class TimeLimit:
    """A limit for the duration of blocks of code: `with limit():`. A block that takes longer is cancelled and raises
    TimeoutError.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._running: dict[_Block, float] = {}
        """When the time of each running block ends, by the clock of the event loop. The earliest is first."""
        self._timer: asyncio.TimerHandle | None = None

    def __call__(self) -> "_Block":
        return _Block(self)

    def start(self, block: "_Block") -> None:
        """Starts the time of a block."""
        loop = asyncio.get_running_loop()
        ends = self._running[block] = loop.time() + self._seconds
        if self._timer is None:
            self._timer = loop.call_at(ends, self._expire, loop)

    def stop(self, block: "_Block") -> None:
        """Ends the time of a block that has finished."""
        del self._running[block]

    def _expire(self, loop: asyncio.AbstractEventLoop) -> None:
        """Cancels the blocks whose time has ended, and sets the timer for the next block."""
        now, self._timer = loop.time(), None
        for block, ends in self._running.items():
            if ends > now:
                self._timer = loop.call_at(ends, self._expire, loop)
                return
            block.expire()


class _Block:
    """One block of code that runs under a time limit."""

    __slots__ = ("_cancelling", "_has_expired", "_limit", "_task")

    def __init__(self, limit: TimeLimit) -> None:
        self._limit = limit
        self._has_expired = False

    def __enter__(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._task, self._cancelling = task, task.cancelling()
        self._limit.start(self)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._limit.stop(self)
        if self._has_expired and self._task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def expire(self) -> None:
        """Cancels the block, once."""
        if not self._has_expired:
            self._has_expired = True
            self._task.cancel()
