"""Creates the tables for posts, outboxes, topics, fan-out, external reviews and notifications about moderation."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


MAGNITUDE = "floor(ln(greatest(value * 2, 1::bigint)::double precision) / ln(2::double precision))::smallint"


def upgrade() -> None:
    op.add_column(
        "counters", sa.Column("magnitude", sa.SmallInteger(), sa.Computed(MAGNITUDE, persisted=True), nullable=False)
    )
    op.create_index(
        "counters_liked_idx",
        "counters",
        ["business_id", sa.literal_column("magnitude DESC")],
        unique=False,
        postgresql_where=sa.text("kind = 1 AND magnitude > 0"),
    )
    op.create_table(
        "daily_likes",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.Column("magnitude", sa.SmallInteger(), sa.Computed(MAGNITUDE, persisted=True), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "day", "entity_id", name=op.f("daily_likes_pkey")),
        info={"shard": "entity_id"},
    )
    op.create_index(
        "daily_likes_leaders_idx",
        "daily_likes",
        ["business_id", "day", sa.literal_column("magnitude DESC")],
        unique=False,
        postgresql_where=sa.text("magnitude > 0"),
    )
    op.create_table(
        "fanouts",
        sa.Column("author_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("post_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("partition", sa.SmallInteger(), nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("reached", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("since_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("author_id", "post_id", name=op.f("fanouts_pkey")),
        info={"shard": "author_id"},
    )
    op.create_index("fanouts_due_idx", "fanouts", ["partition", "since_ms"], unique=False)
    op.create_table(
        "notifications",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint(
            "user_id", "kind", "business_id", "entity_id", "version", name=op.f("notifications_pkey")
        ),
        info={"shard": "user_id"},
    )
    op.create_table(
        "outboxes",
        sa.Column("author_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("post_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.SmallInteger(), nullable=False),
        sa.Column("pushed", sa.Boolean(), nullable=False),
        sa.Column("content", sa.BigInteger(), nullable=True),
        sa.Column("links", postgresql.ARRAY(sa.BigInteger()), nullable=False),
        sa.Column("changed_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("author_id", "post_id", name=op.f("outboxes_pkey")),
        info={"shard": "author_id"},
    )
    op.create_index(
        "outboxes_pulled_idx",
        "outboxes",
        ["author_id", "moment"],
        unique=False,
        postgresql_where=sa.text("state = 1 AND NOT pushed"),
    )
    op.create_index(
        "outboxes_recent_idx",
        "outboxes",
        ["author_id", sa.literal_column("moment DESC"), sa.literal_column("post_id DESC")],
        unique=False,
    )
    op.create_table(
        "post_keys",
        sa.Column("author_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("post_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("author_id", "key", name=op.f("post_keys_pkey")),
        info={"shard": "author_id"},
    )
    op.create_table(
        "posts",
        sa.Column("post_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("author_id", sa.BigInteger(), nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("images", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("topics", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.Column("edited_ms", sa.BigInteger(), nullable=True),
        sa.Column("content_version", sa.BigInteger(), nullable=False),
        sa.Column("audit_version", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("ip", postgresql.INET(), nullable=True),
        sa.Column("device", sa.Text(), nullable=True),
        sa.Column("client", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("post_id", name=op.f("posts_pkey")),
        info={"shard": "post_id"},
    )
    op.create_index(
        "posts_recent_idx",
        "posts",
        [sa.literal_column("moment DESC"), sa.literal_column("post_id DESC")],
        unique=False,
        postgresql_where=sa.text("status = 1 AND NOT deleted"),
    )
    op.create_index(
        "posts_waiting_idx",
        "posts",
        ["moment", "post_id"],
        unique=False,
        postgresql_where=sa.text("status = 0 AND NOT deleted"),
    )
    op.create_table(
        "reviews",
        sa.Column("post_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("partition", sa.SmallInteger(), nullable=False),
        sa.Column("content_version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("post_id", name=op.f("reviews_pkey")),
        info={"shard": "post_id"},
    )
    op.create_index("reviews_due_idx", "reviews", ["partition", "content_version"], unique=False)
    op.create_table(
        "topic_posts",
        sa.Column("topic_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("post_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("score", sa.BigInteger(), nullable=False),
        sa.Column("score_version", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("topic_id", "post_id", name=op.f("topic_posts_pkey")),
        info={"shard": "topic_id"},
    )
    op.create_index(
        "topic_posts_hot_idx",
        "topic_posts",
        ["topic_id", sa.literal_column("score DESC"), sa.literal_column("post_id DESC")],
        unique=False,
    )
    op.create_index(
        "topic_posts_recent_idx",
        "topic_posts",
        ["topic_id", sa.literal_column("moment DESC"), sa.literal_column("post_id DESC")],
        unique=False,
    )
    op.create_table(
        "topics",
        sa.Column("topic_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("topic_id", name=op.f("topics_pkey")),
        info={"shard": "topic_id"},
    )


def downgrade() -> None:
    op.drop_table("topics")
    op.drop_table("topic_posts")
    op.drop_table("reviews")
    op.drop_table("posts")
    op.drop_table("post_keys")
    op.drop_table("outboxes")
    op.drop_table("notifications")
    op.drop_table("fanouts")
    op.drop_table("daily_likes")
    op.drop_index("counters_liked_idx", "counters")
    op.drop_column("counters", "magnitude")
