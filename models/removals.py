"""How much the workers have removed because it was older than its retention period."""

from sqlalchemy import BigInteger, DateTime, Text

from models.base import column, key, table

REMOVALS_TABLE = table(
    "removals",
    # The kind of data (store/old_rows.py).
    key("kind", Text),
    column("removed", BigInteger),
    # When the first and the last batch was removed.
    column("first_at", DateTime(timezone=True)),
    column("last_at", DateTime(timezone=True)),
    local="one row for each kind of data",
)
"""The number of rows that were removed or emptied since the installation. A batch is counted in the transaction that
removes it.
"""
