"""Follows: their rows, counters and lists. Two users have one row for both directions (ADR 7), so two users who follow
each other at the same time lock the same row.

Lists and counters change only if the row has changed.
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from domain.versions import moment_of
from models.counters import CounterKind, EntityRef
from models.follows import FOLLOW, FollowState, Pair
from projections.batch import Batch
from projections.events import trace_of
from projections.projection import Projection, Publication, own_change
from settings import USERS
from store.content import inboxes
from store.groups import grouped
from store.notifications.untold import UntoldEvents
from store.outgoing.events.follows import FOLLOW_CHANGED
from store.outgoing.new_events import OutgoingEvents
from store.people import follow_rows, suggestions
from store.people.follows import pairs_of, publish_pairs
from store.postgres.client import Transaction
from store.reactions.counts import CounterDeltas
from store.write_log.journal import ClientTrace, Entry

_READINGS = 10
"""How often pairs of users are read at most while they are published. If a pair still changes, a later batch publishes
it.
"""

_SUGGEST_AFTER_MS = 1000
"""Milliseconds after a follow after which the follower's suggestions are computed again. Several follows in this time
cause one computation.
"""

Direction = tuple[int, int]
"""A follower and a followee, by their ids."""


class Followed(NamedTuple):
    """An event: an actor followed or unfollowed a user, or asked to follow a private user."""

    partition: int
    version: int
    actor_id: int
    followee_id: int
    state: FollowState
    indirect: bool
    """Whether the actor did not request this change: a block, a removal or the user's answer to a request caused it."""
    trace: ClientTrace

    @property
    def follows(self) -> bool:
        """Returns whether the actor follows the user after this event."""
        return self.state is FollowState.FOLLOWS

    @property
    def is_logged(self) -> bool:
        """Returns whether the log of follows (F5) has a line for this event. Requests to follow have none. The end of a
        follow has one only if the actor requested it.
        """
        return self.follows or (self.state is FollowState.NONE and not self.indirect)

    @property
    def is_acceptance(self) -> bool:
        """Returns whether the followed user accepted the actor's request."""
        return self.follows and self.indirect

    @property
    def ref(self) -> EntityRef:
        """Returns the followed user, whose counters change."""
        return EntityRef(USERS, self.followee_id)

    @property
    def pair(self) -> tuple[int, int]:
        """Returns the ids of both users, the lower one first, which are the key of their row."""
        return min(self.actor_id, self.followee_id), max(self.actor_id, self.followee_id)


def other_of(actor: int, other: Any) -> int:
    """Returns `other` as the id of the other user of a follow, block or mute. Raises ValueError if it is not the id of
    a user other than the actor.
    """
    if type(other) is not int or min(actor, other) <= 0 or actor == other:
        raise ValueError(f"{actor} has no relation to {other!r}")
    return other


def _parse(entry: Entry, data: dict[str, Any]) -> list[Followed]:
    actor = int(data["actor"])
    followee, state = other_of(actor, data["followee"]), FollowState(int(entry.fields[b"state"]))
    indirect = "ended" in data or "accepted" in data
    return [Followed(entry.partition, entry.version, actor, followee, state, indirect, trace_of(data))]


async def _apply(batch: Batch, events: Sequence[Followed]) -> None:
    """Writes the last state of each direction (follower, followee), the list entries of both users, and lines of the
    log of follows. Adds counter changes, outgoing events, and notifications about first-time follows, requests and
    acceptances to the batch.
    """
    last, by_pair = latest(events), grouped((event.pair, event) for event in events)
    pairs = sorted({event.pair for event in events})
    changed = await follow_rows.write_pairs(batch.transaction, [_row(pair, last) for pair in pairs])
    moved: dict[tuple[int, int], Pair] = {}
    requests: list[Pair] = []
    for row in changed:
        pair = Pair(*row[: len(Pair._fields)])
        lo_followed, hi_followed, *had_followed, lo_requested, hi_requested = row[len(Pair._fields) :]
        moved[pair.lo, pair.hi] = pair
        if pair.lo_requests or pair.hi_requests or lo_requested or hi_requested:
            requests.append(pair)
        _add_deltas(batch.deltas, pair, lo_followed, hi_followed, last)
        _notify(batch.untold, pair, had_followed, last)
        before = FollowState.of(lo_followed, lo_requested), FollowState.of(hi_followed, hi_requested)
        _add_outgoing(batch.outgoing, by_pair[pair.lo, pair.hi], pair, before)
    await follow_rows.write_lists(batch.transaction, moved.values())
    await follow_rows.write_requests(batch.transaction, requests)
    for event in events:
        if event.pair in moved:
            _mark_watermarks(batch.deltas, event)
    await _log(batch.transaction, events)


def _notify(untold: UntoldEvents, pair: Pair, had_followed: Sequence[bool], last: Mapping[Direction, Followed]) -> None:
    """Adds notifications about the changed directions of a pair of users to `untold`, from which they are delivered.
    `had_followed` tells for each direction whether the follower had ever followed before; a repeated follow causes no
    notification. `last` has the last event of each direction.
    """
    requests = pair.lo_requests, pair.hi_requests
    for (follower, followee, follows, version), had, asks in zip(pair.directions, had_followed, requests, strict=True):
        event = last.get((follower, followee))
        if event is None or event.version != version:
            continue
        if asks:
            untold.asked_to_follow(followee, follower, version)
        elif follows and event.is_acceptance:
            untold.accepted(follower, followee, version)
        elif follows and not had:
            untold.followed(followee, follower, version)


def _add_outgoing(
    outgoing: OutgoingEvents, events: Iterable[Followed], pair: Pair, before: Sequence[FollowState]
) -> None:
    """Adds outgoing events about the changed follows of a pair of users to `outgoing`. `events` are all changes of this
    pair in the batch. `before` are the states before the batch: first the follow of the user with the lower id, then
    that of the other user.
    """
    for (follower, followee, _, version), was in zip(pair.directions, before, strict=True):
        changes = [event for event in events if (event.actor_id, event.followee_id) == (follower, followee)]
        last = next((event for event in changes if event.version == version), None)
        if last and any(event.state != was for event in changes):
            key = follower, followee
            values = {"before": int(was), "after": int(last.state)}
            outgoing.add(FOLLOW_CHANGED, follower, USERS, version, key, **values)


def _row(pair: Direction, last: Mapping[Direction, Followed]) -> Pair:
    by_lo, by_hi = both = last.get(pair), last.get((pair[1], pair[0]))
    return Pair(
        *pair,
        bool(by_lo and by_lo.follows),
        bool(by_hi and by_hi.follows),
        by_lo.version if by_lo else 0,
        by_hi.version if by_hi else 0,
        max(moment_of(event.version) for event in both if event),
        bool(by_lo and by_lo.state is FollowState.REQUESTED),
        bool(by_hi and by_hi.state is FollowState.REQUESTED),
    )


def latest(events: Sequence[Followed]) -> dict[Direction, Followed]:
    """Returns the last event of each direction (follower, followee). Only the last event is written to rows."""
    return {(event.actor_id, event.followee_id): event for event in sorted(events, key=attrgetter("version"))}


def _add_deltas(
    deltas: CounterDeltas, pair: Pair, lo_followed: bool, hi_followed: bool, last: Mapping[Direction, Followed]
) -> None:
    """Adds the counter changes of one pair of users to `deltas`: following and followers in both directions, and
    friends (two users who follow each other). `pair` is the state after the batch. `lo_followed` and `hi_followed` tell
    whether the user with the lower and the one with the higher id followed before. `last` has the last event of each
    direction.
    """
    lo, hi = EntityRef(USERS, pair.lo), EntityRef(USERS, pair.hi)
    by_lo, by_hi = last.get((pair.lo, pair.hi)), last.get((pair.hi, pair.lo))
    for event, follower, followee, delta in (
        (by_lo, lo, hi, pair.lo_follows - lo_followed),
        (by_hi, hi, lo, pair.hi_follows - hi_followed),
    ):
        if event and delta:
            deltas.add(follower, CounterKind.FOLLOWING, delta, event.partition)
            deltas.add(followee, CounterKind.FOLLOWERS, delta, event.partition)
    event = by_lo or by_hi
    friends = (pair.lo_follows and pair.hi_follows) - (lo_followed and hi_followed)
    if event and friends:
        for user in (lo, hi):
            deltas.add(user, CounterKind.FRIENDS, friends, event.partition)


def _mark_watermarks(deltas: CounterDeltas, event: Followed) -> None:
    """Records that three counters include this change: following and friends of the actor, and followers of the
    followed user. A counter's watermark says up to which change of each partition it counts. Readers add an actor's
    pending changes beyond the watermark to these counters.

    The actor's friend counter is marked even if the two users are not friends: when the other user follows back, that
    change moves the friend counter, and the counter must show that it includes this follow as well.
    """
    actor = EntityRef(USERS, event.actor_id)
    deltas.add(actor, CounterKind.FOLLOWING, 0, event.partition)
    deltas.add(event.ref, CounterKind.FOLLOWERS, 0, event.partition)
    deltas.add(actor, CounterKind.FRIENDS, 0, event.partition)


async def _log(transaction: Transaction, events: Sequence[Followed]) -> None:
    logged = [event for event in events if event.is_logged]
    ordered = sorted(logged, key=lambda event: (event.actor_id, event.version))
    lines = [
        (e.actor_id, e.version, e.followee_id, e.follows, e.trace.ip, e.trace.device, e.trace.client) for e in ordered
    ]
    await follow_rows.write_log(transaction, lines)


async def _collect(publication: Publication, events: Sequence[Followed]) -> None:
    """Adds to the publication the two users of each event, whose counters may have changed, and those who may have new
    notifications.
    """
    users = {event.followee_id for event in events}
    publication.counted |= {EntityRef(USERS, id_) for id_ in users | {event.actor_id for event in events}}
    publication.notified |= users | {event.actor_id for event in events if event.is_acceptance}


async def _publish(publication: Publication, events: Sequence[Followed]) -> None:
    """Reads every changed pair of users, and writes it to the cached lists of followers and to the cached answers to
    "does this user follow that one?". Then adds posts of newly followed users to the inboxes of their followers, and
    marks the suggestions of the followers as due.

    Reads the pairs again until none has changed in between. Otherwise another worker could publish its newer change to
    an empty cache first, and this worker would then cache its older copy.
    """
    state, pairs, published = publication.state, sorted({event.pair for event in events}), set[Pair]()
    for _ in range(_READINGS):
        fresh = [pair for pair in await pairs_of(state.postgres, pairs) if pair not in published]
        if not fresh:
            break
        await publish_pairs(state.cache, fresh, cap=state.settings.caches.followers)
        published = set(fresh)
        pairs = [(pair.lo, pair.hi) for pair in fresh]
    follows = sorted({(event.actor_id, event.followee_id) for event in events if event.follows})
    suggestions.mark(state.cache, {event.actor_id for event in events}, state.now_ms() + _SUGGEST_AFTER_MS)
    await inboxes.merge(state.cache, state.postgres, follows, cap=state.settings.caches.inbox_posts)


PROJECTION = Projection((Followed,), {FOLLOW: _parse}, _apply, _collect, _publish, pending=own_change(FOLLOW))
