"""Creates the tables for follows: pairs of users, the lists of followers and followed users, and the log."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "follows",
        sa.Column("lo", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("hi", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("lo_follows", sa.Boolean(), nullable=False),
        sa.Column("hi_follows", sa.Boolean(), nullable=False),
        sa.Column("lo_version", sa.BigInteger(), nullable=False),
        sa.Column("hi_version", sa.BigInteger(), nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("lo_followed", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("hi_followed", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.CheckConstraint("lo < hi", name="follows_ordered"),
        sa.PrimaryKeyConstraint("lo", "hi", name=op.f("follows_pkey")),
        info={"shard": "lo"},
    )
    op.create_table(
        "following",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("followee_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("friends_moment", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", "followee_id", name=op.f("following_pkey")),
        info={"shard": "user_id"},
    )
    op.create_index(
        "following_recent_idx",
        "following",
        ["user_id", sa.literal_column("moment DESC"), sa.literal_column("followee_id DESC")],
        unique=False,
    )
    op.create_index(
        "following_friends_idx",
        "following",
        ["user_id", sa.literal_column("friends_moment DESC"), sa.literal_column("followee_id DESC")],
        unique=False,
        postgresql_where=sa.text("friends_moment IS NOT NULL"),
    )
    op.create_table(
        "followers",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("follower_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "follower_id", name=op.f("followers_pkey")),
        info={"shard": "user_id"},
    )
    op.create_index(
        "followers_recent_idx",
        "followers",
        ["user_id", sa.literal_column("moment DESC"), sa.literal_column("follower_id DESC")],
        unique=False,
    )
    op.create_table(
        "follow_log",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("business_id", sa.SmallInteger(), nullable=False),
        sa.Column("followee_id", sa.BigInteger(), nullable=False),
        sa.Column("follows", sa.Boolean(), nullable=False),
        sa.Column("ip", postgresql.INET(), nullable=True),
        sa.Column("device", sa.Text(), nullable=True),
        sa.Column("client", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", "version", name=op.f("follow_log_pkey")),
        info={"shard": "user_id"},
    )


def downgrade() -> None:
    op.drop_table("follow_log")
    op.drop_index("followers_recent_idx", table_name="followers")
    op.drop_table("followers")
    op.drop_index(
        "following_friends_idx", table_name="following", postgresql_where=sa.text("friends_moment IS NOT NULL")
    )
    op.drop_index("following_recent_idx", table_name="following")
    op.drop_table("following")
    op.drop_table("follows")
