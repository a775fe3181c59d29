"""Results of reads that may fail one by one: an exception stands in place of each value that could not be read."""

from collections.abc import Awaitable, Iterable
from typing import TypeVar

from domain.errors import Unavailable
from store.postgres.client import PostgresDown

T = TypeVar("T")


async def tried(reading: Awaitable[T]) -> T | PostgresDown:
    """Awaits a read. Returns its result, or the PostgresDown that it raised."""
    try:
        return await reading
    except PostgresDown as error:
        return error


def all_of(values: Iterable[T | Unavailable]) -> list[T]:
    """Returns all values. Raises the first exception among them."""
    read: list[T] = []
    for value in values:
        if isinstance(value, Unavailable):
            raise value
        read.append(value)
    return read
