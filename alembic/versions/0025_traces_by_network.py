"""Stores the network and the device of recent submissions, for the rules that count submissions by them.

The indexes are built concurrently, so submissions do not wait. If the migration fails, run it again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

INDEXES = {
    "traces_network_idx": (["network", "at_ms"], "network IS NOT NULL"),
    "traces_device_idx": (["device", "at_ms"], "device IS NOT NULL"),
    "traces_old_idx": (["at_ms"], "network IS NOT NULL OR device IS NOT NULL"),
}


def upgrade() -> None:
    for name in ("network", "device"):
        op.add_column("traces", sa.Column(name, sa.Text(), nullable=True), if_not_exists=True)
    with op.get_context().autocommit_block():
        for name, (columns, where) in INDEXES.items():
            # A build that failed leaves an invalid index.
            op.drop_index(name, "traces", if_exists=True, postgresql_concurrently=True)
            op.create_index(name, "traces", columns, postgresql_where=sa.text(where), postgresql_concurrently=True)


def downgrade() -> None:
    for name in INDEXES:
        op.drop_index(name, "traces")
    for name in ("network", "device"):
        op.drop_column("traces", name)
