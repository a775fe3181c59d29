"""Groups of values with the same key, and chunks of long sequences."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Returns the values by key. `pairs` are pairs of key and value; the values of each key stay in their order."""
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def chunks(values: Sequence[V], size: int) -> Iterator[Sequence[V]]:
    """Yields the values in their order, in sequences of up to `size`."""
    return (values[at : at + size] for at in range(0, len(values), size))
