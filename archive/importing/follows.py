"""Imports follows and requests to follow."""

from collections.abc import Mapping, Sequence
from functools import partial

from archive.importing import limits
from archive.importing.run import REJECTED, Import, Invalid, Item
from archive.records import Follow
from domain.versions import moment_of
from models.counters import CounterKind, EntityRef
from models.follows import FollowState, Pair
from settings import USERS
from store.outgoing.events.follows import FOLLOW_CHANGED
from store.outgoing.new_events import OutgoingEvents
from store.people import follow_rows
from store.postgres.client import Rows, Transaction
from store.reactions.counts import CounterDeltas

Directions = Mapping[tuple[int, int], tuple[FollowState, int]]
"""By follower and followee: the state and its version."""
_NEVER = FollowState.NONE, 0


async def store(run: Import, items: Sequence[Item[Follow]]) -> None:
    """Imports a chunk of follows."""
    known = await run.library.known(users=[ref for _, one in items for ref in (one.follower, one.followee)])
    rows: dict[tuple[int, int], tuple[Item[Follow], tuple[FollowState, int]]] = {}
    for item in items:
        record = item.record
        try:
            direction = known.user(record.follower), known.user(record.followee)
            if direction[0] == direction[1]:
                raise Invalid("A user cannot follow oneself.")
            row = FollowState[record.state], run.version(record.created_at)
        except REJECTED as error:
            run.reject(item, error)
            continue
        if direction not in rows or rows[direction][1][1] < row[1]:
            rows[direction] = item, row
    if not run.is_check:
        await limits.write(run, known, "follow", run.state.settings.people.follow_limit, rows, partial(_write, run))


async def _write(run: Import, transaction: Transaction, rows: Directions) -> None:
    """Writes follows to the rows and lists of both users, and changes their counters."""
    pairs = sorted({(min(direction), max(direction)) for direction in rows})
    deltas, moved, requests = CounterDeltas({}), list[Pair](), list[Pair]()
    changed = await follow_rows.write_pairs(transaction, [_row(pair, rows) for pair in pairs])
    for row in changed:
        pair = Pair(*row[: len(Pair._fields)])
        moved.append(pair)
        if pair.lo_requests or pair.hi_requests or row.lo_requested or row.hi_requested:
            requests.append(pair)
        _add_deltas(deltas, pair, row.lo_followed, row.hi_followed)
    await follow_rows.write_lists(transaction, moved)
    await follow_rows.write_requests(transaction, requests)
    await run.send(transaction, partial(_add_events, changed))
    await deltas.write(transaction)


def _add_events(changed: Rows, events: OutgoingEvents) -> None:
    for row in changed:
        pair = Pair(*row[: len(Pair._fields)])
        before = FollowState.of(row.lo_followed, row.lo_requested), FollowState.of(row.hi_followed, row.hi_requested)
        requests = pair.lo_requests, pair.hi_requests
        for (follower, followee, follows, version), was, asks in zip(pair.directions, before, requests, strict=True):
            if (state := FollowState.of(follows, asks)) is not was:
                key, values = (follower, followee), {"before": int(was), "after": int(state)}
                events.add(FOLLOW_CHANGED, follower, USERS, version, key, **values)


def _row(pair: tuple[int, int], rows: Directions) -> Pair:
    (by_lo, lo_version), (by_hi, hi_version) = rows.get(pair, _NEVER), rows.get((pair[1], pair[0]), _NEVER)
    return Pair(
        *pair,
        by_lo is FollowState.FOLLOWS,
        by_hi is FollowState.FOLLOWS,
        lo_version,
        hi_version,
        moment_of(max(lo_version, hi_version)),
        by_lo is FollowState.REQUESTED,
        by_hi is FollowState.REQUESTED,
    )


def _add_deltas(deltas: CounterDeltas, pair: Pair, lo_followed: bool, hi_followed: bool) -> None:
    """Adds the counter changes of a pair of users. `lo_followed` and `hi_followed` tell whether the user with the lower
    and the one with the higher id followed the other before.
    """
    lo, hi = EntityRef(USERS, pair.lo), EntityRef(USERS, pair.hi)
    friends = (pair.lo_follows and pair.hi_follows) - (lo_followed and hi_followed)
    for ref, kind, delta in (
        (lo, CounterKind.FOLLOWING, pair.lo_follows - lo_followed),
        (hi, CounterKind.FOLLOWERS, pair.lo_follows - lo_followed),
        (hi, CounterKind.FOLLOWING, pair.hi_follows - hi_followed),
        (lo, CounterKind.FOLLOWERS, pair.hi_follows - hi_followed),
        (lo, CounterKind.FRIENDS, friends),
        (hi, CounterKind.FRIENDS, friends),
    ):
        if delta:
            deltas.add(ref, kind, delta)
