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


def compared(key: str, batch: str, agreeing: str, before: str = "") -> str:
    """Returns the SQL of a statement that compares a batch of rows: it selects the columns of each row's key, and
    whether the row drifts.

    `batch` selects the rows, in order of the key. `agreeing` selects the keys of the rows of `batch` that do not drift;
    it may use the CTEs `before`, which end with a comma. A distributed Postgres reads the batch first and sends it to
    all shards. An outer join with the batch, or a subquery that refers to it, would copy whole tables instead.
    """
    first = key.partition(",")[0]
    return f"""
        WITH batch AS MATERIALIZED ({batch}), {before} agreeing AS MATERIALIZED ({agreeing})
        SELECT {key}, a.{first} IS NULL FROM batch LEFT JOIN agreeing a USING ({key}) ORDER BY {key}
    """  # noqa: S608 - constants of the callers
