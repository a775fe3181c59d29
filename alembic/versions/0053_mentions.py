"""Adds the users whom posts and comments mention, and the indexes that find the posts and comments that mention a user.

The indexes are built concurrently, so writes do not wait. If the migration fails, run it again.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0053"
down_revision = "0052"

TABLES = "posts", "comment_contents"


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, sa.Column("mentioned", JSONB(), nullable=True), if_not_exists=True)
    with op.get_context().autocommit_block():
        for table in TABLES:
            name = f"{table}_mentioned_idx"
            # A build that failed leaves an invalid index.
            op.drop_index(name, table, if_exists=True, postgresql_concurrently=True)
            op.create_index(
                name,
                table,
                ["mentioned"],
                postgresql_concurrently=True,
                postgresql_using="gin",
                postgresql_ops={"mentioned": "jsonb_path_ops"},
                postgresql_where=sa.text("mentioned IS NOT NULL"),
            )


def downgrade() -> None:
    for table in TABLES:
        op.drop_index(f"{table}_mentioned_idx", table)
        op.drop_column(table, "mentioned")
