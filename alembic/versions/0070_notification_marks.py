"""Adds what users have seen of their notifications and which of them they have read alone, the languages of users, the
kinds of notifications that users want only from followed users, and quiet hours.

No statement rewrites a table: the new columns are null, or have a constant default.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0070"
down_revision = "0069"

_ZERO = sa.text("0")
COLUMNS: dict[str, list[sa.Column[Any]]] = {
    "users": [sa.Column("language", sa.Text(), nullable=True)],
    "notifications": [sa.Column("read_moment", sa.BigInteger(), nullable=True)],
    "notification_heads": [
        sa.Column("seen_moment", sa.BigInteger(), nullable=False, server_default=_ZERO),
        sa.Column("read_alone", sa.BigInteger(), nullable=False, server_default=_ZERO),
    ],
    "notification_preferences": [
        sa.Column("only_followed", ARRAY(sa.SmallInteger()), nullable=False, server_default=sa.text("'{}'")),
        sa.Column("quiet_begin", sa.SmallInteger(), nullable=True),
        sa.Column("quiet_end", sa.SmallInteger(), nullable=True),
        sa.Column("quiet_zone", sa.Text(), nullable=True),
    ],
}


def upgrade() -> None:
    for table, columns in COLUMNS.items():
        for column in columns:
            op.add_column(table, column)


def downgrade() -> None:
    for table, columns in COLUMNS.items():
        for column in columns:
            op.drop_column(table, column.name)
