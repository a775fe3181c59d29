"""What every table shares, and what rows do."""

from datetime import UTC, datetime

from sqlalchemy import MetaData
from sqlalchemy.orm import DeclarativeBase


class Base(DeclarativeBase):
    """All tables' metadata; `shard` in a table's info names its distribution column."""

    metadata = MetaData(naming_convention={"pk": "%(table_name)s_pkey", "ix": "%(table_name)s_%(column_0_N_name)s_idx"})


def at(ms: int) -> datetime:
    """Milliseconds since the Unix epoch as rows tell the time."""
    return datetime.fromtimestamp(ms / 1000, UTC)
