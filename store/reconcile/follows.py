"""Compares the lists of followers, followees and follow requests with the table `follows`, from which they are derived.
`follows` has one row for each pair of users.
"""

from collections.abc import Sequence

from sqlalchemy import text

from models.follows import Pair
from store.postgres.client import Transaction
from store.postgres.columns import columns
from store.reconcile.batches import Comparison, compared

_MOMENT = "((version >> 20) << 10) | least(version & 1048575, 1023)"

# The entries of a list that belong to the pairs of a batch. No index has `tableoid`, so Postgres looks the entries up
# by their key. Otherwise it reads all entries of a user from the index that has the moment too.
_ENTRIES = """
    SELECT d.follower, d.followee, l.*, l.tableoid
    FROM directions d JOIN {table} l ON l.user_id = d.{of} AND l.{other} = d.{to}
"""
_FOLLOWS, _FOLLOWED = {"of": "follower", "to": "followee"}, {"of": "followee", "to": "follower"}
_PAIRS = """
    SELECT *, CASE WHEN lo_follows AND hi_follows THEN moment END AS friends
    FROM follows WHERE (lo, hi) > (:lo, :hi) ORDER BY lo, hi LIMIT :count
"""
_LISTS = f"""
    directions AS MATERIALIZED (
        SELECT lo, hi, follower, followee,
               CASE WHEN follows THEN {_MOMENT} END AS moment, CASE WHEN follows THEN friends END AS friends,
               CASE WHEN requests THEN {_MOMENT} END AS request
        FROM batch CROSS JOIN LATERAL (VALUES (lo, hi, lo_follows, lo_requests, lo_version),
                                              (hi, lo, hi_follows, hi_requests, hi_version))
             AS d(follower, followee, follows, requests, version)
    ), following_ones AS MATERIALIZED ({_ENTRIES.format(table="following", other="followee_id", **_FOLLOWS)}
    ), followed_ones AS MATERIALIZED ({_ENTRIES.format(table="followers", other="follower_id", **_FOLLOWED)}
    ), requesting_ones AS MATERIALIZED ({_ENTRIES.format(table="requested_follows", other="followee_id", **_FOLLOWS)}
    ), requested_ones AS MATERIALIZED ({_ENTRIES.format(table="follow_requests", other="follower_id", **_FOLLOWED)}),
"""  # noqa: S608 - constants
_AGREEING = """
    SELECT lo, hi FROM directions d
    LEFT JOIN following_ones g USING (follower, followee) LEFT JOIN followed_ones s USING (follower, followee)
    LEFT JOIN requesting_ones r USING (follower, followee) LEFT JOIN requested_ones a USING (follower, followee)
    GROUP BY lo, hi
    HAVING NOT bool_or((g.moment, g.friends_moment, s.moment, r.moment, a.moment)
                       IS DISTINCT FROM (d.moment, d.friends, d.moment, d.request, d.request))
"""


def _unpaired(table: str, other: str) -> Comparison:
    """Returns the comparison of the entries of a list. A key is a user and the other user (the column `other`). An
    entry drifts if the two users have no row in `follows`.
    """
    key = f"user_id, {other}"
    batch = f"SELECT {key} FROM {table} WHERE ({key}) > (:user, :other) ORDER BY {key} LIMIT :count"  # noqa: S608
    paired = f"""SELECT {key} FROM batch JOIN follows
        ON lo = least(user_id, {other}) AND hi = greatest(user_id, {other})"""  # noqa: S608 - constants
    return compared(key, ("user", "other"), batch, paired)


_LOCK = text("""
    INSERT INTO follows AS f (lo, hi, lo_follows, hi_follows, lo_version, hi_version, moment)
    SELECT lo, hi, false, false, 0, 0, 0 FROM unnest(CAST(:los AS bigint[]), CAST(:his AS bigint[])) AS w(lo, hi)
    ORDER BY lo, hi
    ON CONFLICT (lo, hi) DO UPDATE SET moment = f.moment
    RETURNING lo, hi, lo_follows, hi_follows, lo_version, hi_version, moment, lo_requests, hi_requests
""")

PAIRS = compared("lo, hi", ("lo", "hi"), _PAIRS, _AGREEING, _LISTS)
"""Compares all pairs of users in `follows`. A pair drifts if the lists of the two users disagree with its row."""
UNPAIRED = (
    _unpaired("following", "followee_id"),
    _unpaired("followers", "follower_id"),
    _unpaired("requested_follows", "followee_id"),
    _unpaired("follow_requests", "follower_id"),
)
"""Compare all entries of the lists of followees, followers, sent requests and received requests, in this order. An
entry drifts if the two users have no row in `follows`.
"""


async def lock_pairs(transaction: Transaction, pairs: Sequence[tuple[int, int]]) -> list[Pair]:
    """Locks the rows of these pairs of users until the transaction ends, and returns them. A pair is (lower user id,
    higher user id). First adds missing rows, which say that neither user follows the other.
    """
    return [Pair(*row) for row in await transaction.execute(_LOCK, **columns(pairs, "los", "his"))]
