"""Adds the version of the newest decision to suspend or reinstate a user, so that journal entries about suspensions can
be applied again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("users", sa.Column("suspension_version", sa.BigInteger, nullable=False, server_default=sa.text("0")))


def downgrade() -> None:
    op.drop_column("users", "suspension_version")
