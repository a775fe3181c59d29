"""The results of comparisons, in one form for all kinds of values."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from store.reconcile.batches import Batches

RowKey = tuple[Any, ...]


async def _nothing() -> None:
    pass


@dataclass(frozen=True, slots=True)
class Compared:
    """The result of comparing a batch of keys of one kind: the number of keys, the number that drift, and a function
    that repairs the drifting keys.

    `kind` is None for keys that do not count in the totals.
    """

    kind: str | None
    keys: int
    drifting: int
    repair: Callable[[], Awaitable[None]] = _nothing


def uncounted(keys: int) -> Compared:
    """Returns a result for keys that count towards the run's limit of keys per second, but not in the totals."""
    return Compared(None, keys, 0)


Compare = AsyncGenerator[Compared]


async def compare_rows(kind: str, batches: Batches, repair: Callable[[Sequence[RowKey]], Awaitable[None]]) -> Compare:
    """Yields the result of the comparison for each batch of rows. A row is a key, followed by whether the key drifts.
    `repair` repairs drifting keys.
    """
    async for rows in batches:
        keys = [tuple(row[:-1]) for row in rows if row[-1]]
        yield Compared(kind, len(rows), len(keys), lambda keys=keys: repair(keys))  # type: ignore[misc]
