"""Adds the table of appeals, and the assignments of cases to moderators."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "appeals",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("author_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("content_version", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("moderator_id", sa.BigInteger(), nullable=True),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "entity_id", name=op.f("appeals_pkey")),
    )
    is_open = sa.text("status = 0")
    op.create_index("appeals_open_idx", "appeals", ["business_id", "entity_id"], postgresql_where=is_open)
    op.create_index("appeals_author_idx", "appeals", ["author_id"])
    op.add_column("cases", sa.Column("assignee_id", sa.BigInteger(), nullable=True))
    op.add_column("cases", sa.Column("assigned_until_ms", sa.BigInteger(), nullable=True))
    is_resolved = sa.text("sources = 0")
    op.create_index("cases_resolved_idx", "cases", ["moment", "entity_id"], postgresql_where=is_resolved)


def downgrade() -> None:
    op.drop_index("cases_resolved_idx", "cases")
    op.drop_column("cases", "assigned_until_ms")
    op.drop_column("cases", "assignee_id")
    op.drop_table("appeals")
