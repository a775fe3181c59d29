"""Reconciliation counts rows by what they are counted for."""

from alembic import op

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


def downgrade() -> None:
    op.drop_index("records_counted_idx", "records")
    op.drop_index("reactions_received_idx", "reactions")
    op.drop_index("reactions_dislikers_idx", "reactions")
