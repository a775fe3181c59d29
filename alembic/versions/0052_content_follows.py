"""Adds the tables of followed topics and entities, and of users' preferences."""

import sqlalchemy as sa
from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "content_follows",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("stands", sa.Boolean(), nullable=False),
        sa.Column("was", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "business_id", "entity_id", name="content_follows_pkey"),
    )
    op.create_index("content_follows_followers_idx", "content_follows", ["business_id", "entity_id"])
    op.create_table(
        "preferences",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("preference", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("stands", sa.Boolean(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "preference", name="preferences_pkey"),
    )


def downgrade() -> None:
    op.drop_table("preferences")
    op.drop_table("content_follows")
