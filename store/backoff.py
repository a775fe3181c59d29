"""How long to wait before something that failed is tried again."""

import random

_FIRST = 0.05
_ENOUGH = 20
"""Doublings beyond any longest pause; after an hour's failures a float would not hold them all."""


def pause(failures: int, longest: float) -> float:
    """Seconds after so many failures in a row: twice as long each time up to the longest, less up to half by chance."""
    return min(longest, _FIRST * 2.0 ** min(failures, _ENOUGH)) * random.uniform(0.5, 1)  # noqa: S311 - jitter
