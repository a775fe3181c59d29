"""Adds the index of the posts that refer to an entity.

The index is built concurrently, so writes do not wait. If the migration fails, run it again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0063"
down_revision = "0062"

_INDEX = "posts_about_idx"


def upgrade() -> None:
    with op.get_context().autocommit_block():
        # A build that failed leaves an invalid index.
        op.drop_index(_INDEX, "posts", if_exists=True, postgresql_concurrently=True)
        op.create_index(
            _INDEX,
            "posts",
            ["about_id", "about_business", sa.text("moment DESC"), sa.text("post_id DESC")],
            postgresql_where=sa.text("about_id IS NOT NULL AND status = 1 AND NOT deleted"),
            postgresql_concurrently=True,
        )


def downgrade() -> None:
    op.drop_index(_INDEX, "posts")
