"""Notifications say when the last of what they tell happened, apart from their order.

Before this, `moment` was both, and it could lie months ahead of the clock. A row was last updated no later than its
moment, and within the half day of its `created_ms`; a row about one event was last updated when it was created. The
table is locked while its rows are filled.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

NOW_MS = "(extract(epoch FROM now()) * 1000)::bigint"
HALF_DAY_MS = 12 * 3_600_000
LIKE, FOLLOW, MENTION, MODERATION = 1, 2, 5, 6


def upgrade() -> None:
    op.add_column("notifications", sa.Column("updated_ms", sa.BigInteger(), nullable=True))
    op.execute(f"""
        UPDATE notifications SET updated_ms = CASE
            WHEN kind IN ({MENTION}, {MODERATION}) OR kind IN ({LIKE}, {FOLLOW}) AND actor_count = 1 THEN created_ms
            ELSE least(moment >> 10, (created_ms / {HALF_DAY_MS} + 1) * {HALF_DAY_MS} - 1, {NOW_MS})
        END
    """)  # noqa: S608 - constants
    # For workers of the version before, which do not know the column.
    op.alter_column("notifications", "updated_ms", nullable=False, server_default=sa.text(NOW_MS))


def downgrade() -> None:
    op.drop_column("notifications", "updated_ms")
