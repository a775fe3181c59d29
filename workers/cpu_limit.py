"""Limits the CPU time for which a coroutine holds the event loop.

A worker stores the changes of many users in one event loop. Without a limit, an entry whose handling takes seconds
would delay all of them, and their transactions and leases would expire.
"""

import signal
import threading
import types
from collections.abc import Coroutine, Generator
from typing import Any, TypeVar

T = TypeVar("T")


class TooSlow(Exception):  # noqa: N818 - tells what the code is
    """Raised in code that computes for too long without waiting for anything."""


@types.coroutine
def limited(coroutine: Coroutine[Any, Any, T], seconds: float) -> Generator[Any, Any, T]:
    """Runs a coroutine. Raises TooSlow in it when one of its steps, from one wait to the next, takes more than `seconds`
    of CPU time. A call of a C function is not interrupted; TooSlow is raised when it ends.

    Outside the main thread, where Python handles no signals, there is no limit.
    """
    if threading.current_thread() is not threading.main_thread():
        return (yield from coroutine.__await__())
    signal.signal(signal.SIGVTALRM, _interrupt)
    value, error = None, None
    while True:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds)  # again if the code has caught the first TooSlow
        try:
            awaited = coroutine.throw(error) if error else coroutine.send(value)
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        value, error = None, None
        try:
            value = yield awaited
        except BaseException as raised:  # noqa: BLE001 - passed on to the coroutine
            error = raised


def _interrupt(*_: object) -> None:
    raise TooSlow("handling this took too much CPU time")
