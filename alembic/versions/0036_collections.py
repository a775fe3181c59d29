"""Stores collections of what users save."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

_LEAVING = sa.text("deleted AND NOT emptied")
_PLACE = sa.text("moment DESC"), sa.text("business_id DESC"), sa.text("entity_id DESC")


def upgrade() -> None:
    op.create_table(
        "collections",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("collection_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("is_public", sa.Boolean(), nullable=False),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("emptied", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "collection_id", name=op.f("collections_pkey")),
    )
    op.create_index("collections_leaving_idx", "collections", ["user_id", "collection_id"], postgresql_where=_LEAVING)
    op.create_index(
        "saves_collection_idx",
        "saves",
        ["user_id", "collection_id", "kind", *_PLACE],
        postgresql_where=sa.text("collection_id > 1"),
    )


def downgrade() -> None:
    op.drop_index("saves_collection_idx", "saves")
    op.drop_table("collections")
