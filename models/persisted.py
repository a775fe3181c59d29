"""Persisted operations that were imported, which every API process runs by their ids; the versions of clients that use
them; withdrawn operations; and how often operations were used.
"""

from sqlalchemy import BigInteger, DateTime, Index, Text, text

from models.base import column, key, nullable, table

PERSISTED_OPERATIONS_TABLE = table(
    "persisted_operations",
    key("id", Text),
    column("name", Text),
    column("kind", Text),
    column("document", Text),
    column("source", Text),
    column("imported_at", DateTime(timezone=True), server_default=text("now()")),
    local="few rows, which every API process reads whole",
)
"""One persisted operation. Its text never changes, because its id depends on the text."""

PERSISTED_VERSIONS_TABLE = table(
    "persisted_versions",
    key("client", Text),
    key("version", Text),
    column("imported_at", DateTime(timezone=True), server_default=text("now()")),
    # The message for clients of this version, if it is withdrawn.
    nullable("withdrawn", Text),
    local="few rows, which every API process reads whole",
)
"""One version of a client for which operations were imported. `imported_at` is the time of the last import. Operations
that were imported without a client belong to the row with an empty client and version.
"""

PERSISTED_VERSION_OPERATIONS_TABLE = table(
    "persisted_version_operations",
    key("client", Text),
    key("version", Text),
    key("operation_id", Text),
    Index(None, "operation_id"),
    local="few rows, joined with the versions",
)
"""One operation that a version of a client uses."""

PERSISTED_WITHDRAWALS_TABLE = table(
    "persisted_withdrawals",
    key("operation_id", Text),
    column("message", Text),
    column("withdrawn_at", DateTime(timezone=True), server_default=text("now()")),
    local="few rows, which every API process reads whole",
)
"""One operation that an operator withdrew by its id, with the message that clients get."""

PERSISTED_USAGE_TABLE = table(
    "persisted_usage",
    key("operation_id", Text),
    key("client", Text),
    key("version", Text),
    column("requests", BigInteger),
    column("last_used_at", DateTime(timezone=True)),
    local="few rows, joined with the operations",
)
"""How often a version of a client has requested an operation. All clients and versions without an import
share one row.
"""
