"""Adds the indexes that find the posts and comments that show a file.

The indexes are built concurrently, so writes do not wait. If the migration fails, run it again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0057"
down_revision = "0056"

TABLES = "posts", "comment_contents"


def upgrade() -> None:
    with op.get_context().autocommit_block():
        for table in TABLES:
            name = f"{table}_files_idx"
            # A build that failed leaves an invalid index.
            op.drop_index(name, table, if_exists=True, postgresql_concurrently=True)
            op.create_index(
                name,
                table,
                ["images"],
                postgresql_concurrently=True,
                postgresql_using="gin",
                postgresql_ops={"images": "jsonb_path_ops"},
                postgresql_where=sa.text("images <> '[]'"),
            )


def downgrade() -> None:
    for table in TABLES:
        op.drop_index(f"{table}_files_idx", table)
