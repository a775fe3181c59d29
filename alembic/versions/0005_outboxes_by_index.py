"""Adds the state to the index of outboxes, so that most reads of home timelines need the index only."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create(include=["state"])


def downgrade() -> None:
    _create(include=[])


def _create(include: list[str]) -> None:
    op.drop_index("outboxes_recent_idx", "outboxes")
    op.create_index(
        "outboxes_recent_idx",
        "outboxes",
        ["author_id", sa.literal_column("moment DESC"), sa.literal_column("post_id DESC")],
        unique=False,
        postgresql_include=include,
    )
