"""The base class of all tables, and a conversion of times."""

from datetime import UTC, datetime

from sqlalchemy import MetaData
from sqlalchemy.orm import DeclarativeBase


class Base(DeclarativeBase):
    """The base class of all tables. The key `shard` in a table's `info` names its distribution column."""

    metadata = MetaData(naming_convention={"pk": "%(table_name)s_pkey", "ix": "%(table_name)s_%(column_0_N_name)s_idx"})


def at(ms: int) -> datetime:
    """Converts milliseconds since the Unix epoch to an aware datetime in UTC."""
    return datetime.fromtimestamp(ms / 1000, UTC)
