"""Adds the table of notices, which people without an account send about content that they think is illegal."""

import sqlalchemy as sa
from alembic import op

revision = "0066"
down_revision = "0064"


def upgrade() -> None:
    op.create_table(
        "notices",
        sa.Column("business_id", sa.SmallInteger, nullable=False),
        sa.Column("entity_id", sa.BigInteger, nullable=False),
        sa.Column("notice_id", sa.BigInteger, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("law", sa.Text, nullable=False),
        sa.Column("explanation", sa.Text, nullable=False),
        sa.Column("name", sa.Text),
        sa.Column("email", sa.Text),
        sa.Column("trusted", sa.Boolean, nullable=False),
        sa.Column("status", sa.SmallInteger, nullable=False),
        sa.Column("decided", sa.BigInteger),
        sa.Column("decision", sa.Text),
        sa.PrimaryKeyConstraint("business_id", "entity_id", "notice_id", name="notices_pkey"),
    )
    op.create_index(
        "notices_open_idx",
        "notices",
        ["business_id", "entity_id", sa.text("version DESC")],
        postgresql_where=sa.text("status = 0"),
    )
    op.create_index("notices_received_idx", "notices", ["version"])
    op.create_index(
        "notices_texts_idx",
        "notices",
        ["decided"],
        postgresql_where=sa.text("explanation <> '' OR name IS NOT NULL OR email IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_table("notices")
