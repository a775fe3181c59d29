"""Searches users by their terms (store/content/user_terms.py)."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import TextClause, text

from domain.search_terms import END, MOST_WORDS, longest_part
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

_PROFILE = ", ".join(f"u.{one}" for one in COLUMNS.split(", "))
_IS_SHOWN = f"""(
    u.user_id = CAST(:viewer AS bigint)
    OR (
        (CAST(:moderates AS boolean) OR (
            (u.suspended IS NULL OR u.suspended = {SuspensionMode.READ_ONLY:d} OR u.suspended_until_ms <= :now)
            AND (u.deletion IS NULL
                 OR (u.deletion = {DeletionState.DONE:d} AND u.deletion_mode = {DeletionMode.ANONYMIZE:d}))
        ))
        AND NOT coalesce((
            SELECT p.stands FROM preferences p
            WHERE p.user_id = u.user_id AND p.preference = {Preference.HIDDEN_FROM_SEARCH:d}
        ), false)
    )
)"""  # noqa: S608 - constants
"""An SQL condition: searches of the viewer may find the user `u`. Ignores blocks."""
_IS_OPEN = "(CAST(:private AS boolean) OR NOT u.is_private OR u.user_id = CAST(:viewer AS bigint))"
"""An SQL condition: searches of users who do not follow the user `u` may find `u`."""
# Several terms of a user may match. Only the first one in the order of terms is taken, so each user is found once.
_MATCHES = """t.term >= :low AND t.term < :high AND t.term = (
    SELECT min(o.term) FROM user_terms o WHERE o.user_id = t.user_id AND o.term >= :low AND o.term < :high
)"""


def _has_others(user: str) -> str:
    """Returns an SQL condition: the user in this column has a term for each further word of the query."""
    # Citus does not accept a subquery about the elements of an array.
    return (
        "("
        + " AND ".join(
            f"""(coalesce(cardinality(CAST(:lows AS text[])), 0) < {at} OR EXISTS (
            SELECT FROM user_terms o
            WHERE o.user_id = {user} AND o.term >= (CAST(:lows AS text[]))[{at}]
              AND o.term < (CAST(:highs AS text[]))[{at}]
        ))"""
            for at in range(1, MOST_WORDS)
        )
        + ")"
    )


def _find(followed: str, popular: str, relations: str = "") -> TextClause:
    """Returns the statement that searches. `followed` selects followed users with matching terms, and `popular` the
    matching users with the most followers. `relations` are further CTEs.
    """
    return text(f"""
        WITH {relations} followed AS MATERIALIZED ({followed}), popular AS MATERIALIZED ({popular}),
        resembling AS MATERIALIZED (
            SELECT t.user_id, CAST(10 * max(t.likeness) AS integer) - 10 AS class
            FROM (
                SELECT user_id, likeness FROM (
                    SELECT user_id, similarity(term, CAST(:word AS text)) AS likeness FROM user_terms
                    WHERE CAST(:word AS text) <> '' AND (SELECT count(*) FROM popular) < CAST(:few AS integer)
                      AND term % CAST(:word AS text) LIMIT {_SCANNED}
                ) AS t WHERE likeness >= {LEAST_LIKENESS} ORDER BY likeness DESC, user_id LIMIT {2 * _SIMILAR}
            ) AS t JOIN users u ON u.user_id = t.user_id
            WHERE {_IS_SHOWN} AND {_IS_OPEN} AND {_has_others("t.user_id")}
            GROUP BY t.user_id ORDER BY class DESC, t.user_id LIMIT {_SIMILAR}
        ),
        claimed AS MATERIALIZED (SELECT user_id FROM handles WHERE handle = :handle AND freed_at IS NULL),
        exact AS MATERIALIZED (
            SELECT u.user_id, {_EXACT} AS class FROM claimed JOIN users u ON u.user_id = claimed.user_id
            WHERE {_IS_OPEN}
        ),
        found AS MATERIALIZED (
            SELECT user_id, max(class) AS class FROM (
                SELECT * FROM followed UNION ALL SELECT * FROM popular
                UNION ALL SELECT * FROM resembling UNION ALL SELECT * FROM exact
            ) AS every GROUP BY user_id
        ),
        related AS MATERIALIZED (
            SELECT followee_id, friends_moment FROM following
            WHERE user_id = CAST(:viewer AS bigint) AND followee_id = ANY(ARRAY(SELECT user_id FROM found))
        )
        SELECT CASE WHEN f.followee_id IS NULL THEN found.class WHEN f.friends_moment IS NULL THEN {_FOLLOWED}
                    ELSE {_FRIEND} END AS class,
               coalesce(c.value, 0) AS followers, {_PROFILE}
        FROM found
        JOIN users u ON u.user_id = found.user_id
        LEFT JOIN counters c ON {COUNTS_FOLLOWERS} AND c.entity_id = u.user_id
        LEFT JOIN related f ON f.followee_id = found.user_id
        WHERE {_IS_SHOWN}
        ORDER BY class DESC, followers DESC, u.user_id DESC
    """)  # noqa: S608 - constants


_NEWEST = f"""
    SELECT followee_id FROM following WHERE user_id = CAST(:viewer AS bigint)
    ORDER BY moment DESC, followee_id DESC LIMIT {_FOLLOWED_SCANNED}
"""  # noqa: S608 - constants
_MATCH = f"t.term >= :low AND t.term < :high AND {_has_others('t.user_id')}"
_FIND = on_citus(
    _find(
        f"""
        SELECT f.followee_id AS user_id, {_FOUND} AS class FROM ({_NEWEST}) AS f CROSS JOIN LATERAL (
            SELECT FROM user_terms t WHERE t.user_id = f.followee_id AND {_MATCH} LIMIT 1
        ) AS t LIMIT :most
        """,  # noqa: S608 - constants
        f"""
        SELECT one.user_id, {_FOUND} AS class
        FROM generate_series({HIGHEST_TIER}, 0, -1) AS tiers(tier) CROSS JOIN LATERAL (
            SELECT u.user_id FROM (
                SELECT t.user_id FROM user_terms t WHERE t.tier = tiers.tier AND {_MATCHES}
                ORDER BY t.term, t.user_id LIMIT {_SCANNED}
            ) AS t JOIN users u ON u.user_id = t.user_id
            WHERE {_IS_SHOWN} AND {_IS_OPEN} AND {_has_others("u.user_id")} LIMIT :most
        ) AS one LIMIT :most
        """,  # noqa: S608 - constants
    ),
    # Citus joins no rows of a table with a series. Each shard sorts its matches instead.
    _find(
        f"""
        SELECT DISTINCT t.user_id, {_FOUND} AS class FROM user_terms t
        WHERE t.user_id IN (SELECT followee_id FROM newest) AND {_MATCH} LIMIT :most
        """,  # noqa: S608 - constants
        f"""
        SELECT t.user_id, {_FOUND} AS class FROM user_terms t JOIN users u ON u.user_id = t.user_id
        WHERE {_MATCHES} AND {_IS_SHOWN} AND {_IS_OPEN} AND {_has_others("t.user_id")}
        ORDER BY t.tier DESC, t.term, t.user_id LIMIT :most
        """,  # noqa: S608 - constants
        relations=f"newest AS MATERIALIZED ({_NEWEST}),",
    ),
)
"""Searches users. Searches similar names only if fewer than `few` users match."""


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
    rows = await postgres.read(
        _FIND,
        low=first,
        high=first + END,
        lows=others,
        highs=[word + END for word in others],
        word=part if len(part := longest_part(first)) >= _SHORTEST_SIMILAR else "",
        handle=handle or "",
        viewer=viewer_id,
        now=now_ms,
        moderates=moderates,
        private=private,
        most=most,
        few=few,
    )
    return [Found(row[0], row[1], UserRow(*row[2:])) for row in rows]
