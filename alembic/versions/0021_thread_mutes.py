"""Stores which threads a user mutes."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "thread_mutes",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("stands", sa.Boolean(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "business_id", "entity_id", name=op.f("thread_mutes_pkey")),
    )


def downgrade() -> None:
    op.drop_table("thread_mutes")
