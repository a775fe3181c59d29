"""Waiting in steps. A function that has to wait is a generator, which yields whenever it would wait, and does not
block. Between two steps the supervisor can serve other programs.
"""

import time
from collections.abc import Callable, Generator
from contextlib import closing
from threading import Thread
from typing import TypeVar

POLL_SECONDS = 0.02

T = TypeVar("T")
Steps = Generator[None, None, T]
"""A generator that yields whenever it has to wait, and at the end returns a result. To cancel it, close it: it then
undoes its unfinished work.
"""


def finished(steps: Steps[T]) -> T:
    """Runs a generator to its end, with a short pause after each step, and returns its result. Blocks meanwhile."""
    with closing(steps):
        while True:
            try:
                next(steps)
            except StopIteration as end:
                result: T = end.value
                return result
            time.sleep(POLL_SECONDS)


def until(condition: Callable[[], bool], seconds: float) -> Steps[bool]:
    """Calls `condition` once in each step. Returns True when it returns True, or False when `seconds` have passed."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        yield
    return True


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    """Blocks until `condition` returns True, and returns True. Returns False if that has not happened
    after `seconds`.
    """
    return finished(until(condition, seconds))


def in_background(ask: Callable[[], bool]) -> Callable[[], bool]:
    """Returns a version of `ask` that never blocks. It calls `ask` in a thread, one call at a time, and returns False
    until a finished call has returned True.
    """
    answers: list[bool] = []
    asking: list[Thread] = []

    def holds() -> bool:
        if not any(answers) and not any(thread.is_alive() for thread in asking):
            asking[:] = [Thread(target=lambda: answers.append(ask()), daemon=True)]
            asking[0].start()
        return any(answers)

    return holds
