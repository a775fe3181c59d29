"""Writes the rows of followed topics and entities, and of preferences. `boundary_rows` reads them."""

from collections.abc import Sequence

from sqlalchemy import text

from store.postgres.client import Rows, Transaction
from store.postgres.columns import columns

# `was` returns the value that this statement replaced, as prev_state of reactions (store/reactions/like_rows.py).
_WRITE = text("""
    INSERT INTO content_follows AS f (user_id, business_id, entity_id, name, stands, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                         CAST(:names AS text[]), CAST(:stands AS boolean[]), CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, business_id, entity_id) DO UPDATE SET
        was = f.stands, stands = excluded.stands, version = excluded.version
    WHERE f.version < excluded.version
    RETURNING user_id, business_id, entity_id, was
""")
_WRITE_PREFERENCES = text("""
    INSERT INTO preferences AS p (user_id, preference, stands, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:preferences AS smallint[]), CAST(:stands AS boolean[]),
                         CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, preference) DO UPDATE SET stands = excluded.stands, version = excluded.version
    WHERE p.version < excluded.version
""")

FollowRow = tuple[int, int, int, str, bool, int]
"""A follow of a topic or entity: user, business, id, name of the topic (empty for an entity), whether the follow
stands, version.
"""
PreferenceRow = tuple[int, int, bool, int]
"""A preference: user, number, whether it is on, version."""


async def write(transaction: Transaction, rows: Sequence[FollowRow]) -> Rows:
    """Writes follows, except those whose stored rows have the same or a higher version. `rows` have each pair of a user
    and an object at most once. Returns the written rows: (user, business, id, whether the follow stood before).
    """
    names = "users", "businesses", "entities", "names", "stands", "versions"
    return await transaction.execute(_WRITE, **columns(sorted(rows), *names))


async def write_preferences(transaction: Transaction, rows: Sequence[PreferenceRow]) -> None:
    """Writes preferences, except those whose stored rows have the same or a higher version. `rows` have each pair of a
    user and a preference at most once.
    """
    names = "users", "preferences", "stands", "versions"
    await transaction.execute(_WRITE_PREFERENCES, **columns(sorted(rows), *names))
