"""Adds the images of comments, and the times of their edits."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    images = sa.Column("images", JSONB, nullable=False, server_default=sa.text("'[]'"))
    op.add_column("comment_contents", images)
    op.add_column("comment_contents", sa.Column("edited_ms", sa.BigInteger, nullable=True))


def downgrade() -> None:
    op.drop_column("comment_contents", "edited_ms")
    op.drop_column("comment_contents", "images")
