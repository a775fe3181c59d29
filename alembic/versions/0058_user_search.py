"""Adds the terms by which searches find users, and fills them for all users. Needs the extension pg_trgm, which comes
with Postgres.

The terms are written in batches, each in its own transaction, so writes of users do not wait. If the migration fails,
run it again.
"""

import sqlalchemy as sa
from alembic import op

from domain.search_terms import terms

revision = "0058"
down_revision = "0057"

_BATCH = 2000
_USERS = sa.text("""
    SELECT u.user_id, u.handle, u.display_name, coalesce(c.value, 0) AS followers
    FROM (
        SELECT user_id, handle, display_name FROM users
        WHERE user_id > :after AND (deletion IS NULL OR deletion <> 3) ORDER BY user_id LIMIT :count
    ) AS u LEFT JOIN counters c ON c.business_id = 1 AND c.entity_id = u.user_id AND c.kind = 6
    ORDER BY u.user_id
""")
_INSERT = sa.text("""
    INSERT INTO user_terms (user_id, term, tier)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:terms AS text[]), CAST(:tiers AS smallint[]))
    ON CONFLICT (user_id, term) DO NOTHING
""")


def upgrade() -> None:
    with op.get_context().autocommit_block():
        connection = op.get_bind()
        op.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        op.create_table(
            "user_terms",
            sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
            sa.Column("term", sa.Text(collation="C"), nullable=False),
            sa.Column("tier", sa.SmallInteger(), nullable=False),
            sa.PrimaryKeyConstraint("user_id", "term", name="user_terms_pkey"),
            if_not_exists=True,
        )
        after = -1
        while users := connection.execute(_USERS, {"after": after, "count": _BATCH}).all():
            after = users[-1].user_id
            rows = [
                (user.user_id, term, max(0, user.followers).bit_length() // 2)
                for user in users
                for term in terms(user.handle, user.display_name)
            ]
            values = zip(("users", "terms", "tiers"), map(list, zip(*rows, strict=True)), strict=True)
            connection.execute(_INSERT, dict(values))
        op.create_index("user_terms_tier_idx", "user_terms", ["tier", "term", "user_id"], if_not_exists=True)
        op.create_index(
            "user_terms_similar_idx",
            "user_terms",
            ["term"],
            if_not_exists=True,
            postgresql_using="gin",
            postgresql_ops={"term": "gin_trgm_ops"},
            postgresql_with={"fastupdate": "off"},
        )


def downgrade() -> None:
    op.drop_table("user_terms")
