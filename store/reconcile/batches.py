"""Reads a table in batches, for comparisons."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

from sqlalchemy import TextClause

from store.postgres.client import Postgres

BATCH = 500
"""How many keys one statement compares."""

Batches = AsyncIterator[Sequence[Any]]
"""Batches of rows: the columns of a key, then whether the key drifts, unless the function says otherwise."""


async def keyset(postgres: Postgres, statement: TextClause, names: Sequence[str]) -> Batches:
    """Yields the rows of a statement in batches. The first columns of a row are its key.

    The statement has the parameters `names`, for the key of the last row of the batch before, and `count`, for the
    number of rows.
    """
    after: Sequence[Any] = [-1] * len(names)
    while True:
        rows = await postgres.read(statement, **dict(zip(names, after, strict=True)), count=BATCH)
        if rows:
            yield rows
        if len(rows) < BATCH:
            return
        after = rows[-1][: len(names)]
