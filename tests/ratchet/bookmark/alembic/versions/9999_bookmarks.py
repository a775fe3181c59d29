"""Adds bookmarks. The test puts the newest revision of the checkout in the place of `LAST`."""

import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "LAST"


def upgrade() -> None:
    op.create_table(
        "bookmarks",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("stands", sa.Boolean(), nullable=False),
        sa.Column("was", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column(
            "moment",
            sa.BigInteger(),
            sa.Computed("((version >> 20) << 10) | least(version & 1048575, 1023)", persisted=True),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("user_id", "business_id", "entity_id", name="bookmarks_pkey"),
    )
    op.create_index("bookmarks_marked_idx", "bookmarks", ["business_id", "entity_id"])


def downgrade() -> None:
    op.drop_table("bookmarks")
