"""Stores reports and the cases of the moderation queue. Posts and comments that wait for approval become cases."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

REVIEWER = 4
RULES = 1
POSTS, COMMENTS = 2, 4


def upgrade() -> None:
    op.create_table(
        "reports",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("reporter_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("author_id", sa.BigInteger(), nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.SmallInteger(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("weight", sa.SmallInteger(), nullable=False),
        sa.Column("network", sa.Text(), nullable=True),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "entity_id", "reporter_id", name=op.f("reports_pkey")),
    )
    op.create_index("reports_newest_idx", "reports", ["business_id", "entity_id", "status", sa.text("version DESC")])
    op.create_index(
        "reports_network_idx",
        "reports",
        ["business_id", "entity_id", "network"],
        postgresql_where=sa.text("status = 0"),
    )
    op.create_index("reports_made_idx", "reports", ["reporter_id", "status"])
    op.create_index("reports_received_idx", "reports", ["author_id", "status"])
    op.create_table(
        "cases",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("about", sa.SmallInteger(), nullable=False),
        sa.Column("author_id", sa.BigInteger(), nullable=True),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("sources", sa.SmallInteger(), nullable=False),
        sa.Column("reports", sa.Integer(), nullable=False),
        sa.Column("weight", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "entity_id", name=op.f("cases_pkey")),
    )
    is_open = sa.text("sources <> 0")
    op.create_index("cases_queue_idx", "cases", ["moment", "entity_id"], postgresql_where=is_open)
    weight = sa.text("weight DESC"), sa.text("entity_id DESC")
    op.create_index("cases_weight_idx", "cases", [*weight], postgresql_where=is_open)
    _fill()


def _fill() -> None:
    waits = f"CASE WHEN reason = 'waits for review' THEN {REVIEWER} ELSE {RULES} END"
    op.execute(f"""
        INSERT INTO cases (business_id, entity_id, about, author_id, moment, sources, reports, weight)
        SELECT {POSTS}, post_id, {POSTS}, author_id, moment, {waits}, 0, 0 FROM posts WHERE status = 0 AND NOT deleted
    """)  # noqa: S608 - constants
    op.execute(f"""
        INSERT INTO cases (business_id, entity_id, about, author_id, moment, sources, reports, weight)
        SELECT {COMMENTS}, comment_id, subject_business, author_id, moment, {waits}, 0, 0 FROM comment_contents
        WHERE status = 0 AND NOT deleted
    """)  # noqa: S608 - constants


def downgrade() -> None:
    op.drop_table("cases")
    op.drop_table("reports")
