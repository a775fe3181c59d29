"""Runs measurements in turns (A, B, A, B …), so that other load on the machine affects all of them equally."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")
Turn = Callable[[], Awaitable[float]]


async def alternate(rounds: int, *sides: Callable[[], Awaitable[T]]) -> list[list[T]]:
    """Runs the measurements `sides` in turns, in `rounds` rounds. Returns the results of each one by round. A first
    round, which fills caches, is not counted.
    """
    taken = [[await turn() for turn in sides] for _ in range(rounds + 1)]
    return [list(side) for side in zip(*taken[1:], strict=True)]
