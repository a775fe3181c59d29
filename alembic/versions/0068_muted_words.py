"""Adds the tables of hidden posts and of muted words."""

import sqlalchemy as sa
from alembic import op

revision = "0068"
down_revision = "0067"


def upgrade() -> None:
    op.create_table(
        "hidden_posts",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("post_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("state", sa.SmallInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "post_id", name="hidden_posts_pkey"),
    )
    op.create_table(
        "muted_words",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="muted_words_pkey"),
    )


def downgrade() -> None:
    op.drop_table("muted_words")
    op.drop_table("hidden_posts")
