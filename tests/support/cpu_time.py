"""CPU time as on the machine for which limits were set. Virtual machines are slower at times, whatever runs in them."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_NORMAL = 0.0007
"""About the CPU seconds of `_known_work` on a machine on which the tests pass without a correction. Inferred: where the
work takes 1.08 ms, the same code takes 1.3 times as long as the limits allow.
"""


@dataclass
class Measured:
    """The slowness of the machine around a measured block."""

    slowness: float = 1.0
    """How many times longer known work took before and after the block than normally; at least 1."""


@contextmanager
def beside_known_work() -> Iterator[Measured]:
    """Measures how slow the machine is, before and after the block."""
    measured, before = Measured(), cpu_of(_known_work)
    yield measured
    measured.slowness = max(1.0, min(before, cpu_of(_known_work)) / _NORMAL)


def cpu_of(work: Callable[[], object]) -> float:
    """Returns the CPU time of a call in seconds."""
    started = time.process_time()
    work()
    return time.process_time() - started


def _known_work() -> None:
    sorted(({str(number): [number, (number, str(number))] for number in range(500)}).values(), key=str)
