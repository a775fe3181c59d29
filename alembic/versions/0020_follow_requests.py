"""Stores requests to follow private users."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("lo_requests", "hi_requests", "lo_requested", "hi_requested"):
        op.add_column("follows", sa.Column(name, sa.Boolean(), server_default=sa.text("false"), nullable=False))
    for table, other in (("requested_follows", "followee_id"), ("follow_requests", "follower_id")):
        op.create_table(
            table,
            sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
            sa.Column(other, sa.BigInteger(), autoincrement=False, nullable=False),
            sa.Column("moment", sa.BigInteger(), nullable=False),
            sa.PrimaryKeyConstraint("user_id", other, name=op.f(f"{table}_pkey")),
        )
    newest = sa.text("moment DESC"), sa.text("follower_id DESC")
    op.create_index("follow_requests_recent_idx", "follow_requests", ["user_id", *newest])


def downgrade() -> None:
    op.drop_table("follow_requests")
    op.drop_table("requested_follows")
    for name in ("hi_requested", "lo_requested", "hi_requests", "lo_requests"):
        op.drop_column("follows", name)
