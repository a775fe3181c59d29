"""Alternates between measurements (A, B, A, B …), so that other load on the machine affects all sides equally."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")
Turn = Callable[[], Awaitable[float]]


async def alternate(rounds: int, *sides: Callable[[], Awaitable[T]]) -> list[list[T]]:
    """Runs the sides in turn. Returns the results of each side. A first round warms caches and is not counted."""
    taken = [[await turn() for turn in sides] for _ in range(rounds + 1)]
    return [list(side) for side in zip(*taken[1:], strict=True)]
