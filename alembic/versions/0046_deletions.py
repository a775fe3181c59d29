"""Adds deletions of accounts, and the index with which the entities of an owner are found.

The index is built concurrently, so writes do not wait. If the migration fails at the index, run it again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    with op.get_context().autocommit_block():
        # A build that failed leaves an invalid index.
        op.drop_index("entities_owner_idx", "entities", if_exists=True, postgresql_concurrently=True)
        op.create_index(
            "entities_owner_idx",
            "entities",
            ["owner_id"],
            postgresql_where=sa.text("owner_id IS NOT NULL"),
            postgresql_concurrently=True,
        )
    for name in ("deletion", "deletion_mode"):
        op.add_column("users", sa.Column(name, sa.SmallInteger(), nullable=True))
    op.add_column("users", sa.Column("deletion_due_ms", sa.BigInteger(), nullable=True))
    op.add_column("users", sa.Column("deletion_version", sa.BigInteger(), server_default=sa.text("0"), nullable=False))
    op.create_table(
        "deletions",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("due_ms", sa.BigInteger(), nullable=False),
        sa.Column("started_ms", sa.BigInteger(), nullable=True),
        sa.Column("finished_ms", sa.BigInteger(), nullable=True),
        sa.Column("removed", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="deletions_pkey"),
    )
    op.create_index("deletions_due_idx", "deletions", ["due_ms"], postgresql_where=sa.text("finished_ms IS NULL"))
    op.create_table(
        "legal_holds",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("since_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="legal_holds_pkey"),
    )
    op.create_table(
        "deleted_identities",
        sa.Column("digest", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("deleted_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="deleted_identities_pkey"),
    )


def downgrade() -> None:
    op.drop_index("entities_owner_idx", "entities")
    op.drop_table("deleted_identities")
    op.drop_table("legal_holds")
    op.drop_table("deletions")
    for name in ("deletion_version", "deletion_due_ms", "deletion_mode", "deletion"):
        op.drop_column("users", name)
