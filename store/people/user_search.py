"""Searches users by their terms (store/content/user_terms.py)."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import TextClause, text

from domain.search_terms import END, longest_part
from models.deletions import DeletionMode, DeletionState
from models.preferences import Preference
from models.users import SuspensionMode, UserRow
from store.content.user_terms import COUNTS_FOLLOWERS, HIGHEST_TIER
from store.people.users import COLUMNS
from store.postgres.client import LEAST_LIKENESS, Postgres
from store.postgres.distributed import on_citus

_SCANNED = 1000
"""The most users of each tier that are read by the first word of a query, and the most similar terms that are read.
These limit the time of two kinds of queries: those with several frequent words that no user has together, and those
that are similar to a frequent name.
"""
_FOLLOWED_SCANNED = 1000
"""How many of the newest follows of the viewer are read. Other followed users are found only like users whom the viewer
does not follow.
"""
_SIMILAR = 50
"""The most users who are found with a term that is similar to the longest part of the first word."""
_SHORTEST_SIMILAR = 4
"""The fewest characters of a word to which similar terms are searched."""
_FRIEND, _FOLLOWED, _EXACT, _FOUND = 4, 3, 2, 1
"""The classes of users who are found, best first: friends of the viewer, other followed users, the user with exactly
the handle, and others. Users who are found by a similar term have lower classes, the more similar the higher.
"""

_IS_SHOWN = f"""(
    u.user_id = CAST(:viewer AS bigint)
    OR (
        (CAST(:moderates AS boolean) OR (
            (u.suspended IS NULL OR u.suspended = {SuspensionMode.READ_ONLY:d} OR u.suspended_until_ms <= :now)
            AND (u.deletion IS NULL
                 OR (u.deletion = {DeletionState.DONE:d} AND u.deletion_mode = {DeletionMode.ANONYMIZE:d}))
        ))
        AND NOT EXISTS (
            SELECT FROM preferences p
            WHERE p.user_id = u.user_id AND p.preference = {Preference.HIDDEN_FROM_SEARCH:d} AND p.stands
        )
    )
)"""
"""An SQL condition: searches of the viewer may find the user `u`. Ignores blocks."""
_IS_OPEN = "(CAST(:private AS boolean) OR NOT u.is_private OR u.user_id = CAST(:viewer AS bigint))"
"""An SQL condition: searches of users who do not follow the user `u` may find `u`."""
_HAS_OTHERS = """(
    SELECT count(DISTINCT w.word) FROM user_terms o
    JOIN unnest(CAST(:others AS text[])) AS w(word) ON starts_with(o.term, w.word) WHERE o.user_id = t.user_id
) = cardinality(CAST(:others AS text[]))"""
"""An SQL condition: the user of the term `t` has a term for each further word of the query."""
# Several terms of a user may match. Only the first one in the order of terms is taken, so each user is found once.
_FIRST = """t.term >= :low AND t.term < :high AND t.term = (
    SELECT min(o.term) FROM user_terms o WHERE o.user_id = t.user_id AND o.term >= :low AND o.term < :high
)"""


def _candidates(popular: str) -> TextClause:
    """Returns the statement that selects ids and classes of users with matching terms. `popular` selects the ids of
    those with the most followers.
    """
    return text(f"""
        WITH newest AS MATERIALIZED (
            SELECT followee_id FROM following WHERE user_id = CAST(:viewer AS bigint)
            ORDER BY moment DESC, followee_id DESC LIMIT {_FOLLOWED_SCANNED}
        ),
        popular AS MATERIALIZED ({popular}),
        resembling AS MATERIALIZED (
            SELECT user_id FROM user_terms
            WHERE CAST(:word AS text) <> '' AND (SELECT count(*) FROM popular) < CAST(:few AS integer)
              AND term % CAST(:word AS text) LIMIT {_SCANNED}
        )
        (SELECT DISTINCT t.user_id, {_FOUND} AS class FROM user_terms t
         WHERE t.user_id = ANY(ARRAY(SELECT followee_id FROM newest))
           AND t.term >= :low AND t.term < :high AND {_HAS_OTHERS} LIMIT :most)
        UNION ALL SELECT user_id, {_FOUND} FROM popular
        UNION ALL SELECT user_id, {_EXACT} FROM handles WHERE handle = :handle AND freed_at IS NULL
        UNION ALL
        (SELECT t.user_id, CAST(10 * max(similarity(t.term, CAST(:word AS text))) AS integer) - 10 AS class
         FROM user_terms t WHERE t.user_id = ANY(ARRAY(SELECT user_id FROM resembling))
           AND similarity(t.term, CAST(:word AS text)) >= {LEAST_LIKENESS} AND {_HAS_OTHERS}
         GROUP BY t.user_id ORDER BY class DESC, t.user_id LIMIT {_SIMILAR})
    """)  # noqa: S608 - constants


_CANDIDATES = on_citus(
    _candidates(f"""
        SELECT one.user_id FROM generate_series({HIGHEST_TIER}, 0, -1) AS tiers(tier) CROSS JOIN LATERAL (
            SELECT t.user_id FROM (
                SELECT t.user_id FROM user_terms t WHERE t.tier = tiers.tier AND {_FIRST}
                ORDER BY t.term, t.user_id LIMIT {_SCANNED}
            ) AS t JOIN users u ON u.user_id = t.user_id WHERE {_IS_SHOWN} AND {_IS_OPEN} AND {_HAS_OTHERS} LIMIT :most
        ) AS one LIMIT :most
    """),  # noqa: S608 - constants
    # Citus joins no rows of a table with a series. Each shard sorts its matches instead.
    _candidates(f"""
        SELECT t.user_id FROM user_terms t JOIN users u ON u.user_id = t.user_id
        WHERE {_FIRST} AND {_IS_SHOWN} AND {_IS_OPEN} AND {_HAS_OTHERS}
        ORDER BY t.tier DESC, t.term, t.user_id LIMIT :most
    """),  # noqa: S608 - constants
)
"""The parameter `few` is how many users must match so that no similar names are searched."""
_READ = text(f"""
    WITH related AS MATERIALIZED (
        SELECT followee_id, friends_moment FROM following
        WHERE user_id = CAST(:viewer AS bigint) AND followee_id = ANY(CAST(:ids AS bigint[]))
    )
    SELECT CASE WHEN f.followee_id IS NULL THEN NULL WHEN f.friends_moment IS NULL THEN {_FOLLOWED} ELSE {_FRIEND} END,
           coalesce(c.value, 0), {", ".join(f"u.{one}" for one in COLUMNS.split(", "))}
    FROM users u
    LEFT JOIN counters c ON {COUNTS_FOLLOWERS} AND c.entity_id = u.user_id
    LEFT JOIN related f ON f.followee_id = u.user_id
    WHERE u.user_id = ANY(CAST(:ids AS bigint[])) AND {_IS_SHOWN} AND (f.followee_id IS NOT NULL OR {_IS_OPEN})
""")  # noqa: S608 - constants


class Found(NamedTuple):
    """A user whom a search finds: the class (higher is better), the number of followers, and the profile."""

    rank: int
    followers: int
    user: UserRow


async def find(
    postgres: Postgres,
    words: Sequence[str],
    handle: str | None,
    viewer_id: int | None,
    *,
    now_ms: int,
    moderates: bool,
    private: bool,
    most: int,
    few: int,
) -> list[Found]:
    """Returns the users whose names match all `words` (domain/search_terms.py; at least one), in the order of the
    search: friends of the viewer, other users whom the viewer follows, the user with exactly this `handle`, and then
    others with the most followers first. At most `most` of them are followed by the viewer, and at most `most` others
    match. Users with similar names come last, if fewer than `few` match.

    Leaves out users who have chosen not to be found and, unless the viewer is a moderator (`moderates`), users whom a
    suspension or a deletion hides. Without `private`, leaves out private users whom the viewer does not follow. Ignores
    blocks. Raises PostgresDown.
    """
    first, *others = words
    viewer = {"viewer": viewer_id, "now": now_ms, "moderates": moderates, "private": private}
    part = longest_part(first)
    candidates = await postgres.read(
        _CANDIDATES,
        low=first,
        high=first + END,
        others=others,
        word=part if len(part) >= _SHORTEST_SIMILAR else "",
        handle=handle or "",
        most=most,
        few=few,
        **viewer,
    )
    if not candidates:
        return []
    classes = dict(sorted(map(tuple, candidates), key=lambda row: row[1]))
    rows = await postgres.read(_READ, ids=[*classes], **viewer)
    found = [Found(row[0] or classes[row[2]], row[1], UserRow(*row[2:])) for row in rows]
    return sorted(found, key=lambda one: (one.rank, one.followers, one.user.user_id), reverse=True)
