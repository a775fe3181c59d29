"""Adds the ids of imported posts, comments and collections."""

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"


def upgrade() -> None:
    op.create_table(
        "imports",
        sa.Column("kind", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("external_id", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "external_id", name="imports_pkey"),
    )
    op.create_index("imports_entity_idx", "imports", ["kind", "entity_id"])


def downgrade() -> None:
    op.drop_table("imports")
