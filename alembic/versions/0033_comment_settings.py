"""Makes the table of the settings of comments on posts and entities."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "comment_settings",
        sa.Column("business_id", sa.SmallInteger, primary_key=True, autoincrement=False),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("policy", sa.SmallInteger, nullable=False, server_default=sa.text("0")),
        sa.Column("policy_version", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.Column("pinned_id", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.Column("pin_version", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.Column("version", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("comment_settings")
