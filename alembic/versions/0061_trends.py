"""Adds what trends and lists of topics read: who counts with a post, the topics that moderators hold, and indexes.

The indexes are built concurrently, so writes do not wait. If the migration fails, run it again.
"""

from alembic import op

revision = "0061"
down_revision = "0059"

_FOLDED = "translate(replace(name, '\u00df', 'ss'), '\u2019\u2010\u03c2\u200c\u200d\u180e', '''-\u03c3')"
_INDEXES = {
    "topics_names_idx": f"topics ({_FOLDED} text_pattern_ops)",
    "topics_words_idx": f"topics USING gin ({_FOLDED} gin_trgm_ops) WITH (fastupdate = off)",
    "topic_posts_trends_idx": ("topic_posts (moment) INCLUDE (topic_id, voice) WHERE counted AND voice IS NOT NULL"),
    "counters_topics_idx": ("counters (magnitude DESC) WHERE business_id = 3 AND kind = 9 AND magnitude > 0"),
}


def upgrade() -> None:
    op.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    op.execute("ALTER TABLE topics ADD COLUMN IF NOT EXISTS held boolean DEFAULT false NOT NULL")
    op.execute("ALTER TABLE topics ADD COLUMN IF NOT EXISTS held_version bigint DEFAULT 0 NOT NULL")
    op.execute("ALTER TABLE topic_posts ADD COLUMN IF NOT EXISTS voice bigint")
    with op.get_context().autocommit_block():
        for name, on in _INDEXES.items():
            # A build that failed leaves an invalid index.
            op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            op.execute(f"CREATE INDEX CONCURRENTLY {name} ON {on}")


def downgrade() -> None:
    for name in _INDEXES:
        op.execute(f"DROP INDEX IF EXISTS {name}")
    op.execute("ALTER TABLE topics DROP COLUMN held, DROP COLUMN held_version")
    op.execute("ALTER TABLE topic_posts DROP COLUMN voice")
