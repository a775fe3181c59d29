"""Reserves freed handles for some time, and stores the profile texts that wait for the external reviewer.

New users and changes of handles wait while the index on `handles` is built.
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("handles", sa.Column("freed_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index(
        "handles_freed_idx", "handles", ["user_id", "freed_at"], postgresql_where=sa.text("freed_at IS NOT NULL")
    )
    op.create_table(
        "profile_reviews",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("field", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("partition", sa.SmallInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "field", name=op.f("profile_reviews_pkey")),
    )
    op.create_index("profile_reviews_due_idx", "profile_reviews", ["partition", "version"])


def downgrade() -> None:
    op.drop_table("profile_reviews")
    op.execute("DELETE FROM handles WHERE freed_at IS NOT NULL")
    op.drop_index("handles_freed_idx", "handles")
    op.drop_column("handles", "freed_at")
