"""Adds labels and content warnings to posts and comments, labels to entities, and age bands to users."""

from alembic import op

revision = "0067"
down_revision = "0066"

_TABLES = "posts", "comment_contents"
_COLUMNS = "content_warning", "labels", "moderator_labels", "labels_version"


def upgrade() -> None:
    for table in _TABLES:
        op.execute(f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS content_warning text")
        for column in _COLUMNS[1:]:
            op.execute(f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS {column} bigint DEFAULT 0 NOT NULL")
    op.execute("ALTER TABLE users ADD COLUMN IF NOT EXISTS age_band text")
    op.execute("ALTER TABLE entities ADD COLUMN IF NOT EXISTS labels bigint DEFAULT 0 NOT NULL")


def downgrade() -> None:
    for table in _TABLES:
        op.execute(f"ALTER TABLE {table} " + ", ".join(f"DROP COLUMN {column}" for column in _COLUMNS))
    op.execute("ALTER TABLE entities DROP COLUMN labels")
    op.execute("ALTER TABLE users DROP COLUMN age_band")
