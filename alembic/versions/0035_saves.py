"""Stores what users save."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

_MOMENT = "((version >> 20) << 10) | least(version & 1048575, 1023)"
_KIND = "CASE business_id WHEN 2 THEN 1 WHEN 4 THEN 2 ELSE 3 END"
_PLACE = sa.text("moment DESC"), sa.text("business_id DESC"), sa.text("entity_id DESC")
_SAVED = sa.text("collection_id <> 0")


def upgrade() -> None:
    op.create_table(
        "saves",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("collection_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("prev_collection_id", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("moment", sa.BigInteger(), sa.Computed(_MOMENT, persisted=True), nullable=False),
        sa.Column("kind", sa.SmallInteger(), sa.Computed(_KIND, persisted=True), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "business_id", "entity_id", name=op.f("saves_pkey")),
    )
    op.create_index("saves_recent_idx", "saves", ["user_id", "kind", *_PLACE], postgresql_where=_SAVED)
    op.create_index("saves_savers_idx", "saves", ["business_id", "entity_id"], postgresql_where=_SAVED)


def downgrade() -> None:
    op.drop_table("saves")
