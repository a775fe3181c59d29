"""Creates the tables of the client versions that have persisted operations, of withdrawn operations, and of their use.

Operations that were imported before belong to no client.
"""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    now = sa.text("now()")
    op.create_table(
        "persisted_versions",
        sa.Column("client", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("imported_at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.Column("withdrawn", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("client", "version", name=op.f("persisted_versions_pkey")),
        info={"shard": "client"},
    )
    op.create_table(
        "persisted_version_operations",
        sa.Column("client", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("operation_id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("client", "version", "operation_id", name=op.f("persisted_version_operations_pkey")),
        info={"shard": "client"},
    )
    op.create_index(
        op.f("persisted_version_operations_operation_id_idx"), "persisted_version_operations", ["operation_id"]
    )
    op.create_table(
        "persisted_withdrawals",
        sa.Column("operation_id", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.PrimaryKeyConstraint("operation_id", name=op.f("persisted_withdrawals_pkey")),
        info={"shard": "operation_id"},
    )
    op.create_table(
        "persisted_usage",
        sa.Column("operation_id", sa.Text(), nullable=False),
        sa.Column("client", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("requests", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("operation_id", "client", "version", name=op.f("persisted_usage_pkey")),
        info={"shard": "operation_id"},
    )
    op.execute("INSERT INTO persisted_version_operations SELECT '', '', id FROM persisted_operations")
    op.execute("INSERT INTO persisted_versions (client, version) SELECT DISTINCT '', '' FROM persisted_operations")


def downgrade() -> None:
    for name in ("usage", "withdrawals", "version_operations", "versions"):
        op.drop_table(f"persisted_{name}")
