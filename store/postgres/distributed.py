"""Statements that differ if Citus distributes the tables over several nodes (docs/operate/scale.md).

Citus splits a table into shards, and runs FOR UPDATE in one shard only. So `one_shard` makes statements that lock
rows: on Citus, a transaction runs such a statement once for each shard, in the order of the shards. Then all
transactions lock the rows of a table in one order. `some_shards` makes statements that read the rows for an array of
values. On Citus, they have an extra condition, from which Citus finds the shards with these rows; without it, Citus
asks all shards. `on_citus` gives a statement another text for Citus. Few statements need one.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, TextClause, event, text

_HAS_CITUS = "SELECT to_regclass('pg_dist_partition') IS NOT NULL"
_DISTRIBUTES = "SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('posts'))"
SHARDS_OF = text("""
    SELECT get_shard_id_for_distribution_column(CAST(CAST(:table AS text) AS regclass), value)
    FROM unnest(CAST(:values AS bigint[])) WITH ORDINALITY AS w(value, place) ORDER BY place
""")
"""Selects, for each of these values of a table's distribution column, the id of the shard that has its rows."""
_DISTRIBUTED, _PLACE, _ON_CITUS = "distributed", "place", "on_citus"


class Place(NamedTuple):
    """Where a statement locks rows: in the shards of `table` that the values of the array parameter `parameter` belong
    to.
    """

    table: str
    parameter: str


def one_shard(sql: str, *, table: str, column: str, parameter: str) -> TextClause:
    """Returns a statement that locks rows of `table`, and that `Transaction.execute` runs once for each shard on Citus.
    `column` is the table's distribution column, and `parameter` the name of the array with its values in these rows.
    All arrays among the parameters must have the same length: each run gets the elements for one shard.

    Write `{in_shard}` as a condition wherever `sql` uses the table. On Citus it becomes a condition on `column`, from
    which Citus finds the shard; otherwise it becomes `true`.
    """
    statement = some_shards(sql, column=column, parameter=parameter)
    place = Place(table, parameter)
    return on_citus(statement, for_citus(statement).execution_options(**{_PLACE: place}))


def some_shards(sql: str, *, column: str, parameter: str, type_: str = "bigint") -> TextClause:
    """Returns a statement that reads the rows whose distribution column `column` has one of the values of the array
    parameter `parameter`. `type_` is the column's type.

    Write `{in_shard}` as a condition in `sql`. On Citus it becomes a condition on `column`, from which Citus finds the
    shards; it cannot find them in a join with `unnest`. On a plain Postgres it becomes `true`, because the condition
    would change nothing and could slow the plan.
    """
    condition = f"{column} = ANY(CAST(:{parameter} AS {type_}[]))"
    return on_citus(text(sql.format(in_shard="true")), text(sql.format(in_shard=condition)))


def on_citus(statement: TextClause, other: TextClause) -> TextClause:
    """Returns a copy of `statement` in whose place `other` runs on Citus."""
    return statement.execution_options(**{_ON_CITUS: for_citus(other)})


def for_citus(statement: TextClause) -> TextClause:
    """Returns the statement that runs on Citus in place of this one; usually the statement itself."""
    other: TextClause = statement.get_execution_options().get(_ON_CITUS, statement)
    return other


def place_of(statement: TextClause) -> Place | None:
    """Returns where a statement for Citus locks rows; None if `one_shard` did not make it."""
    place: Place | None = statement.get_execution_options().get(_PLACE)
    return place


class Detection:
    """Makes each new connection of an engine find out whether Citus distributes the tables."""

    def __init__(self, engine: Engine) -> None:
        self.is_distributed = False
        """Whether the tables were distributed when the newest connection was made; false before the first one."""
        event.listen(engine, "connect", self._connected)

    def _connected(self, connection: Any, record: Any) -> None:
        self.is_distributed = record.info[_DISTRIBUTED] = connection.run_async(_is_distributed)


async def _is_distributed(connection: Any) -> bool:
    return bool(await connection.fetchval(_HAS_CITUS)) and bool(await connection.fetchval(_DISTRIBUTES))


def is_distributed(connection: Connection) -> bool:
    """Returns whether Citus distributed the tables when the connection was made."""
    return bool(connection.info.get(_DISTRIBUTED))


def split(parameters: Mapping[str, Any], shards: Sequence[int]) -> list[dict[str, Any]]:
    """Splits the arrays among a statement's parameters by shard. `shards` has the shard id of each element. Returns one
    set of parameters for each shard, in the order of the shard ids. Elements of one shard stay in their order.
    """
    groups: dict[int, list[int]] = {shard: [] for shard in sorted(set(shards))}
    for index, shard in enumerate(shards):
        groups[shard].append(index)
    return [
        {name: [value[i] for i in some] if isinstance(value, list) else value for name, value in parameters.items()}
        for some in groups.values()
    ]
