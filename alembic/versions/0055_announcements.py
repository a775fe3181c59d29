"""Adds the table of announcements, the column that marks posts that announce entities, and topics of entities. No row
is rewritten.
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


def downgrade() -> None:
    op.drop_table("announcements")
    op.drop_column("entities", "topics")
    op.drop_column("posts", "announces")
