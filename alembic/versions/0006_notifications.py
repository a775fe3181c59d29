"""Creates the tables for grouped notifications, with each user's own order and read position."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_table("notifications")
    op.create_table(
        "notifications",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("notification_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.SmallInteger(), nullable=False),
        sa.Column("business_id", sa.SmallInteger(), nullable=False),
        sa.Column("entity_id", sa.BigInteger(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("actors", postgresql.ARRAY(sa.BigInteger()), nullable=False),
        sa.Column("actor_count", sa.BigInteger(), nullable=False),
        sa.Column("message", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", "notification_id", name=op.f("notifications_pkey")),
        info={"shard": "user_id"},
    )
    op.create_index(
        "notifications_recent_idx", "notifications", ["user_id", sa.literal_column("moment DESC")], unique=False
    )
    op.create_table(
        "notification_actors",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("notification_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("actor_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "notification_id", "actor_id", name=op.f("notification_actors_pkey")),
        info={"shard": "user_id"},
    )
    op.create_table(
        "notification_heads",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("prev_moment", sa.BigInteger(), nullable=False),
        sa.Column("read_moment", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("notification_heads_pkey")),
        info={"shard": "user_id"},
    )
    op.create_table(
        "untold",
        sa.Column("p", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("untold_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("notices", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("p", "untold_id", name=op.f("untold_pkey")),
        info={"shard": "p"},
    )
    # rows live for seconds; compressing them costs more than it saves
    op.execute("ALTER TABLE untold ALTER notices SET STORAGE EXTERNAL")
    op.add_column("reactions", sa.Column("had_liked", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    for name in ("lo_had_followed", "hi_had_followed"):
        op.add_column("follows", sa.Column(name, sa.Boolean(), server_default=sa.text("false"), nullable=False))


def downgrade() -> None:
    for name in ("lo_had_followed", "hi_had_followed"):
        op.drop_column("follows", name)
    op.drop_column("reactions", "had_liked")
    op.drop_table("untold")
    op.drop_table("notification_heads")
    op.drop_table("notification_actors")
    op.drop_table("notifications")
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
