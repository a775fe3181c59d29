"""Bounded waiting, in steps: whoever waits for one program can look after the others between two steps."""

import time
from collections.abc import Callable, Generator
from contextlib import closing
from threading import Thread
from typing import TypeVar

POLL_SECONDS = 0.02

T = TypeVar("T")
Steps = Generator[None, None, T]
"""Work that yields whenever it has to wait, and returns its result. Closing it undoes what it has begun."""


def finished(steps: Steps[T]) -> T:
    """Runs steps to their end, with a short pause between two of them. Returns their result."""
    with closing(steps):
        while True:
            try:
                next(steps)
            except StopIteration as end:
                result: T = end.value
                return result
            time.sleep(POLL_SECONDS)


def until(condition: Callable[[], bool], seconds: float) -> Steps[bool]:
    """Asks `condition` again and again until it holds (True) or `seconds` have passed (False)."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        yield
    return True


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    """Waits for `until`."""
    return finished(until(condition, seconds))


def in_background(ask: Callable[[], bool]) -> Callable[[], bool]:
    """Returns a condition that never blocks: it asks in a thread, one question at a time, and holds once an answer was
    yes.
    """
    answers: list[bool] = []
    asking: list[Thread] = []

    def holds() -> bool:
        if not any(answers) and not any(thread.is_alive() for thread in asking):
            asking[:] = [Thread(target=lambda: answers.append(ask()), daemon=True)]
            asking[0].start()
        return any(answers)

    return holds
