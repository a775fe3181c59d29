"""How comparisons go through a table."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

from sqlalchemy import TextClause

from store.postgres.client import Postgres

BATCH = 500
"""So many keys are compared by one statement."""

Batches = AsyncIterator[Sequence[Any]]
"""Batches of rows: a key's columns, then whether it drifts, unless their function says otherwise."""


async def keyset(postgres: Postgres, statement: TextClause, names: Sequence[str]) -> Batches:
    """Reads batches of a statement's rows, of which the first columns are the key.

    The statement gets the key of the last row under these names, and the `count` of rows wanted.
    """
    after: Sequence[Any] = [-1] * len(names)
    while True:
        rows = await postgres.read(statement, **dict(zip(names, after, strict=True)), count=BATCH)
        if rows:
            yield rows
        if len(rows) < BATCH:
            return
        after = rows[-1][: len(names)]
