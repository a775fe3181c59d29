"""Adds the table of earlier versions of edited posts and comments, the table of collections that wait for the external
reviewer, and the columns that say which collections moderators have made private.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0069"
down_revision = "0068"


def upgrade() -> None:
    op.create_table(
        "edits",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("author_id", sa.BigInteger(), nullable=False),
        sa.Column("replaced", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("images", postgresql.JSONB(), nullable=False),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "entity_id", "version", name="edits_pkey"),
    )
    op.create_index("edits_author_idx", "edits", ["author_id", "business_id", "entity_id", "version"])
    op.create_index("edits_unshown_idx", "edits", ["replaced"], postgresql_where=sa.text("NOT shown"))
    op.create_index(
        "edits_files_idx",
        "edits",
        ["images"],
        postgresql_using="gin",
        postgresql_ops={"images": "jsonb_path_ops"},
        postgresql_where=sa.text("images <> '[]'"),
    )
    op.create_table(
        "collection_reviews",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("collection_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("partition", sa.SmallInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "collection_id", name="collection_reviews_pkey"),
    )
    op.create_index("collection_reviews_due_idx", "collection_reviews", ["partition", "version"])
    op.add_column("collections", sa.Column("held", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.add_column("collections", sa.Column("judged", sa.BigInteger(), server_default=sa.text("0"), nullable=False))


def downgrade() -> None:
    op.drop_column("collections", "judged")
    op.drop_column("collections", "held")
    op.drop_table("collection_reviews")
    op.drop_table("edits")
