"""Limits the CPU time for which a coroutine holds the event loop.

A process handles the changes of many users in one event loop. Without a limit, a change whose handling takes seconds
would delay all of them, and their transactions and leases would expire.

A timer of the kernel sends the signal SIGPROF. Python may handle a signal after the timer has been stopped, so the
handler checks whether a limited coroutine runs and has used up its time.
"""

import gc
import math
import signal
import threading
import time
import types
from collections.abc import Callable, Coroutine, Generator
from typing import Any, TypeVar

T = TypeVar("T")
_ends_at = math.inf
"""The CPU time of the main thread, in seconds, at which the running step of a limited coroutine is interrupted."""
_SECONDS_OF_ONE, _SECONDS_OF_EACH = 0.25, 0.0002
"""The most seconds of CPU time between two waits: for a single change, and for each of several changes."""
_SECONDS_OF_SEVERAL = 0.05
"""Seconds of CPU time that several changes may take together, in addition to those for each."""
_AGAIN = 0.01
"""Seconds of CPU time until the next attempt to interrupt a step, if the step could not be interrupted before."""
_NOT_INTERRUPTED = (
    *("asyncio", "concurrent", "logging", "queue", "threading"),
    *("observability", "opentelemetry", "prometheus_client", "store.postgres.client", "store.redis"),
    "projections.cpu_limit",
)
"""Modules, or packages of modules, whose code is not interrupted, because it holds locks, uses connections, or handles
the signal itself. A second signal may arrive while the first is handled. If it interrupted the handling after the step
has ended, the result of the step would be lost.
"""


class TooSlow(Exception):
    """Raised when a coroutine has used too much CPU time without waiting for anything."""


class _Interruption(BaseException):
    """Raised in a limited coroutine. Like a cancellation, it is not an Exception: code that handles errors lets it
    pass.
    """


def seconds_for(changes: int) -> float:
    """Returns how many seconds of CPU time the handling of this number of changes may take between two waits. The
    caller divides a batch that takes longer, until the slow change is alone.
    """
    return _SECONDS_OF_ONE if changes <= 1 else _SECONDS_OF_SEVERAL + _SECONDS_OF_EACH * changes


@types.coroutine
def limited(coroutine: Coroutine[Any, Any, T], seconds: float) -> Generator[Any, Any, T]:
    """Runs a coroutine, and returns its result. Interrupts each step of it, from one wait to the next, that takes more
    than `seconds` of CPU time. A call of a C function is only interrupted when it ends. If a step was too slow, raises
    TooSlow when the coroutine has ended, unless it was cancelled.

    Outside the main thread, where Python handles no signals, there is no limit.
    """
    if threading.current_thread() is not threading.main_thread():
        return (yield from coroutine.__await__())
    signal.signal(signal.SIGPROF, _interrupt)
    resume, sent, is_slow = coroutine.send, None, False
    while True:
        ends_at = time.thread_time() + seconds
        try:
            awaited = _step(resume, sent, seconds, ends_at)
        except (Exception, _Interruption) as error:
            if is_slow or time.thread_time() >= ends_at:
                raise TooSlow("handling this took too much CPU time") from error
            if isinstance(error, StopIteration):
                result: T = error.value
                return result
            raise
        is_slow = is_slow or time.thread_time() >= ends_at
        try:
            resume, sent = coroutine.send, (yield awaited)
        except BaseException as error:  # noqa: BLE001 - passed on to the coroutine
            resume, sent = coroutine.throw, error


def _step(resume: Callable[[Any], Any], sent: Any, seconds: float, ends_at: float) -> Any:
    global _ends_at  # noqa: PLW0603 - a process has one timer
    collects = gc.isenabled()
    gc.disable()  # a collection of all garbage of the process would count as time of this step
    signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN)
    _ends_at = ends_at
    try:
        return resume(sent)
    finally:
        _ends_at = math.inf
        signal.setitimer(signal.ITIMER_PROF, 0)
        if collects:
            gc.enable()


def _interrupt(_: int, frame: types.FrameType | None) -> None:
    """Handles the signal of the timer: interrupts the running step. Does nothing between two steps, or if other threads
    have used the CPU time.
    """
    if time.thread_time() >= _ends_at and _may_interrupt(frame):
        raise _Interruption


def _may_interrupt(frame: types.FrameType | None) -> bool:
    """Returns whether code of a limited coroutine that may be interrupted runs in this frame. An interrupted statement
    would leave its connection in an unknown state, and an interrupted use of a lock could leave it locked. SQLAlchemy
    runs statements in greenlets, whose frames do not lead to `_step`.
    """
    modules = list[str]()
    while frame and frame.f_code is not _step.__code__:
        modules.append(frame.f_globals["__name__"])
        frame = frame.f_back
    return frame is not None and modules != [] and not any(one.startswith(_NOT_INTERRUPTED) for one in modules)
