"""Waiting in steps: a generator yields whenever it has to wait, and does not block. Between two steps the supervisor
can serve other programs.
"""

import time
from collections.abc import Callable, Generator
from contextlib import closing
from threading import Thread
from typing import TypeVar

POLL_SECONDS = 0.02

T = TypeVar("T")
Steps = Generator[None, None, T]
"""A generator that yields whenever it has to wait, and returns a result. Closing it undoes unfinished work."""


def finished(steps: Steps[T]) -> T:
    """Runs all steps of a generator, with a short pause after each step. Returns the result of the generator."""
    with closing(steps):
        while True:
            try:
                next(steps)
            except StopIteration as end:
                result: T = end.value
                return result
            time.sleep(POLL_SECONDS)


def until(condition: Callable[[], bool], seconds: float) -> Steps[bool]:
    """Polls `condition` in steps that do not block. Returns True when `condition` returns True, or False when `seconds`
    have passed.
    """
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        yield
    return True


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    """Blocks until `condition` returns True, and then returns True. Returns False when `seconds` have passed."""
    return finished(until(condition, seconds))


def in_background(ask: Callable[[], bool]) -> Callable[[], bool]:
    """Returns a function that never blocks. It calls `ask` in a thread, one call at a time, and returns True after a
    call has returned True.
    """
    answers: list[bool] = []
    asking: list[Thread] = []

    def holds() -> bool:
        if not any(answers) and not any(thread.is_alive() for thread in asking):
            asking[:] = [Thread(target=lambda: answers.append(ask()), daemon=True)]
            asking[0].start()
        return any(answers)

    return holds
