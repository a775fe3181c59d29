"""Makes the table of pinned posts."""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "pinned_posts",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("post_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("pinned", sa.Boolean, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("pinned_posts")
