"""Adds the indexes by which reconciliation counts rows, and the columns for its result."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "reactions_dislikers_idx",
        "reactions",
        ["business_id", "entity_id"],
        postgresql_where="state = 2",
        if_not_exists=True,
    )
    op.create_index(
        "reactions_received_idx", "reactions", ["owner_id"], postgresql_where="state = 1", if_not_exists=True
    )
    op.create_index("records_counted_idx", "records", ["business_id", "kind", "entity_id"], if_not_exists=True)
    op.add_column(
        "partitions",
        sa.Column("reconciled_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
    )
    op.add_column("partitions", sa.Column("drift", JSONB(), server_default=sa.text("'{}'"), nullable=False))


def downgrade() -> None:
    op.drop_column("partitions", "drift")
    op.drop_column("partitions", "reconciled_at")
    op.drop_index("records_counted_idx", "records")
    op.drop_index("reactions_received_idx", "reactions")
    op.drop_index("reactions_dislikers_idx", "reactions")
