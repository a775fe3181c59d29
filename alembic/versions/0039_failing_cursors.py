"""Stores failures and replays for each destination and partition."""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("event_cursors", sa.Column("replayed_through", sa.BigInteger(), nullable=True))
    op.add_column("event_cursors", sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True))
    op.add_column("event_cursors", sa.Column("failure", sa.Text(), nullable=True))


def downgrade() -> None:
    for name in ("failure", "failing_since", "replayed_through"):
        op.drop_column("event_cursors", name)
