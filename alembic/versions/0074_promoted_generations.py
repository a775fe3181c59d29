"""Adds to the write mode the generation in which this site was promoted.

The statement rewrites no table: the new column has a constant default.
"""

from alembic import op

revision = "0074"
down_revision = "0073"


def upgrade() -> None:
    op.execute("ALTER TABLE modes ADD COLUMN IF NOT EXISTS promoted_in bigint DEFAULT 0 NOT NULL")


def downgrade() -> None:
    op.execute("ALTER TABLE modes DROP COLUMN promoted_in")
