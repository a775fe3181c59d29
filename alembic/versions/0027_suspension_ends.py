"""Indexes the ends of suspensions, so that a worker finds those whose time is over.

The index is built concurrently, so users are not locked. If the migration fails, run it again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

INDEX = "users_suspension_end_idx"


def upgrade() -> None:
    where = sa.text("suspended_until_ms IS NOT NULL")
    with op.get_context().autocommit_block():
        # A build that failed leaves an invalid index.
        op.drop_index(INDEX, "users", if_exists=True, postgresql_concurrently=True)
        op.create_index(INDEX, "users", ["suspended_until_ms"], postgresql_where=where, postgresql_concurrently=True)


def downgrade() -> None:
    op.drop_index(INDEX, "users")
