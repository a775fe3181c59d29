"""Helpers with which all tables are declared, columns that several tables share, and conversions of times."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column, MetaData, Table, Text
from sqlalchemy.dialects.postgresql import INET
from sqlalchemy.schema import SchemaItem

METADATA = MetaData(naming_convention={"pk": "%(table_name)s_pkey", "ix": "%(table_name)s_%(column_0_N_name)s_idx"})
"""The metadata with all tables. In a distributed database, the `info` of a table says where its rows are: `shard` is
the column by which rows are spread over servers; `local` is the reason why the table stays on the coordinator.
"""


def table(
    name: str, *items: SchemaItem, shard: str = "", local: str = "", storage: Mapping[str, float] | None = None
) -> Table:
    """Declares a table with columns and indexes (`items`), and returns it.

    Pass either `shard`, the column by which a distributed database spreads the rows over servers, or `local`, the
    reason why the table stays on the coordinator. `storage` has storage parameters of Postgres, such as `{"fillfactor":
    80}`.
    """
    assert bool(shard) != bool(local), name
    info = {"shard": shard} if shard else {"local": local}
    return Table(name, METADATA, *items, info=info, postgresql_with=dict(storage or {}))


def key(name: str, kind: Any) -> Column[Any]:
    """Returns a column of the primary key. Its values come from the application, never from a sequence."""
    return Column(name, kind, primary_key=True, autoincrement=False)


def column(name: str, kind: Any, *items: SchemaItem, **options: Any) -> Column[Any]:
    """Returns a column that is never null. `items` and `options` are passed to SQLAlchemy."""
    return Column(name, kind, *items, nullable=False, **options)


def nullable(name: str, kind: Any) -> Column[Any]:
    """Returns a column that may be null."""
    return Column(name, kind)


def client_columns() -> list[Column[Any]]:
    """Returns the columns that store where a change came from: the client's IP address, device id and name."""
    return [nullable("ip", INET), nullable("device", Text), nullable("client", Text)]


HAS_CLIENT = "ip IS NOT NULL OR device IS NOT NULL OR client IS NOT NULL"
"""The SQL condition that a row says where its change came from (`client_columns`)."""


def at(ms: int) -> datetime:
    """Converts milliseconds since the Unix epoch to an aware datetime in UTC."""
    return datetime.fromtimestamp(ms / 1000, UTC)


def ms(time: datetime) -> int:
    """Converts an aware datetime to milliseconds since the Unix epoch."""
    return round(time.timestamp() * 1000)
