"""Adds the tables of search: the index, and what a worker must index. `plaudit search rebuild` then indexes what exists
already.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0059"
down_revision = "0058"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "search_documents",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("terms", postgresql.TSVECTOR(), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "entity_id", name="search_documents_pkey"),
    )
    # Statistics of ten thousand terms: by them, Postgres chooses an index for common and for rare words.
    op.execute("ALTER TABLE search_documents ALTER COLUMN terms SET STATISTICS 1000")
    op.create_index("search_documents_terms_idx", "search_documents", ["terms"], postgresql_using="gin")
    op.create_index(
        "search_documents_newest_idx",
        "search_documents",
        ["business_id", sa.text("moment DESC"), sa.text("entity_id DESC")],
    )
    op.create_table(
        "search_due",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("business_id", "entity_id", "version", name="search_due_pkey"),
    )


def downgrade() -> None:
    op.drop_table("search_due")
    op.drop_table("search_documents")
