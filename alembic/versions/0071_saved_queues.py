"""Adds the table of saved queues, the filters of the moderation queue that moderators keep."""

import sqlalchemy as sa
from alembic import op

revision = "0071"
down_revision = "0070"


def upgrade() -> None:
    op.create_table(
        "saved_queues",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("queues", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="saved_queues_pkey"),
    )


def downgrade() -> None:
    op.drop_table("saved_queues")
