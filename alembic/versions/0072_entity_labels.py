"""Adds to entities the labels that moderators set, and the version of the last change of these labels.

No statement rewrites the table: the new columns have a constant default.
"""

from alembic import op

revision = "0072"
down_revision = "0070"

_COLUMNS = "moderator_labels", "labels_version"


def upgrade() -> None:
    for column in _COLUMNS:
        op.execute(f"ALTER TABLE entities ADD COLUMN IF NOT EXISTS {column} bigint DEFAULT 0 NOT NULL")


def downgrade() -> None:
    op.execute("ALTER TABLE entities " + ", ".join(f"DROP COLUMN {column}" for column in _COLUMNS))
