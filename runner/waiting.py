"""Bounded waiting."""

import time
from collections.abc import Callable

POLL_SECONDS = 0.02


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    """Ask `condition` again and again until it holds (True) or `seconds` have passed (False)."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True
