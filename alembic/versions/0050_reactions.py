"""Adds the kinds of reactions to the tables of reactions and notifications, and two indexes: the users who gave an
object such kinds, and the objects with the most reactions of a kind.

The indexes are built concurrently, so writes do not wait. If the migration fails, run it again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for column in ("kinds", "prev_kinds"):
        op.add_column("reactions", sa.Column(column, sa.BigInteger(), nullable=True), if_not_exists=True)
    op.add_column("notifications", sa.Column("reactions", sa.BigInteger(), nullable=True), if_not_exists=True)
    with op.get_context().autocommit_block():
        # A build that failed leaves an invalid index.
        for name, table in (("reactions_kinds_idx", "reactions"), ("counters_reacted_idx", "counters")):
            op.drop_index(name, table, if_exists=True, postgresql_concurrently=True)
        op.create_index(
            "reactions_kinds_idx",
            "reactions",
            ["business_id", "entity_id", sa.text("moment DESC"), sa.text("user_id DESC")],
            postgresql_include=["kinds"],
            postgresql_where=sa.text("kinds IS NOT NULL"),
            postgresql_concurrently=True,
        )
        op.create_index(
            "counters_reacted_idx",
            "counters",
            ["business_id", "kind", sa.text("magnitude DESC")],
            postgresql_where=sa.text("kind BETWEEN 33 AND 80 AND magnitude > 0"),
            postgresql_concurrently=True,
        )


def downgrade() -> None:
    op.drop_index("counters_reacted_idx", "counters")
    op.drop_index("reactions_kinds_idx", "reactions")
    op.drop_column("notifications", "reactions")
    op.drop_column("reactions", "prev_kinds")
    op.drop_column("reactions", "kinds")
