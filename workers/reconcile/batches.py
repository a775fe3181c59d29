"""The results of comparing derived values with their rows, in one form for all kinds of values."""

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
    """The result of comparing a batch of keys of one kind: the number of keys, the number whose values drift (differ
    from the rows), and a function that repairs these values.

    `kind` is None for keys that do not count in the totals of the run.
    """

    kind: str | None
    keys: int
    drifting: int
    repair: Callable[[], Awaitable[None]] = _nothing


def uncounted(keys: int) -> Compared:
    """Returns a result for keys that count for the speed of the run, but not in its totals."""
    return Compared(None, keys, 0)


Compare = AsyncGenerator[Compared]
Repair = Callable[[State, Sequence[RowKey]], Awaitable[None]]
"""Repairs the derived values of these keys."""


async def compare_rows(state: State, comparisons: Iterable[tuple[str, Comparison, Repair]]) -> Compare:
    """Makes these comparisons one after the other, and yields the result of each batch of rows. A comparison comes with
    the kind of its values and the function that repairs them.
    """
    for kind, comparison, repair in comparisons:
        async for size, keys in comparison.batches(state.postgres):
            yield Compared(kind, size, len(keys), partial(repair, state, keys))
