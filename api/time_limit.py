"""A time limit for many tasks with one timer. `asyncio.timeout` creates a timer for each task, which costs more."""

import asyncio
from types import TracebackType


class TimeLimit:
    """A limit for the duration of blocks of code: `with limit:`. A block that takes longer is cancelled and raises
    TimeoutError. A task runs at most one block at a time under the same limit.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._running: dict[asyncio.Task[object], tuple[float, int]] = {}
        """For each task with a running block, when the time of the block ends, by the clock of the event loop; and how
        often the task was cancelled before the block. The block that ends first is first.
        """
        self._expired: set[asyncio.Task[object]] = set()
        """The tasks whose running block was cancelled."""
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> None:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        assert task not in self._running
        ends = loop.time() + self._seconds
        self._running[task] = ends, task.cancelling()
        if self._timer is None:
            self._timer = loop.call_at(ends, self._expire, loop)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        task = asyncio.current_task()
        assert task is not None
        cancelling = self._running.pop(task)[1]
        if task in self._expired:
            self._expired.remove(task)
            if task.uncancel() <= cancelling and kind is asyncio.CancelledError:
                raise TimeoutError from error

    def _expire(self, loop: asyncio.AbstractEventLoop) -> None:
        """Cancels the blocks whose time has ended, and sets the timer for the next block."""
        now, self._timer = loop.time(), None
        for task, (ends, _) in self._running.items():
            if ends > now:
                self._timer = loop.call_at(ends, self._expire, loop)
                return
            if task not in self._expired:
                self._expired.add(task)
                task.cancel()
