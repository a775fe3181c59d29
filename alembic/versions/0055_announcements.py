"""Adds the table of announcements, the column that marks posts that announce entities, topics of entities, and the
tables of bells and rings. No row is rewritten.
"""

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("posts", sa.Column("announces", sa.Boolean(), nullable=True))
    op.add_column("entities", sa.Column("topics", sa.ARRAY(sa.Text()), nullable=True))
    op.create_table(
        "announcements",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("post_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("author_id", sa.BigInteger(), nullable=False),
        sa.Column("announced_ms", sa.BigInteger(), nullable=False),
        sa.Column("withdrawn", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("wanted", sa.BigInteger(), nullable=False),
        sa.Column("shown", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "entity_id", "post_id", name="announcements_pkey"),
    )
    op.create_index(
        "announcements_due_idx",
        "announcements",
        ["announced_ms"],
        postgresql_where=sa.text("withdrawn OR wanted > shown"),
    )
    op.create_index("announcements_author_idx", "announcements", ["author_id", "announced_ms"])

    op.create_table(
        "bells",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("author_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("stands", sa.Boolean(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "author_id", name="bells_pkey"),
    )
    op.create_index("bells_author_idx", "bells", ["author_id", "user_id"], postgresql_where=sa.text("stands"))
    op.create_table(
        "rings",
        sa.Column("author_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("post_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("reached", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("author_id", "post_id", name="rings_pkey"),
    )
    op.create_index("rings_version_idx", "rings", ["version"])


def downgrade() -> None:
    op.drop_table("rings")
    op.drop_table("bells")
    op.drop_table("announcements")
    op.drop_column("entities", "topics")
    op.drop_column("posts", "announces")
