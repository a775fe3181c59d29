"""Adds the table of statements of reasons, and the column with the ground of a decision to the moderation log."""

import sqlalchemy as sa
from alembic import op

revision = "0064"
down_revision = "0063"


def upgrade() -> None:
    op.add_column("moderation_log", sa.Column("ground", sa.Text(), nullable=True))
    op.create_table(
        "statements",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("statement_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("restriction", sa.SmallInteger(), nullable=False),
        sa.Column("business_id", sa.SmallInteger(), nullable=False),
        sa.Column("entity_id", sa.BigInteger(), nullable=False),
        sa.Column("ground", sa.Text(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=True),
        sa.Column("found_by", sa.SmallInteger(), nullable=False),
        sa.Column("automated", sa.Boolean(), nullable=False),
        sa.Column("actor_id", sa.BigInteger(), nullable=True),
        sa.Column("until_ms", sa.BigInteger(), nullable=True),
        sa.Column("ended_ms", sa.BigInteger(), nullable=True),
        sa.Column("appeal_version", sa.BigInteger(), nullable=True),
        sa.Column("appeal_text", sa.Text(), nullable=True),
        sa.Column("appeal_status", sa.SmallInteger(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", "statement_id", name="statements_pkey"),
    )
    op.create_index(
        "statements_newest_idx", "statements", ["user_id", sa.text("moment DESC"), sa.text("statement_id DESC")]
    )
    for name, columns, where in (
        ("statements_standing_idx", ["user_id", "business_id", "entity_id"], "ended_ms IS NULL"),
        ("statements_appealed_idx", ["business_id", "entity_id"], "appeal_status = 0"),
        ("statements_decided_idx", ["appeal_version"], "appeal_status <> 0 AND appeal_text <> ''"),
    ):
        op.create_index(name, "statements", columns, postgresql_where=sa.text(where))


def downgrade() -> None:
    op.drop_table("statements")
    op.drop_column("moderation_log", "ground")
