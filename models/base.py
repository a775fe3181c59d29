"""The base class of all tables, columns that several tables share, and a conversion of times."""

from datetime import UTC, datetime

from sqlalchemy import MetaData, Text
from sqlalchemy.dialects.postgresql import INET
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """The base class of all tables. The key `shard` in a table's `info` names its distribution column."""

    metadata = MetaData(naming_convention={"pk": "%(table_name)s_pkey", "ix": "%(table_name)s_%(column_0_N_name)s_idx"})


class ClientColumns:
    """The columns of a table that stores where a change came from: the client's IP address, device, and client name."""

    ip: Mapped[str | None] = mapped_column(INET)
    device: Mapped[str | None] = mapped_column(Text)
    client: Mapped[str | None] = mapped_column(Text)


def at(ms: int) -> datetime:
    """Converts milliseconds since the Unix epoch to an aware datetime in UTC."""
    return datetime.fromtimestamp(ms / 1000, UTC)
