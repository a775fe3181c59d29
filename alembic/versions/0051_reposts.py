"""Adds reposts, and what posts quote.

The index of posts is built concurrently, so writes do not wait. If the migration fails, run it again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"

_NEWEST = sa.text("moment DESC")


_QUOTES = "quote_of IS NOT NULL AND status = 1 AND NOT deleted AND NOT detached"


def upgrade() -> None:
    op.execute("ALTER TABLE posts ADD COLUMN IF NOT EXISTS quote_of bigint")
    op.execute("ALTER TABLE posts ADD COLUMN IF NOT EXISTS quote_owner bigint")
    op.execute("ALTER TABLE posts ADD COLUMN IF NOT EXISTS detached boolean DEFAULT false NOT NULL")
    with op.get_context().autocommit_block():
        # A build that failed leaves an invalid index.
        op.drop_index("posts_quotes_idx", "posts", if_exists=True, postgresql_concurrently=True)
        op.create_index(
            "posts_quotes_idx",
            "posts",
            ["quote_of", _NEWEST, sa.text("post_id DESC")],
            postgresql_where=sa.text(_QUOTES),
            postgresql_concurrently=True,
        )
    op.create_table(
        "reposts",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("post_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("owner_id", sa.BigInteger(), nullable=True),
        sa.Column("stands", sa.Boolean(), nullable=False),
        sa.Column("was", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("had", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("pushed", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column(
            "moment",
            sa.BigInteger(),
            sa.Computed("((version >> 20) << 10) | least(version & 1048575, 1023)", persisted=True),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("user_id", "post_id", name="reposts_pkey"),
    )
    stands = sa.text("stands")
    op.create_index(
        "reposts_recent_idx", "reposts", ["user_id", _NEWEST, sa.text("post_id DESC")], postgresql_where=stands
    )
    op.create_index(
        "reposts_reposters_idx", "reposts", ["post_id", _NEWEST, sa.text("user_id DESC")], postgresql_where=stands
    )
    op.create_index(
        "reposts_pulled_idx", "reposts", ["user_id", "moment"], postgresql_where=sa.text("stands AND NOT pushed")
    )


def downgrade() -> None:
    op.drop_table("reposts")
    op.drop_index("posts_quotes_idx", "posts")
    for column in ("quote_of", "quote_owner", "detached"):
        op.drop_column("posts", column)
