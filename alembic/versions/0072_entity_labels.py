"""Adds to entities the labels that moderators set, to cases the moment of a hold, and to reviews of collections the
rejection of the external reviewer.

No statement rewrites a table: the new columns are null, or have a constant default. One statement changes the open
cases of posts and comments that wait for approval.
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
    op.execute("UPDATE cases SET held_moment = moment WHERE sources & 7 <> 0")
    op.create_index(_INDEX, "cases", ["held_moment", "entity_id"], postgresql_where=text("held_moment IS NOT NULL"))
    for column in ("reason", "match"):
        op.execute(f"ALTER TABLE collection_reviews ADD COLUMN IF NOT EXISTS {column} text")


def downgrade() -> None:
    op.execute("ALTER TABLE collection_reviews DROP COLUMN reason, DROP COLUMN match")
    op.drop_index(_INDEX, "cases")
    op.execute("ALTER TABLE cases DROP COLUMN held_moment")
    op.execute("ALTER TABLE entities " + ", ".join(f"DROP COLUMN {column}" for column in _COLUMNS))
