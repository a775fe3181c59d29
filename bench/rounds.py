"""Taking turns: A, B, A, B …, so that whatever else the machine does hits all sides alike."""

from collections.abc import Awaitable, Callable

Turn = Callable[[], Awaitable[float]]


async def alternate(rounds: int, *sides: Turn) -> list[list[float]]:
    """What each turn returned, by side. One round before them warms all up and is not counted."""
    taken = [[await turn() for turn in sides] for _ in range(rounds + 1)]
    return [list(side) for side in zip(*taken[1:], strict=True)]
