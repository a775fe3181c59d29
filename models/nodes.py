"""Leases of the node numbers that are part of ids."""

from sqlalchemy import DateTime, Integer, SmallInteger, Text

from models.base import column, key, nullable, table

NODES_TABLE = table(
    "nodes",
    key("node", SmallInteger),
    column("owner", Text),
    column("lease_until", DateTime(timezone=True)),
    # The process's setting `pending_seconds`, in milliseconds.
    nullable("settle_ms", Integer),
    local="a row per id lease",
)
"""One row per node number that was ever leased. The number that has been free for longest is leased next."""
