"""Writes the rows of follows: pairs of users, each user's lists of followers, followees and follow requests, and the
log of the changes that users requested.
"""

from collections.abc import Iterable, Sequence

from sqlalchemy import TextClause, text

from models.follows import Pair
from settings import USERS
from store.postgres.client import Rows, Transaction
from store.postgres.columns import columns

# lo_followed, hi_followed, lo_requested and hi_requested return the values that this statement replaced in each row
# (see store/reactions/like_rows.py).
_UPSERT = text("""
    INSERT INTO follows AS f
        (lo, hi, lo_follows, hi_follows, lo_version, hi_version, moment, lo_requests, hi_requests)
    SELECT * FROM unnest(CAST(:los AS bigint[]), CAST(:his AS bigint[]), CAST(:lo_follows AS boolean[]),
                         CAST(:hi_follows AS boolean[]), CAST(:lo_versions AS bigint[]),
                         CAST(:hi_versions AS bigint[]), CAST(:moments AS bigint[]),
                         CAST(:lo_requests AS boolean[]), CAST(:hi_requests AS boolean[]))
    ON CONFLICT (lo, hi) DO UPDATE SET
        lo_followed = f.lo_follows, hi_followed = f.hi_follows,
        lo_requested = f.lo_requests, hi_requested = f.hi_requests,
        lo_had_followed = f.lo_had_followed OR f.lo_follows, hi_had_followed = f.hi_had_followed OR f.hi_follows,
        lo_follows = CASE WHEN excluded.lo_version > f.lo_version THEN excluded.lo_follows ELSE f.lo_follows END,
        hi_follows = CASE WHEN excluded.hi_version > f.hi_version THEN excluded.hi_follows ELSE f.hi_follows END,
        lo_requests = CASE WHEN excluded.lo_version > f.lo_version THEN excluded.lo_requests ELSE f.lo_requests END,
        hi_requests = CASE WHEN excluded.hi_version > f.hi_version THEN excluded.hi_requests ELSE f.hi_requests END,
        lo_version = greatest(f.lo_version, excluded.lo_version),
        hi_version = greatest(f.hi_version, excluded.hi_version),
        moment = greatest(f.moment + 1, excluded.moment)
    WHERE excluded.lo_version > f.lo_version OR excluded.hi_version > f.hi_version
    RETURNING lo, hi, lo_follows, hi_follows, lo_version, hi_version, moment, lo_requests, hi_requests,
              lo_followed, hi_followed, lo_had_followed, hi_had_followed, lo_requested, hi_requested
""")
# A transaction writes list rows of two users only while it holds the lock of their row in `follows`. So the order in
# which it writes list rows does not matter.
_FOLLOWING = text("""
    INSERT INTO following AS f (user_id, followee_id, moment, friends_moment)
    SELECT * FROM unnest(CAST(:followers AS bigint[]), CAST(:followees AS bigint[]), CAST(:moments AS bigint[]),
                         CAST(:friends AS bigint[]))
    ON CONFLICT (user_id, followee_id) DO UPDATE SET moment = excluded.moment, friends_moment = excluded.friends_moment
    WHERE (f.moment, f.friends_moment) IS DISTINCT FROM (excluded.moment, excluded.friends_moment)
""")
_FOLLOWERS = text("""
    INSERT INTO followers AS f (user_id, follower_id, moment)
    SELECT * FROM unnest(CAST(:followees AS bigint[]), CAST(:followers AS bigint[]), CAST(:moments AS bigint[]))
    ON CONFLICT (user_id, follower_id) DO UPDATE SET moment = excluded.moment WHERE f.moment <> excluded.moment
""")
_NOT_FOLLOWING = text("""
    DELETE FROM following f USING unnest(CAST(:followers AS bigint[]), CAST(:followees AS bigint[])) AS gone(a, b)
    WHERE f.user_id = gone.a AND f.followee_id = gone.b
""")
_NO_FOLLOWERS = text("""
    DELETE FROM followers f USING unnest(CAST(:followers AS bigint[]), CAST(:followees AS bigint[])) AS gone(a, b)
    WHERE f.user_id = gone.b AND f.follower_id = gone.a
""")
_REQUESTED = text("""
    INSERT INTO requested_follows AS r (user_id, followee_id, moment)
    SELECT * FROM unnest(CAST(:followers AS bigint[]), CAST(:followees AS bigint[]), CAST(:moments AS bigint[]))
    ON CONFLICT (user_id, followee_id) DO UPDATE SET moment = excluded.moment WHERE r.moment <> excluded.moment
""")
_REQUESTS = text("""
    INSERT INTO follow_requests AS r (user_id, follower_id, moment)
    SELECT * FROM unnest(CAST(:followees AS bigint[]), CAST(:followers AS bigint[]), CAST(:moments AS bigint[]))
    ON CONFLICT (user_id, follower_id) DO UPDATE SET moment = excluded.moment WHERE r.moment <> excluded.moment
""")
_NOT_REQUESTED = text("""
    DELETE FROM requested_follows r
    USING unnest(CAST(:followers AS bigint[]), CAST(:followees AS bigint[])) AS gone(a, b)
    WHERE r.user_id = gone.a AND r.followee_id = gone.b
""")
_NO_REQUESTS = text("""
    DELETE FROM follow_requests r
    USING unnest(CAST(:followers AS bigint[]), CAST(:followees AS bigint[])) AS gone(a, b)
    WHERE r.user_id = gone.b AND r.follower_id = gone.a
""")
_LOG = text("""
    INSERT INTO follow_log (user_id, version, business_id, followee_id, follows, ip, device, client)
    SELECT user_id, version, :business, followee_id, follows, CAST(ip AS inet), device, client
    FROM unnest(CAST(:users AS bigint[]), CAST(:versions AS bigint[]), CAST(:followees AS bigint[]),
                CAST(:follows AS boolean[]), CAST(:ips AS text[]), CAST(:devices AS text[]), CAST(:clients AS text[]))
         AS l(user_id, version, followee_id, follows, ip, device, client)
    ON CONFLICT (user_id, version) DO NOTHING
""")
_REMOVE_REPETITIONS = text("""
    DELETE FROM follow_log l
    WHERE user_id = ANY(CAST(:users AS bigint[])) AND version > :since AND follows = coalesce((
        SELECT b.follows FROM follow_log b
        WHERE b.user_id = l.user_id AND b.followee_id = l.followee_id AND b.version < l.version
        ORDER BY b.version DESC LIMIT 1), false)
""")

LogLine = tuple[int, int, int, bool, str | None, str | None, str | None]
"""A line of the log of follows, which is a requested change: user, version, followee, whether the user follows, and the
client that requested it: IP address, device, client name.
"""


async def write_pairs(transaction: Transaction, rows: Sequence[Pair]) -> Rows:
    """Writes whether the two users of each pair follow each other, or have asked to. Each of the two directions is
    written only if its version is higher than the stored one; version 0 is lower than any other.

    Returns the rows that changed: the columns of a Pair; then, each for `lo` and for `hi` (the users with the lower and
    the higher id), whether this user followed the other one before this write, had ever followed the other one, and had
    asked to follow.
    """
    versions = "lo_versions", "hi_versions", "moments"
    names = "los", "his", "lo_follows", "hi_follows", *versions, "lo_requests", "hi_requests"
    return await transaction.execute(_UPSERT, **columns(rows, *names))


async def write_lists(transaction: Transaction, pairs: Iterable[Pair]) -> None:
    """Brings the followees and followers of both users of each pair up to date: adds or updates the entry of a user who
    follows the other, and removes the entry of a user who does not.
    """
    entries = [(*mark, pair.friends_since) for pair in pairs for mark in pair.marks]
    there = [entry for entry in entries if entry[2] > 0]
    gone = [entry[:2] for entry in entries if entry[2] <= 0]
    if there:
        await transaction.execute(_FOLLOWING, **columns(there, "followers", "followees", "moments", "friends"))
        followers = [entry[:3] for entry in there]
        await transaction.execute(_FOLLOWERS, **columns(followers, "followers", "followees", "moments"))
    await _delete(transaction, gone, _NOT_FOLLOWING, _NO_FOLLOWERS)


async def write_requests(transaction: Transaction, pairs: Iterable[Pair]) -> None:
    """Brings the follow requests of both users of each pair up to date: adds or updates the entry of a user who has
    asked to follow the other, and removes the entry of a user who has not.
    """
    marks = [mark for pair in pairs for mark in pair.requests]
    if asked := [mark for mark in marks if mark[2] > 0]:
        for statement in (_REQUESTED, _REQUESTS):
            await transaction.execute(statement, **columns(asked, "followers", "followees", "moments"))
    await _delete(transaction, [mark[:2] for mark in marks if mark[2] <= 0], _NOT_REQUESTED, _NO_REQUESTS)


async def _delete(transaction: Transaction, gone: Sequence[tuple[int, int]], *statements: TextClause) -> None:
    if gone:
        for statement in statements:
            await transaction.execute(statement, **columns(gone, "followers", "followees"))


async def write_log(transaction: Transaction, lines: Sequence[LogLine]) -> None:
    """Adds lines to the log of requested follows and unfollows. Lines that are in the log already stay as they are."""
    names = "users", "versions", "followees", "follows", "ips", "devices", "clients"
    await transaction.execute(_LOG, business=USERS, **columns(lines, *names))


async def remove_repetitions(transaction: Transaction, users: Sequence[int], since: int) -> None:
    """Removes lines of these users from the log of follows, if their versions are higher than `since`: lines that
    repeat the user's previous line about the same followee, and unfollows without a previous line.
    """
    await transaction.execute(_REMOVE_REPETITIONS, users=users, since=since)
