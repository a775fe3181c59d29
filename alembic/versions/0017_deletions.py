"""Stores who deleted a comment, and in which role."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("comment_contents", sa.Column("deleted_by", sa.BigInteger(), nullable=True))
    op.add_column("comment_contents", sa.Column("deleted_as", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("comment_contents", "deleted_as")
    op.drop_column("comment_contents", "deleted_by")
