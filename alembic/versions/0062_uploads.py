"""Adds the table of uploaded files that may be unused."""

import sqlalchemy as sa
from alembic import op

revision = "0062"
down_revision = "0061"


def upgrade() -> None:
    op.create_table(
        "uploads",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("since_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "key", name="uploads_pkey"),
    )
    op.create_index("uploads_since_idx", "uploads", ["since_ms"])


def downgrade() -> None:
    op.drop_table("uploads")
