"""Reads a table in batches, to compare derived rows with the rows from which they are derived.

A key *drifts* if the derived row for it is missing or differs from what it should be.
"""

from collections.abc import AsyncIterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import TextClause, text

from store.postgres.client import Postgres

BATCH = 500
"""How many keys one statement reads or compares."""


class Keyset(NamedTuple):
    """A statement that reads a table in batches, in the order of the key, which is in the first columns of a row.

    The statement has the parameters `names`, which get the key of the last row of the batch before, and `count`, which
    gets the number of rows.
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
    """A statement that compares a table in batches. It has the parameters of a `Keyset`. It selects the keys that
    drift, which means that their derived rows are wrong, and then the last key of the batch with the number of rows.
    """

    statement: TextClause
    names: Sequence[str]

    async def batches(self, postgres: Postgres) -> AsyncIterator[tuple[int, list[tuple[Any, ...]]]]:
        """Yields, for each batch, the number of rows compared, and the keys that drift, sorted."""
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

    `key` has the columns of the key, and `names` the names of the parameters for the key after which a batch begins.
    `batch` is the SQL that selects a batch, in the order of the key. `agreeing` is the SQL that selects the keys of
    `batch` whose derived rows are right, each once. It may use the CTEs in `before`, which ends with a comma.

    Citus reads the batch first, and sends it to all shards. If a distributed table had an outer join with the batch, or
    a subquery referred to the batch, Citus would copy whole tables instead. So `agreeing` must do neither.
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
