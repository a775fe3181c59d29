"""Reads a table in batches, for comparisons."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import TextClause, text

from store.postgres.client import Postgres

BATCH = 500
"""How many keys one statement compares."""


class Keyset(NamedTuple):
    """A statement that reads a table in batches. The first columns of a row are its key.

    The statement has the parameters `names`, for the key of the last row of the batch before, and `count`, for the
    number of rows.
    """

    statement: TextClause
    names: Sequence[str]

    async def batches(self, postgres: Postgres) -> AsyncIterator[Sequence[Any]]:
        """Yields the rows of the table in batches."""
        after: Sequence[Any] = [-1] * len(self.names)
        while True:
            rows = await postgres.read(self.statement, **dict(zip(self.names, after, strict=True)), count=BATCH)
            if rows:
                yield rows
            if len(rows) < BATCH:
                return
            after = rows[-1][: len(self.names)]


class Comparison(NamedTuple):
    """A statement that compares a table in batches. It has the parameters of a keyset, and selects the keys that drift,
    then the last key of the batch with the number of its rows.
    """

    statement: TextClause
    names: Sequence[str]

    async def batches(self, postgres: Postgres) -> AsyncIterator[tuple[int, list[tuple[Any, ...]]]]:
        """Yields the number of rows of each batch, and the keys that drift, in order."""
        after: Sequence[Any] = [-1] * len(self.names)
        while True:
            rows = await postgres.read(self.statement, **dict(zip(self.names, after, strict=True)), count=BATCH)
            drifting = [tuple(row[:-1]) for row in rows if row.size is None]
            last = next((row for row in rows if row.size is not None), None)
            if last is None:
                return
            yield last.size, sorted(drifting)
            if last.size < BATCH:
                return
            after = last[:-1]


def compared(key: str, names: Sequence[str], batch: str, agreeing: str, before: str = "") -> Comparison:
    """Returns the comparison of a table with the rows from which it is derived.

    `key` names the columns of the key, and `names` the parameters with the values after which the batch begins. `batch`
    selects the batch, in order of the key. `agreeing` selects the keys of the rows of `batch` that do not drift, each
    once; it may use the CTEs `before`, which end with a comma.

    A distributed Postgres reads the batch first and sends it to all shards. An outer join with the batch, or a subquery
    that refers to it, would copy whole tables instead.
    """
    descending = ", ".join(f"{column} DESC" for column in key.split(", "))
    statement = text(f"""
        WITH batch AS MATERIALIZED ({batch}), {before} agreeing AS MATERIALIZED ({agreeing})
        (SELECT {key}, CAST(NULL AS bigint) AS size FROM batch
         WHERE (SELECT count(*) FROM agreeing) < (SELECT count(*) FROM batch)
           AND ({key}) NOT IN (SELECT {key} FROM agreeing))
        UNION ALL (SELECT {key}, (SELECT count(*) FROM batch) FROM batch ORDER BY {descending} LIMIT 1)
    """)  # noqa: S608 - constants of the callers
    return Comparison(statement, names)
