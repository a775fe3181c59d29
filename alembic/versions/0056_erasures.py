"""Adds the table of erasures, the column that marks erased entities, and indexes with which everything below an entity
is found.

The indexes are built concurrently, so writes do not wait. If the migration fails, run it again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None

INDEXES = {
    "entities_erased_idx": ("entities", ["business_id", "key"], "erased"),
    "reactions_ended_idx": ("reactions", ["business_id", "entity_id"], "state = 0"),
    "saves_ended_idx": ("saves", ["business_id", "entity_id"], "collection_id = 0"),
    "thread_mutes_thread_idx": ("thread_mutes", ["business_id", "entity_id"], None),
    "notifications_about_idx": ("notifications", ["business_id", "entity_id"], "business_id NOT IN (1, 2)"),
}


def upgrade() -> None:
    op.execute("ALTER TABLE entities ADD COLUMN IF NOT EXISTS erased boolean DEFAULT false NOT NULL")
    with op.get_context().autocommit_block():
        for name, (table, columns, where) in INDEXES.items():
            # A build that failed leaves an invalid index.
            op.drop_index(name, table, if_exists=True, postgresql_concurrently=True)
            rows = where and sa.text(where)
            op.create_index(name, table, columns, postgresql_where=rows, postgresql_concurrently=True)
    op.create_table(
        "erasures",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("since_ms", sa.BigInteger(), nullable=False),
        sa.Column("reached", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("removed", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("held", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("finished_ms", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("business_id", "entity_id", name="erasures_pkey"),
    )
    op.create_index(
        "erasures_unfinished_idx", "erasures", ["since_ms"], postgresql_where=sa.text("finished_ms IS NULL")
    )


def downgrade() -> None:
    op.drop_table("erasures")
    for name, (table, _, _) in INDEXES.items():
        op.drop_index(name, table)
    op.drop_column("entities", "erased")
