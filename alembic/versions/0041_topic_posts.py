"""Leaves the posts of the square out of the index of a topic's newest posts, and vacuums `topic_posts` more often.

The newest posts of the square are read from `posts`. The index is built concurrently, so posts do not wait. If the
migration fails, run it again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

TABLE = "topic_posts"
COLUMNS: list[str | sa.TextClause] = ["topic_id", sa.text("moment DESC"), sa.text("post_id DESC")]
STORAGE = ("autovacuum_vacuum_scale_factor", "autovacuum_vacuum_insert_scale_factor")


def upgrade() -> None:
    _build("topic_posts_latest_idx", sa.text("topic_id <> 0"))
    with op.get_context().autocommit_block():
        op.drop_index("topic_posts_recent_idx", TABLE, if_exists=True, postgresql_concurrently=True)
    op.execute(f"ALTER TABLE {TABLE} SET ({', '.join(f'{name} = 0.01' for name in STORAGE)})")


def downgrade() -> None:
    op.execute(f"ALTER TABLE {TABLE} RESET ({', '.join(STORAGE)})")
    _build("topic_posts_recent_idx", None)
    op.drop_index("topic_posts_latest_idx", TABLE)


def _build(name: str, where: sa.TextClause | None) -> None:
    with op.get_context().autocommit_block():
        # A build that failed leaves an invalid index.
        op.drop_index(name, TABLE, if_exists=True, postgresql_concurrently=True)
        op.create_index(name, TABLE, COLUMNS, postgresql_where=where, postgresql_concurrently=True)
