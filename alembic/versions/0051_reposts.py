"""Adds reposts."""

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0049"

_NEWEST = sa.text("moment DESC")


def upgrade() -> None:
    op.create_table(
        "reposts",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("post_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("owner_id", sa.BigInteger(), nullable=True),
        sa.Column("stands", sa.Boolean(), nullable=False),
        sa.Column("was", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("had", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("pushed", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column(
            "moment",
            sa.BigInteger(),
            sa.Computed("((version >> 20) << 10) | least(version & 1048575, 1023)", persisted=True),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("user_id", "post_id", name="reposts_pkey"),
    )
    stands = {"postgresql_where": sa.text("stands")}
    op.create_index("reposts_recent_idx", "reposts", ["user_id", _NEWEST, sa.text("post_id DESC")], **stands)
    op.create_index("reposts_reposters_idx", "reposts", ["post_id", _NEWEST, sa.text("user_id DESC")], **stands)
    op.create_index(
        "reposts_pulled_idx", "reposts", ["user_id", "moment"], postgresql_where=sa.text("stands AND NOT pushed")
    )


def downgrade() -> None:
    op.drop_table("reposts")
