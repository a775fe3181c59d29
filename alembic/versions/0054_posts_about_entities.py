"""Adds the columns with which a post refers to an entity. They are null in existing posts, so no row is rewritten."""

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("posts", sa.Column("about_business", sa.SmallInteger(), nullable=True))
    op.add_column("posts", sa.Column("about_id", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("posts", "about_id")
    op.drop_column("posts", "about_business")
