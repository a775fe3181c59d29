"""What all comparisons give, and how they go through a table."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import TextClause

from store.postgres.client import Postgres

BATCH = 500
"""So many keys are compared by one statement."""

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


async def keyset(postgres: Postgres, statement: TextClause, names: Sequence[str]) -> AsyncIterator[Sequence[Any]]:
    """Batches of a statement's rows, of which the first columns are the key: they are passed on by these names as what
    the next batch comes after, with the `count` of rows wanted.
    """
    after: Sequence[Any] = [-1] * len(names)
    while True:
        rows = await postgres.read(statement, **dict(zip(names, after, strict=True)), count=BATCH)
        if rows:
            yield rows
        if len(rows) < BATCH:
            return
        after = rows[-1][: len(names)]


async def drifting(
    postgres: Postgres,
    kind: str,
    statement: TextClause,
    names: Sequence[str],
    repair: Callable[[Sequence[RowKey]], Awaitable[None]],
) -> Compare:
    """Of a statement whose rows are a key and, last, whether it drifts."""
    async for rows in keyset(postgres, statement, names):
        keys = [tuple(row[: len(names)]) for row in rows if row[-1]]
        yield Compared(kind, len(rows), len(keys), lambda keys=keys: repair(keys))  # type: ignore[misc]
