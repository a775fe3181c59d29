"""Adds to `topic_posts` whether a topic counts the post, and the table of recounts.

Requests a recount for each private or suspended account that has public posts: topics do not count them any more. If
you go back, run `plaudit reconcile --repair` to count their posts again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "topic_recounts",
        sa.Column("author_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("reached", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("author_id", name=op.f("topic_recounts_pkey")),
        info={"shard": "author_id"},
    )
    op.execute("""
        INSERT INTO topic_recounts (author_id, version)
        SELECT user_id, version FROM users u WHERE (is_private OR suspended <> 1)
            AND EXISTS (SELECT FROM outboxes o WHERE o.author_id = u.user_id AND o.state = 1)
    """)
    # The lock on `topic_posts` comes last, so that writes do not wait while the users are read.
    op.add_column("topic_posts", sa.Column("counted", sa.Boolean(), server_default=sa.text("true"), nullable=False))


def downgrade() -> None:
    op.drop_column("topic_posts", "counted")
    op.drop_table("topic_recounts")
