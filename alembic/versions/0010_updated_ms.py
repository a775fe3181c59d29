"""Stores when the last event of a notification happened, separately from the notification's place in the list.

Before this migration, `moment` served as both, and it could lie months ahead of the clock. The old rows get an
estimate. A row was last updated no later than its moment, and within the half day of its `created_ms`. A row about one
event was last updated when it was created.
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
    # Workers of the previous version do not know this column and need a default.
    op.alter_column("notifications", "updated_ms", nullable=False, server_default=sa.text(NOW_MS))


def downgrade() -> None:
    op.drop_column("notifications", "updated_ms")
