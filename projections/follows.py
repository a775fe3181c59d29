"""Follows into rows: each pair's row is where crossing changes meet; what really changed moves lists and counters."""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter

from sqlalchemy import text

from models.counters import CounterKind, EntityRef
from projections.events import Followed
from settings import USERS
from state import State
from store import keys
from store.cache import lists, membership
from store.cache.lists import Item
from store.content import timelines
from store.notifications.outbox import Notices
from store.people.follows import Pair, pairs_of
from store.postgres.client import Rows, Transaction
from store.reactions.counts import Moves
from store.write_log.journal import moment_of

# lo_followed and hi_followed tell, row by row, what this very statement replaced (see projections/likes.py).
_UPSERT = text("""
    INSERT INTO follows AS f (lo, hi, lo_follows, hi_follows, lo_version, hi_version, moment)
    SELECT * FROM unnest(CAST(:los AS bigint[]), CAST(:his AS bigint[]), CAST(:lo_follows AS boolean[]),
                         CAST(:hi_follows AS boolean[]), CAST(:lo_versions AS bigint[]),
                         CAST(:hi_versions AS bigint[]), CAST(:moments AS bigint[]))
    ON CONFLICT (lo, hi) DO UPDATE SET
        lo_followed = f.lo_follows, hi_followed = f.hi_follows,
        lo_had_followed = f.lo_had_followed OR f.lo_follows, hi_had_followed = f.hi_had_followed OR f.hi_follows,
        lo_follows = CASE WHEN excluded.lo_version > f.lo_version THEN excluded.lo_follows ELSE f.lo_follows END,
        hi_follows = CASE WHEN excluded.hi_version > f.hi_version THEN excluded.hi_follows ELSE f.hi_follows END,
        lo_version = greatest(f.lo_version, excluded.lo_version),
        hi_version = greatest(f.hi_version, excluded.hi_version),
        moment = greatest(f.moment + 1, excluded.moment)
    WHERE excluded.lo_version > f.lo_version OR excluded.hi_version > f.hi_version
    RETURNING lo, hi, lo_follows, hi_follows, lo_version, hi_version, moment, lo_followed, hi_followed,
              lo_had_followed, hi_had_followed
""")
# Only who holds a pair's row writes the list rows of the two, so that these may be written in any order.
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
_LOG = text("""
    INSERT INTO follow_log (user_id, version, business_id, followee_id, follows, ip, device, client)
    SELECT user_id, version, :business, followee_id, follows, CAST(ip AS inet), device, client
    FROM unnest(CAST(:users AS bigint[]), CAST(:versions AS bigint[]), CAST(:followees AS bigint[]),
                CAST(:follows AS boolean[]), CAST(:ips AS text[]), CAST(:devices AS text[]), CAST(:clients AS text[]))
         AS l(user_id, version, followee_id, follows, ip, device, client)
    ON CONFLICT (user_id, version) DO NOTHING
""")

_TIDY = text("""
    DELETE FROM follow_log l
    WHERE user_id = ANY(CAST(:users AS bigint[])) AND version > :since AND follows = coalesce((
        SELECT b.follows FROM follow_log b
        WHERE b.user_id = l.user_id AND b.followee_id = l.followee_id AND b.version < l.version
        ORDER BY b.version DESC LIMIT 1), false)
""")

_READINGS = 10
"""A pair that changes while it is published is read again; what changes more often has batches to come."""

Direction = tuple[int, int]
"""Follower and followee."""


async def apply(transaction: Transaction, events: Sequence[Followed], moves: Moves, notices: Notices) -> None:
    """Writes the last state of each direction, the lists, and the log of every change; adds what moved to `moves`, and
    to `notices` who follows somebody whom they never did before.
    """
    last = latest(events)
    pairs = sorted({event.pair for event in events})
    los = [last.get((lo, hi)) for lo, hi in pairs]
    his = [last.get((hi, lo)) for lo, hi in pairs]
    changed = await transaction.execute(
        _UPSERT,
        los=[lo for lo, _ in pairs],
        his=[hi for _, hi in pairs],
        lo_follows=[bool(event and event.follows) for event in los],
        hi_follows=[bool(event and event.follows) for event in his],
        lo_versions=[event.version if event else 0 for event in los],
        hi_versions=[event.version if event else 0 for event in his],
        moments=[max(moment_of(event.version) for event in both if event) for both in zip(los, his, strict=True)],
    )
    moved: dict[tuple[int, int], Pair] = {}
    for lo, hi, *now, lo_followed, hi_followed, lo_had_followed, hi_had_followed in changed:
        moved[lo, hi] = pair = Pair(lo, hi, *now)
        _move(moves, pair, lo_followed, hi_followed, last)
        for (follower, followee, follows, version), had_followed in zip(
            pair.directions, (lo_had_followed, hi_had_followed), strict=True
        ):
            if follows and not had_followed:
                notices.followed(followee, follower, version)
    await write_lists(transaction, moved.values())
    for event in events:
        if event.pair in moved:
            _mark(moves, event)
    await _log(transaction, _changing(events, changed))


def _changing(events: Sequence[Followed], rows: Rows) -> Sequence[Followed]:
    """But for what was written blindly and has changed nothing, as rows tell; of those that lost they do not."""
    if not any(event.is_blind for event in events):
        return events
    follows, changing = dict[Direction, bool](), list[Followed]()
    for lo, hi, *_, lo_followed, hi_followed, _, _ in rows:
        follows |= {(lo, hi): lo_followed, (hi, lo): hi_followed}
    for event in sorted(events, key=attrgetter("version")):
        direction = event.actor_id, event.followee_id
        if not (event.is_blind and follows.get(direction) == event.follows):
            changing.append(event)
        follows[direction] = event.follows
    return changing


async def tidy(transaction: Transaction, users: Sequence[int], since: int) -> None:
    """Takes what has changed nothing out of these users' log, from a version on."""
    await transaction.execute(_TIDY, users=users, since=since)


def latest(events: Sequence[Followed]) -> dict[Direction, Followed]:
    """The last change of each direction: all that truth needs to know of a batch."""
    last: dict[Direction, Followed] = {}
    for event in events:
        direction = event.actor_id, event.followee_id
        if direction not in last or event.version > last[direction].version:
            last[direction] = event
    return last


def _move(moves: Moves, pair: Pair, lo_followed: bool, hi_followed: bool, last: Mapping[Direction, Followed]) -> None:
    """One row's transitions: what either follows, who follows them, and whether they are friends."""
    lo, hi = EntityRef(USERS, pair.lo), EntityRef(USERS, pair.hi)
    by_lo, by_hi = last.get((pair.lo, pair.hi)), last.get((pair.hi, pair.lo))
    for event, follower, followee, delta in (
        (by_lo, lo, hi, pair.lo_follows - lo_followed),
        (by_hi, hi, lo, pair.hi_follows - hi_followed),
    ):
        if event and delta:
            moves.add(follower, CounterKind.FOLLOWING, delta, event.partition)
            moves.add(followee, CounterKind.FOLLOWERS, delta, event.partition)
    event = by_lo or by_hi
    friends = (pair.lo_follows and pair.hi_follows) - (lo_followed and hi_followed)
    if event and friends:
        for user in (lo, hi):
            moves.add(user, CounterKind.FRIENDS, friends, event.partition)


def _mark(moves: Moves, event: Followed) -> None:
    """Tells all counters of a change that they include it.

    Those of friends too, although most follows befriend nobody: when the other one follows back, the counter moves
    with *their* change, and must say that it includes this one as well.
    """
    actor = EntityRef(USERS, event.actor_id)
    moves.add(actor, CounterKind.FOLLOWING, 0, event.partition)
    moves.add(event.ref, CounterKind.FOLLOWERS, 0, event.partition)
    moves.add(actor, CounterKind.FRIENDS, 0, event.partition)
    moves.add(event.ref, CounterKind.FRIENDS, 0, event.partition)


async def write_lists(transaction: Transaction, pairs: Iterable[Pair]) -> None:
    """Both directions of each pair as its row has them now."""
    there: list[tuple[int, int, int, int | None]] = []
    gone: list[Direction] = []
    for pair in pairs:
        for follower, followee, moment in pair.marks:
            if moment > 0:
                there.append((follower, followee, moment, pair.friends_since))
            else:
                gone.append((follower, followee))
    if there:
        followers, followees, moments, friends = map(list, zip(*there, strict=True))
        await transaction.execute(
            _FOLLOWING, followers=followers, followees=followees, moments=moments, friends=friends
        )
        await transaction.execute(_FOLLOWERS, followers=followers, followees=followees, moments=moments)
    if gone:
        followers, followees = map(list, zip(*gone, strict=True))
        await transaction.execute(_NOT_FOLLOWING, followers=followers, followees=followees)
        await transaction.execute(_NO_FOLLOWERS, followers=followers, followees=followees)


async def _log(transaction: Transaction, events: Sequence[Followed]) -> None:
    ordered = sorted(events, key=lambda event: (event.actor_id, event.version))
    await transaction.execute(
        _LOG,
        business=USERS,
        users=[e.actor_id for e in ordered],
        versions=[e.version for e in ordered],
        followees=[e.followee_id for e in ordered],
        follows=[e.follows for e in ordered],
        ips=[e.trace.ip for e in ordered],
        devices=[e.trace.device for e in ordered],
        clients=[e.trace.client for e in ordered],
    )


async def publish(state: State, events: Iterable[Followed]) -> None:
    """What the rows say by now of every pair that changed, to the lists and marks that are cached.

    Then once more of pairs that have changed meanwhile: the other one's worker may have published their change before
    ours, which came from an older row, to caches that were cold then and knew nothing to refuse ours for.
    """
    changed = list(events)
    pairs, published = sorted({event.pair for event in changed}), set[Pair]()
    for _ in range(_READINGS):
        fresh = [pair for pair in await pairs_of(state.postgres, pairs) if pair not in published]
        if not fresh:
            break
        await _publish(state, fresh)
        published = set(fresh)
        pairs = [(pair.lo, pair.hi) for pair in fresh]
    follows = sorted({(event.actor_id, event.followee_id) for event in changed if event.follows})
    await timelines.merge(state.cache, state.postgres, follows, cap=state.settings.inbox_posts)


async def _publish(state: State, pairs: Iterable[Pair]) -> None:
    followers: dict[str, list[Item]] = {}
    friends: dict[str, list[Item]] = {}
    followed_by: dict[str, list[Item]] = {}
    for pair in pairs:
        for follower, followee, moment in pair.marks:
            followers.setdefault(keys.followers(followee), []).append(Item(moment, follower))
            followed_by.setdefault(keys.followed_by(followee), []).append(Item(moment, follower))
        if pair.lo_version and pair.hi_version:  # else they never were friends
            since = pair.friends_since or -pair.moment
            friends.setdefault(keys.friends(pair.lo), []).append(Item(since, pair.hi))
            friends.setdefault(keys.friends(pair.hi), []).append(Item(since, pair.lo))
    cap = state.settings.cached_followers
    for by_key in (followers, friends):
        await lists.publish(state.cache, by_key.items(), cap=cap)
    await membership.publish(state.cache, followed_by.items())
