"""Taking turns: A, B, A, B …, so that whatever else the machine does hits both sides alike."""

from collections.abc import Awaitable, Callable

Turn = Callable[[], Awaitable[float]]


async def alternate(rounds: int, ours: Turn, baseline: Turn) -> tuple[list[float], list[float]]:
    """What each turn returned, by side. One round before them warms both up and is not counted."""
    mine: list[float] = []
    theirs: list[float] = []
    for _ in range(rounds + 1):
        mine.append(await ours())
        theirs.append(await baseline())
    return mine[1:], theirs[1:]
