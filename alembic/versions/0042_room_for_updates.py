"""Leaves room in pages for new versions of rows that are updated often, so that updates write to no index.

Full pages get room when autovacuum has removed dead rows from them.
"""

from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None

FILLFACTORS = {"counters": 85, "daily_likes": 85, "notification_heads": 85}


def upgrade() -> None:
    for table, percent in FILLFACTORS.items():
        op.execute(f"ALTER TABLE {table} SET (fillfactor = {percent})")


def downgrade() -> None:
    for table in FILLFACTORS:
        op.execute(f"ALTER TABLE {table} RESET (fillfactor)")
