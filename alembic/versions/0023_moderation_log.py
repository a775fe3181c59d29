"""Stores the decisions of moderation."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "moderation_log",
        sa.Column("log_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("action", sa.SmallInteger(), nullable=False),
        sa.Column("role", sa.SmallInteger(), nullable=False),
        sa.Column("actor_id", sa.BigInteger(), nullable=True),
        sa.Column("business_id", sa.SmallInteger(), nullable=False),
        sa.Column("entity_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("before", sa.Text(), nullable=True),
        sa.Column("after", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("log_id", name=op.f("moderation_log_pkey")),
    )
    newest = sa.text("moment DESC"), sa.text("log_id DESC")
    op.create_index("moderation_log_newest_idx", "moderation_log", [*newest])
    op.create_index("moderation_log_target_idx", "moderation_log", ["business_id", "entity_id", *newest])
    op.create_index("moderation_log_user_idx", "moderation_log", ["user_id", *newest])
    op.create_index("moderation_log_actor_idx", "moderation_log", ["actor_id", *newest])


def downgrade() -> None:
    op.drop_table("moderation_log")
