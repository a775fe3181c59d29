"""The results of comparisons, in one form for all kinds of values."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from state import State
from store.reconcile.batches import Comparison

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
Repair = Callable[[State, Sequence[RowKey]], Awaitable[None]]
"""Repairs the values of these keys."""


async def compare_rows(state: State, comparisons: Iterable[tuple[str, Comparison, Repair]]) -> Compare:
    """Makes these comparisons one after the other. Each comes with the kind of its values and the function that repairs
    them. Yields the result for each batch of rows.
    """
    for kind, comparison, repair in comparisons:
        async for size, keys in comparison.batches(state.postgres):
            yield Compared(kind, size, len(keys), partial(repair, state, keys))
