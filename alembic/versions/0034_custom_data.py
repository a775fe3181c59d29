"""Adds custom data to users, entities and posts."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

_TABLES = "users", "entities", "posts"


def upgrade() -> None:
    for table in _TABLES:
        op.add_column(table, sa.Column("custom", sa.Text, nullable=True))


def downgrade() -> None:
    for table in _TABLES:
        op.drop_column(table, "custom")
