"""Reads a table in batches, for comparisons."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import TextClause

from store.postgres.client import Postgres

BATCH = 500
"""How many keys one statement compares."""

Batches = AsyncIterator[Sequence[Any]]
"""Batches of rows: the columns of a key, then whether the key drifts, unless the keyset says otherwise."""


class Keyset(NamedTuple):
    """A statement that reads a table in batches. The first columns of a row are its key.

    The statement has the parameters `names`, for the key of the last row of the batch before, and `count`, for the
    number of rows.
    """

    statement: TextClause
    names: Sequence[str]

    async def batches(self, postgres: Postgres) -> Batches:
        """Yields the rows of the table in batches."""
        after: Sequence[Any] = [-1] * len(self.names)
        while True:
            rows = await postgres.read(self.statement, **dict(zip(self.names, after, strict=True)), count=BATCH)
            if rows:
                yield rows
            if len(rows) < BATCH:
                return
            after = rows[-1][: len(self.names)]
