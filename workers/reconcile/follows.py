"""The lists of followers and followees, which follow from pairs. Only who holds a pair's row writes them."""

from collections.abc import Sequence
from functools import partial

from sqlalchemy import text

from state import State
from store.people.follow_rows import write_lists
from store.people.follows import Pair, drop_lists
from workers.reconcile.batches import Compare, Key, drifting

_MOMENT = "((version >> 20) << 10) | least(version & 1048575, 1023)"

_PAIRS = text(f"""
    WITH pairs AS (
        SELECT *, CASE WHEN lo_follows AND hi_follows THEN moment END AS friends
        FROM follows WHERE (lo, hi) > (:lo, :hi) ORDER BY lo, hi LIMIT :count
    ), directions AS (
        SELECT lo, hi, follower, followee,
               CASE WHEN follows THEN {_MOMENT} END AS moment, CASE WHEN follows THEN friends END AS friends
        FROM pairs CROSS JOIN LATERAL (VALUES (lo, hi, lo_follows, lo_version), (hi, lo, hi_follows, hi_version))
             AS d(follower, followee, follows, version)
    )
    SELECT lo, hi, bool_or((g.moment, g.friends_moment, s.moment) IS DISTINCT FROM (d.moment, d.friends, d.moment))
    FROM directions d
    LEFT JOIN following g ON g.user_id = d.follower AND g.followee_id = d.followee
    LEFT JOIN followers s ON s.user_id = d.followee AND s.follower_id = d.follower
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

_LOCK = text("""
    INSERT INTO follows AS f (lo, hi, lo_follows, hi_follows, lo_version, hi_version, moment)
    SELECT lo, hi, false, false, 0, 0, 0 FROM unnest(CAST(:los AS bigint[]), CAST(:his AS bigint[])) AS w(lo, hi)
    ORDER BY lo, hi
    ON CONFLICT (lo, hi) DO UPDATE SET moment = f.moment
    RETURNING lo, hi, lo_follows, hi_follows, lo_version, hi_version, moment
""")


async def compare(state: State) -> Compare:
    """The lists of every pair, then what is in lists of people who are no pair."""
    repair = partial(_repair, state)
    async for compared in drifting(state.postgres, "follow_lists", _PAIRS, ("lo", "hi"), repair):
        yield compared
    for statement in (_FOLLOWING, _FOLLOWERS):
        async for compared in drifting(state.postgres, "follow_lists", statement, ("user", "other"), repair):
            yield compared


async def _repair(state: State, people: Sequence[Key]) -> None:
    """Of these pairs of people, whatever order they are in."""
    pairs = sorted({(min(pair), max(pair)) for pair in people})
    los, his = map(list, zip(*pairs, strict=True))
    async with state.postgres.transaction() as transaction:
        locked = [Pair(*row) for row in await transaction.execute(_LOCK, los=los, his=his)]
        await write_lists(transaction, map(_touched, locked))
    users = {user for pair in pairs for user in pair}
    await drop_lists(state.cache, users)


def _touched(pair: Pair) -> Pair:
    """As if both had followed at some time: then who does not leaves the lists."""
    return pair._replace(lo_version=pair.lo_version or 1, hi_version=pair.hi_version or 1)
