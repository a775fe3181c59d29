"""Creates the outbox of outgoing events, the destinations, and how far each destination is."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "outgoing_events",
        sa.Column("p", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("position", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.SmallInteger(), nullable=False),
        sa.Column("business_id", sa.SmallInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("object", sa.Text(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("bytes_through", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("p", "position", name=op.f("outgoing_events_pkey")),
    )
    op.create_table(
        "outgoing_heads",
        sa.Column("p", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("added", sa.BigInteger(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("p", name=op.f("outgoing_heads_pkey")),
    )
    op.create_table(
        "event_destinations",
        sa.Column("name", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("kinds", postgresql.ARRAY(sa.SmallInteger()), nullable=False),
        sa.Column("businesses", postgresql.ARRAY(sa.SmallInteger()), nullable=False),
        sa.Column("secrets", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("state", sa.SmallInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("event_destinations_pkey")),
    )
    op.create_table(
        "event_cursors",
        sa.Column("p", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("lost_after", sa.BigInteger(), nullable=True),
        sa.Column("lost_through", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("p", "name", name=op.f("event_cursors_pkey")),
    )


def downgrade() -> None:
    for name in ("event_cursors", "event_destinations", "outgoing_heads", "outgoing_events"):
        op.drop_table(name)
