"""Adds the indexes by which workers find data that is older than its retention period, and counts what they remove."""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"

_HAS_CLIENT = "ip IS NOT NULL OR device IS NOT NULL OR client IS NOT NULL"
_HAS_REMOVED_TEXT = "(deleted OR status = 2) AND (text <> '' OR images <> '[]' OR custom IS NOT NULL)"
_NEWEST = "greatest(content_version, audit_version)"


def upgrade() -> None:
    op.create_table(
        "removals",
        sa.Column("kind", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("removed", sa.BigInteger(), nullable=False),
        sa.Column("first_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("kind", name="removals_pkey"),
    )
    for table, key in (("posts", "post_id"), ("comment_contents", "comment_id")):
        op.create_index(f"{table}_client_idx", table, [key], postgresql_where=sa.text(_HAS_CLIENT))
        op.create_index(f"{table}_removed_idx", table, [sa.text(_NEWEST)], postgresql_where=sa.text(_HAS_REMOVED_TEXT))
    op.create_index("notifications_old_idx", "notifications", ["updated_ms"])
    op.create_index("claims_entity_idx", "claims", ["entity_id"])
    op.create_index("reports_decided_idx", "reports", ["version"], postgresql_where=sa.text("status <> 0"))
    op.create_index(
        "appeals_decided_idx", "appeals", ["version"], postgresql_where=sa.text("status <> 0 AND text <> ''")
    )


def downgrade() -> None:
    op.drop_index("appeals_decided_idx", "appeals")
    op.drop_index("reports_decided_idx", "reports")
    op.drop_index("claims_entity_idx", "claims")
    op.drop_index("notifications_old_idx", "notifications")
    for table in ("comment_contents", "posts"):
        op.drop_index(f"{table}_removed_idx", table)
        op.drop_index(f"{table}_client_idx", table)
    op.drop_table("removals")
