"""Adds to entities the labels that moderators set, to cases the moment of a hold, and to reviews of collections the
rejection of the external reviewer.

No statement rewrites a table: the new columns are null, or have a constant default.
"""

from alembic import op
from sqlalchemy import text

revision = "0072"
down_revision = "0071"

_COLUMNS = "moderator_labels", "labels_version"
_INDEX = "cases_held_idx"


def upgrade() -> None:
    for column in _COLUMNS:
        op.execute(f"ALTER TABLE entities ADD COLUMN IF NOT EXISTS {column} bigint DEFAULT 0 NOT NULL")
    op.execute("ALTER TABLE cases ADD COLUMN IF NOT EXISTS held_moment bigint")
    since = text("coalesce(held_moment, moment)")
    op.create_index(_INDEX, "cases", [since, "entity_id"], postgresql_where=text("sources & 7 <> 0"))
    for column in ("reason", "match"):
        op.execute(f"ALTER TABLE collection_reviews ADD COLUMN IF NOT EXISTS {column} text")


def downgrade() -> None:
    op.execute("ALTER TABLE collection_reviews DROP COLUMN reason, DROP COLUMN match")
    op.drop_index(_INDEX, "cases")
    op.execute("ALTER TABLE cases DROP COLUMN held_moment")
    op.execute("ALTER TABLE entities " + ", ".join(f"DROP COLUMN {column}" for column in _COLUMNS))
