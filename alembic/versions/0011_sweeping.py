"""Prepares the removal of old views, shares and log lines (indexes, and the table of removed numbers), and stores each
process's `settle` setting.

Writes wait while the indexes are built. On large tables, build them first, with CREATE INDEX CONCURRENTLY and these
names.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

SWEPT = ("records", "like_log", "follow_log")
PROCESSES = ("nodes", "workers")


def upgrade() -> None:
    op.create_table(
        "swept_records",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "kind", "entity_id", name=op.f("swept_records_pkey")),
    )
    for table in SWEPT:
        op.create_index(f"{table}_version_idx", table, ["version"], if_not_exists=True)
    for table in PROCESSES:
        op.add_column(table, sa.Column("settle_ms", sa.Integer(), nullable=True))


def downgrade() -> None:
    for table in PROCESSES:
        op.drop_column(table, "settle_ms")
    for table in SWEPT:
        op.drop_index(f"{table}_version_idx", table)
    op.drop_table("swept_records")
