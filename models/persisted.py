"""Imported persisted operations, which every API process runs by their ids."""

from sqlalchemy import DateTime, Text, text

from models.base import column, key, table

PERSISTED_OPERATIONS_TABLE = table(
    "persisted_operations",
    key("id", Text),
    column("name", Text),
    column("kind", Text),
    column("document", Text),
    column("source", Text),
    column("imported_at", DateTime(timezone=True), server_default=text("now()")),
    shard="id",
)
"""One persisted operation. Its text never changes, because its id depends on the text."""
