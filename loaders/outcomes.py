"""Values of which some could not be read: the exception that says why stands in their place."""

from collections.abc import Awaitable, Iterable
from typing import TypeVar

from domain.errors import Unavailable
from store.postgres.client import PostgresDown

T = TypeVar("T")


async def tried(reading: Awaitable[T]) -> T | PostgresDown:
    """What is read, or why it cannot be."""
    try:
        return await reading
    except PostgresDown as error:
        return error


def all_of(values: Iterable[T | Unavailable]) -> list[T]:
    """All of them. Raises why the first of those cannot be read that cannot be."""
    read: list[T] = []
    for value in values:
        if isinstance(value, Unavailable):
            raise value
        read.append(value)
    return read
