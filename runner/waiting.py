"""Waiting with a limit, in steps that do not block: between two steps the supervisor serves other programs."""

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
    """Runs all steps, with a short pause between two steps. Returns the result of the last step."""
    with closing(steps):
        while True:
            try:
                next(steps)
            except StopIteration as end:
                result: T = end.value
                return result
            time.sleep(POLL_SECONDS)


def until(condition: Callable[[], bool], seconds: float) -> Steps[bool]:
    """Polls `condition`. Returns True when it holds, False when `seconds` have passed."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        yield
    return True


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    """Waits until `condition` holds, as `until` does in steps. Returns False when `seconds` have passed."""
    return finished(until(condition, seconds))


def in_background(ask: Callable[[], bool]) -> Callable[[], bool]:
    """Returns a condition that never blocks. It calls `ask` in a thread, one call at a time, and holds after a True."""
    answers: list[bool] = []
    asking: list[Thread] = []

    def holds() -> bool:
        if not any(answers) and not any(thread.is_alive() for thread in asking):
            asking[:] = [Thread(target=lambda: answers.append(ask()), daemon=True)]
            asking[0].start()
        return any(answers)

    return holds
