"""What all comparisons give."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from store.reconcile.batches import Batches

RowKey = tuple[Any, ...]


async def _nothing() -> None:
    pass


@dataclass(frozen=True, slots=True)
class Compared:
    """A batch of keys of one kind: how many there were, how many drift, and what puts these right."""

    kind: str | None
    keys: int
    drifting: int
    repair: Callable[[], Awaitable[None]] = _nothing


def passed(keys: int) -> Compared:
    """Keys of no kind, or that were counted before: the rate holds for them, totals leave them out."""
    return Compared(None, keys, 0)


Compare = AsyncGenerator[Compared]


async def drifting(kind: str, batches: Batches, repair: Callable[[Sequence[RowKey]], Awaitable[None]]) -> Compare:
    """Compares batches of rows that are a key and, last, whether it drifts."""
    async for rows in batches:
        keys = [tuple(row[:-1]) for row in rows if row[-1]]
        yield Compared(kind, len(rows), len(keys), lambda keys=keys: repair(keys))  # type: ignore[misc]
