"""Stores the requested verb in the log of likes. The columns `was` and `state` stay for workers of the previous
version.
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("like_log", sa.Column("verb", sa.Text(), nullable=True))
    op.alter_column("like_log", "was", nullable=True)
    op.alter_column("like_log", "state", nullable=True)


def downgrade() -> None:
    op.execute("""
        UPDATE like_log SET was = CASE verb WHEN 'unlike' THEN 1 WHEN 'undislike' THEN 2 ELSE 0 END,
                            state = CASE verb WHEN 'like' THEN 1 WHEN 'dislike' THEN 2 ELSE 0 END
        WHERE state IS NULL
    """)
    op.alter_column("like_log", "state", nullable=False)
    op.alter_column("like_log", "was", nullable=False)
    op.drop_column("like_log", "verb")
