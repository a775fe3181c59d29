"""Stores which users are private, and which users moderators have suspended."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("users", sa.Column("is_private", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.add_column("users", sa.Column("suspended", sa.SmallInteger(), nullable=True))
    op.add_column("users", sa.Column("suspended_until_ms", sa.BigInteger(), nullable=True))
    op.add_column("users", sa.Column("suspension_reason", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("users", "suspension_reason")
    op.drop_column("users", "suspended_until_ms")
    op.drop_column("users", "suspended")
    op.drop_column("users", "is_private")
