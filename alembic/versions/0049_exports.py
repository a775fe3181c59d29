"""Adds the table of exports, and indexes with which the data of one user is found.

The indexes are built concurrently, so writes do not wait. If the migration fails, run it again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None

INDEXES = {
    "identities_user_idx": ("identities", ["user_id"]),
    "comment_contents_author_idx": ("comment_contents", ["author_id", "comment_id"]),
}


def upgrade() -> None:
    with op.get_context().autocommit_block():
        for name, (table, columns) in INDEXES.items():
            # A build that failed leaves an invalid index.
            op.drop_index(name, table, if_exists=True, postgresql_concurrently=True)
            op.create_index(name, table, columns, postgresql_concurrently=True)
    op.create_table(
        "exports",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("requested_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="exports_pkey"),
    )


def downgrade() -> None:
    for name, (table, _) in INDEXES.items():
        op.drop_index(name, table)
    op.drop_table("exports")
