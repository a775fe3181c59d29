"""Creates the tables for direct writes, which go to Postgres while Redis is down."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "modes",
        sa.Column("id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("direct", sa.Boolean(), nullable=False),
        sa.Column("generation", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("servers", sa.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("modes_pkey")),
        info={"shard": "id"},
    )
    op.create_table(
        "operations",
        sa.Column("actor_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("business_id", sa.SmallInteger(), nullable=True),
        sa.Column("entity_id", sa.BigInteger(), nullable=True),
        sa.Column("verb", sa.Text(), nullable=True),
        sa.Column("adopted", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("actor_id", "name", name=op.f("operations_pkey")),
        info={"shard": "actor_id"},
    )
    op.create_index("operations_left_idx", "operations", ["actor_id", "name"], postgresql_where=sa.text("NOT adopted"))
    for column in ("direct", "drained"):
        op.add_column("partitions", sa.Column(column, sa.BigInteger(), server_default=sa.text("0"), nullable=False))
    op.add_column(
        "workers",
        sa.Column("redis_seen", sa.DateTime(timezone=True), server_default=sa.text("'-infinity'"), nullable=False),
    )


def downgrade() -> None:
    op.drop_column("workers", "redis_seen")
    for column in ("drained", "direct"):
        op.drop_column("partitions", column)
    op.drop_table("operations")
    op.drop_table("modes")
