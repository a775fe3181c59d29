"""Leases of node numbers. A node number is the part of new ids that distinguishes the processes that make ids."""

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
"""One row per node number that was ever leased. Of the free numbers, the one that has been free for longest is leased
next.
"""
