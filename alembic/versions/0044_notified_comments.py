"""Adds to notifications the newest comments that caused them, and to their outbox the comment of each event."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

_TABLES = "notifications", "untold"


def upgrade() -> None:
    for table in _TABLES:
        op.add_column(table, sa.Column("comments", postgresql.ARRAY(sa.BigInteger), nullable=True))


def downgrade() -> None:
    for table in _TABLES:
        op.drop_column(table, "comments")
