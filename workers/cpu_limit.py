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


class TooSlow(Exception):
    """Raised in code that computes for too long without waiting for anything."""


@types.coroutine
def limited(coroutine: Coroutine[Any, Any, T], seconds: float) -> Generator[Any, Any, T]:
    """Runs a coroutine. Raises TooSlow in it when one of its steps, from one wait to the next, takes more than
    `seconds` of CPU time. Then raises TooSlow itself, even if the coroutine ends with another error: its transaction
    may have expired. A call of a C function is not interrupted; TooSlow is raised when it ends.

    Outside the main thread, where Python handles no signals, there is no limit.
    """
    if threading.current_thread() is not threading.main_thread():
        return (yield from coroutine.__await__())
    interruption = TooSlow("handling this took too much CPU time")
    value, error, is_slow = None, None, False

    def interrupt(*_: object) -> None:
        nonlocal is_slow
        is_slow = True
        raise interruption

    while True:
        signal.signal(signal.SIGPROF, interrupt)
        signal.setitimer(signal.ITIMER_PROF, seconds, seconds)  # again if the code has caught the first TooSlow
        try:
            awaited = coroutine.throw(error) if error else coroutine.send(value)
        except StopIteration as end:
            result: T = end.value
            return result
        except Exception as failure:
            if is_slow and failure is not interruption:
                raise interruption from failure
            raise
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        value, error = None, None
        try:
            value = yield awaited
        except BaseException as raised:  # noqa: BLE001 - passed on to the coroutine
            error = raised
