"""Adds to the write mode what a promotion of a second site needs, and to each partition the end of its journal at the
promotion.

No statement rewrites a table: the new columns are null, or have a constant default.
"""

from alembic import op

revision = "0073"
down_revision = "0072"

_COLUMNS = {
    "term": "bigint DEFAULT 0 NOT NULL",
    "highest_term": "bigint DEFAULT 0 NOT NULL",
    "synchronous": "boolean DEFAULT false NOT NULL",
    "replicas": "smallint DEFAULT 1 NOT NULL",
    "snapshot": "text",
}


def upgrade() -> None:
    for column, kind in _COLUMNS.items():
        op.execute(f"ALTER TABLE modes ADD COLUMN IF NOT EXISTS {column} {kind}")
    op.execute("ALTER TABLE partitions ADD COLUMN IF NOT EXISTS promoted bigint DEFAULT 0 NOT NULL")


def downgrade() -> None:
    op.execute("ALTER TABLE partitions DROP COLUMN promoted")
    op.execute("ALTER TABLE modes " + ", ".join(f"DROP COLUMN {column}" for column in _COLUMNS))
