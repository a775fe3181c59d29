"""Comparison of the lists of followers, followees and requests with the pairs of users from which they are derived."""

from collections.abc import Sequence

from sqlalchemy import text

from store.people.follows import Pair
from store.postgres.client import Transaction
from store.postgres.columns import columns
from store.reconcile.batches import Keyset

_MOMENT = "((version >> 20) << 10) | least(version & 1048575, 1023)"

_PAIRS = text(f"""
    WITH pairs AS (
        SELECT *, CASE WHEN lo_follows AND hi_follows THEN moment END AS friends
        FROM follows WHERE (lo, hi) > (:lo, :hi) ORDER BY lo, hi LIMIT :count
    ), directions AS (
        SELECT lo, hi, follower, followee,
               CASE WHEN follows THEN {_MOMENT} END AS moment, CASE WHEN follows THEN friends END AS friends,
               CASE WHEN requests THEN {_MOMENT} END AS request
        FROM pairs CROSS JOIN LATERAL (VALUES (lo, hi, lo_follows, lo_requests, lo_version),
                                              (hi, lo, hi_follows, hi_requests, hi_version))
             AS d(follower, followee, follows, requests, version)
    )
    SELECT lo, hi, bool_or((g.moment, g.friends_moment, s.moment, r.moment, a.moment)
                           IS DISTINCT FROM (d.moment, d.friends, d.moment, d.request, d.request))
    FROM directions d
    LEFT JOIN following g ON g.user_id = d.follower AND g.followee_id = d.followee
    LEFT JOIN followers s ON s.user_id = d.followee AND s.follower_id = d.follower
    LEFT JOIN requested_follows r ON r.user_id = d.follower AND r.followee_id = d.followee
    LEFT JOIN follow_requests a ON a.user_id = d.followee AND a.follower_id = d.follower
    GROUP BY lo, hi ORDER BY lo, hi
""")  # noqa: S608 - constants
_UNPAIRED = """
    SELECT l.user_id, l.{other}, f.lo IS NULL
    FROM (SELECT user_id, {other} FROM {table} WHERE (user_id, {other}) > (:user, :other)
          ORDER BY user_id, {other} LIMIT :count) AS l
    LEFT JOIN follows f ON f.lo = least(l.user_id, l.{other}) AND f.hi = greatest(l.user_id, l.{other})
    ORDER BY l.user_id, l.{other}
"""
_FOLLOWING = text(_UNPAIRED.format(table="following", other="followee_id"))
_FOLLOWERS = text(_UNPAIRED.format(table="followers", other="follower_id"))
_REQUESTED = text(_UNPAIRED.format(table="requested_follows", other="followee_id"))
_REQUESTS = text(_UNPAIRED.format(table="follow_requests", other="follower_id"))

_LOCK = text("""
    INSERT INTO follows AS f (lo, hi, lo_follows, hi_follows, lo_version, hi_version, moment)
    SELECT lo, hi, false, false, 0, 0, 0 FROM unnest(CAST(:los AS bigint[]), CAST(:his AS bigint[])) AS w(lo, hi)
    ORDER BY lo, hi
    ON CONFLICT (lo, hi) DO UPDATE SET moment = f.moment
    RETURNING lo, hi, lo_follows, hi_follows, lo_version, hi_version, moment, lo_requests, hi_requests
""")

PAIRS = Keyset(_PAIRS, ("lo", "hi"))
"""Reads all pairs of users in batches. A pair drifts if the lists of followers, followees and requests of its users
differ from it.
"""
UNPAIRED = tuple(Keyset(statement, ("user", "other")) for statement in (_FOLLOWING, _FOLLOWERS, _REQUESTED, _REQUESTS))
"""Reads all entries of the lists of followees, of followers, and of requests, in batches: two users each. An entry
drifts if there is no row for the pair.
"""


async def lock_pairs(transaction: Transaction, pairs: Sequence[tuple[int, int]]) -> list[Pair]:
    """Locks the rows of these pairs until the transaction ends, and returns them. First adds the missing rows, as for
    users who never followed each other.
    """
    return [Pair(*row) for row in await transaction.execute(_LOCK, **columns(pairs, "los", "his"))]
