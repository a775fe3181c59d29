"""Creates the tables for likes: users, entities, reactions, counters, journal partitions, workers and dead letters."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "counters",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("included", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "entity_id", "kind", name=op.f("counters_pkey")),
        info={"shard": "entity_id"},
    )
    op.create_table(
        "dead_letters",
        sa.Column("p", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("entry", postgresql.BYTEA(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("refused_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("p", "version", name=op.f("dead_letters_pkey")),
        info={"shard": "p"},
    )
    op.create_table(
        "entities",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("owner_id", sa.BigInteger(), nullable=True),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("comments_closed", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("version", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "entity_id", name=op.f("entities_pkey")),
        info={"shard": "entity_id"},
    )
    op.create_table(
        "entity_keys",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("entity_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "key", name=op.f("entity_keys_pkey")),
        info={"shard": "key"},
    )
    op.create_table(
        "handles",
        sa.Column("handle", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("handle", name=op.f("handles_pkey")),
        info={"shard": "handle"},
    )
    op.create_table(
        "identities",
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("issuer", "subject", name=op.f("identities_pkey")),
        info={"shard": "subject"},
    )
    op.create_table(
        "like_log",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("business_id", sa.SmallInteger(), nullable=False),
        sa.Column("entity_id", sa.BigInteger(), nullable=False),
        sa.Column("owner_id", sa.BigInteger(), nullable=True),
        sa.Column("was", sa.SmallInteger(), nullable=False),
        sa.Column("state", sa.SmallInteger(), nullable=False),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("ip", postgresql.INET(), nullable=True),
        sa.Column("device", sa.Text(), nullable=True),
        sa.Column("client", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", "version", name=op.f("like_log_pkey")),
        info={"shard": "user_id"},
    )
    op.create_table(
        "nodes",
        sa.Column("node", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("node", name=op.f("nodes_pkey")),
        info={"shard": "node"},
    )
    op.create_table(
        "partitions",
        sa.Column("p", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), server_default=sa.text("'-infinity'"), nullable=False),
        sa.Column("epoch", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("head", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("p", name=op.f("partitions_pkey")),
        info={"shard": "p"},
    )
    op.create_table(
        "reactions",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("owner_id", sa.BigInteger(), nullable=True),
        sa.Column("state", sa.SmallInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("prev_state", sa.SmallInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("prev_owner_id", sa.BigInteger(), nullable=True),
        sa.Column(
            "moment",
            sa.BigInteger(),
            sa.Computed("((version >> 20) << 10) | least(version & 1048575, 1023)", persisted=True),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("user_id", "business_id", "entity_id", name=op.f("reactions_pkey")),
        info={"shard": "user_id"},
    )
    op.create_index(
        "reactions_likers_idx",
        "reactions",
        ["business_id", "entity_id", sa.literal_column("moment DESC"), sa.literal_column("user_id DESC")],
        unique=False,
        postgresql_where=sa.text("state = 1"),
    )
    op.create_index(
        "reactions_recent_idx",
        "reactions",
        ["user_id", "business_id", sa.literal_column("moment DESC"), sa.literal_column("entity_id DESC")],
        unique=False,
        postgresql_where=sa.text("state <> 0"),
    )
    op.create_table(
        "records",
        sa.Column("actor_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("bucket", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("actor_id", "business_id", "entity_id", "kind", "bucket", name=op.f("records_pkey")),
        info={"shard": "actor_id"},
    )
    op.create_table(
        "users",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("handle", sa.Text(), nullable=False),
        sa.Column("display_name", sa.Text(), nullable=False),
        sa.Column("avatar_url", sa.Text(), nullable=True),
        sa.Column("bio", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("version", sa.BigInteger(), server_default=sa.text("1"), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("users_pkey")),
        info={"shard": "user_id"},
    )
    op.create_table(
        "workers",
        sa.Column("worker", sa.Text(), nullable=False),
        sa.Column("seen_until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("worker", name=op.f("workers_pkey")),
        info={"shard": "worker"},
    )


def downgrade() -> None:
    op.drop_table("workers")
    op.drop_table("users")
    op.drop_table("records")
    op.drop_index("reactions_recent_idx", table_name="reactions", postgresql_where=sa.text("state <> 0"))
    op.drop_index("reactions_likers_idx", table_name="reactions", postgresql_where=sa.text("state = 1"))
    op.drop_table("reactions")
    op.drop_table("partitions")
    op.drop_table("nodes")
    op.drop_table("like_log")
    op.drop_table("identities")
    op.drop_table("handles")
    op.drop_table("entity_keys")
    op.drop_table("entities")
    op.drop_table("dead_letters")
    op.drop_table("counters")
