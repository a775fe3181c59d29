"""Adds custom data to comments."""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("comment_contents", sa.Column("custom", sa.Text, nullable=True))


def downgrade() -> None:
    op.drop_column("comment_contents", "custom")
