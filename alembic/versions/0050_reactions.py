"""Adds the kinds of reactions to the tables of reactions and notifications, a table of reactions by kind and day, and
indexes of the users who gave an object such kinds, and of the objects with the most reactions of a kind.

The indexes are built concurrently, so writes do not wait. If the migration fails, run it again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None

MAGNITUDE = "floor(ln(greatest(value * 2, 1::bigint)::double precision) / ln(2::double precision))::smallint"


def upgrade() -> None:
    for column in ("kinds", "prev_kinds"):
        op.add_column("reactions", sa.Column(column, sa.BigInteger(), nullable=True), if_not_exists=True)
    op.add_column("notifications", sa.Column("reactions", sa.BigInteger(), nullable=True), if_not_exists=True)
    op.create_table(
        "daily_reactions",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.Column("magnitude", sa.SmallInteger(), sa.Computed(MAGNITUDE, persisted=True), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "day", "kind", "entity_id", name="daily_reactions_pkey"),
        postgresql_with={"fillfactor": 85},
        if_not_exists=True,
    )
    op.create_index(
        "daily_reactions_leaders_idx",
        "daily_reactions",
        ["business_id", "kind", "day", sa.text("magnitude DESC")],
        postgresql_where=sa.text("magnitude > 0"),
        if_not_exists=True,
    )
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
    op.drop_table("daily_reactions")
    op.drop_index("counters_reacted_idx", "counters")
    op.drop_index("reactions_kinds_idx", "reactions")
    op.drop_column("notifications", "reactions")
    op.drop_column("reactions", "prev_kinds")
    op.drop_column("reactions", "kinds")
