"""Reactions (likes and dislikes): their rows, counters and lists. A change with a newer version replaces an older one.
Counters change only if the rows have changed.
"""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from models.counters import CounterKind, EntityRef
from models.likes import REACT, Reaction, Verb
from projections.batch import Batch
from projections.events import head_of, trace_of
from projections.projection import Projection, Publication, own_change
from settings import USERS
from state import State
from store.cache import lists
from store.cache.lists import Item
from store.gather import gather_all
from store.groups import grouped
from store.outgoing.events.likes import REACTION_CHANGED
from store.postgres.client import Transaction
from store.reactions import leaderboards, like_rows
from store.reactions.counts import CounterDeltas
from store.reactions.leaderboards import DAY_MS, LeaderboardChange
from store.reactions.like_rows import ReactionKey
from store.reactions.likers import likers_key
from store.write_log.journal import ClientTrace, Entry

_STATES = {b"%d" % reaction: int(reaction) for reaction in Reaction}
_EARLIER_STATES = {**_STATES, b"?": None}
_NONE, _LIKE, _DISLIKE = Reaction  # looking up a member of an enumeration takes longer than comparing with it
_COUNTED = (_LIKE, CounterKind.LIKES), (_DISLIKE, CounterKind.DISLIKES)
_RECEIVED = CounterKind.LIKES_RECEIVED


class Reacted(NamedTuple):
    """An event: an actor's reaction to an entity, post or comment became `state`: like, dislike or none."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    owner_id: int | None
    was: int | None
    """The reaction before the event; None if it could not be read, because Redis or Postgres was down."""
    state: int
    verb: str | None
    """The verb that the actor sent, such as `like`. None for a change that no request made; the log of likes has no
    line for it.
    """
    trace: ClientTrace

    @property
    def day(self) -> int:
        """Returns the day of the event, in days since the Unix epoch, UTC."""
        return (self.version >> 20) // DAY_MS


def _parse(entry: Entry, data: dict[str, Any]) -> list[Reacted]:
    owner = None if data["owner"] is None else int(data["owner"])
    was, state = _EARLIER_STATES[entry.fields[b"was"]], _STATES[entry.fields[b"state"]]
    verb = None if data["verb"] is None else Verb(data["verb"]).value
    return [Reacted(*head_of(entry, data), owner, was, state, verb, trace_of(data))]


async def _apply(batch: Batch, events: Sequence[Reacted]) -> None:
    """Writes the last reaction of each user to each object, and a line of the log of likes for each event. Adds counter
    changes, outgoing events, and notifications about first-time likes to the batch.
    """
    last = latest(events)
    rows = [(*place, event.owner_id, event.state, event.version) for place, event in sorted(last.items())]
    changed = await like_rows.write_reactions(batch.transaction, rows)
    was: dict[ReactionKey, int] = {}
    for user, business, entity, had_liked, *transition in changed:
        place = user, business, entity
        event = last[place]
        _add_deltas(batch.deltas, event, *transition)
        if event.state == _LIKE and not had_liked:
            batch.untold.liked(event.owner_id, event.ref, user, event.version)
        was[place] = transition[0]
    changes = set[ReactionKey]()
    for event in events:
        place = (event.actor_id, *event.ref)
        before = was.get(place)
        if before is None:
            continue
        if event.state != before:
            changes.add(place)
        if not (event.was == before == _NONE and event is last[place]):
            _mark_watermarks(batch.deltas, event)  # otherwise _add_deltas has marked it already
    for place in changes:
        event = last[place]
        batch.outgoing.add(
            *(REACTION_CHANGED, event.actor_id, event.ref.business_id, event.version, place),
            owner=event.owner_id,
            before=was[place],
            after=event.state,
        )
    await _log(batch.transaction, events)


def latest(events: Sequence[Reacted]) -> dict[ReactionKey, Reacted]:
    """Returns the last event of each user and object. Only the last event is written to rows."""
    return {(event.actor_id, *event.ref): event for event in sorted(events, key=attrgetter("version"))}


def _add_deltas(
    deltas: CounterDeltas, event: Reacted, was: int, was_owner: int | None, state: int, owner: int | None
) -> None:
    """Adds the counter changes of one changed row to `deltas`: the likes and dislikes of the object, its likes of the
    day, and the received likes of its owner. `was` and `was_owner` are the reaction and the object's owner before the
    batch, `state` and `owner` those after it.

    The two owners differ if a user removed the like and liked again after the entity changed its owner.
    """
    if (was, was_owner) == (state, owner):
        return
    for reaction, kind in _COUNTED:
        if delta := (state == reaction) - (was == reaction):
            deltas.add(event.ref, kind, delta, event.partition)
    if delta := (state == _LIKE) - (was == _LIKE):
        deltas.add_likes_of_day(event.ref, event.day, delta)
    if was == _LIKE and was_owner:
        deltas.add(EntityRef(USERS, was_owner), _RECEIVED, -1, event.partition)
    if state == _LIKE and owner:
        deltas.add(EntityRef(USERS, owner), _RECEIVED, 1, event.partition)


def _mark_watermarks(deltas: CounterDeltas, event: Reacted) -> None:
    """Records that the counters of the object's likes and dislikes include this change, even if the batch also undoes
    it. A counter's watermark says up to which change of each partition it counts; readers add an actor's pending
    changes beyond it.

    Example: a batch contains a like and the later unlike, so the counters keep their values. The two pending changes
    are removed one by one. While only the unlike is still pending, the watermark shows readers that the counters
    include it.
    """
    for reaction, kind in _COUNTED:
        if event.was is None or reaction in (event.was, event.state):
            deltas.add(event.ref, kind, 0, event.partition)


async def _log(transaction: Transaction, events: Sequence[Reacted]) -> None:
    ordered = sorted(events, key=lambda event: (event.actor_id, event.version))
    lines = [(e.actor_id, e.version, *e.ref, e.owner_id, e.verb, *e.trace) for e in ordered if e.verb]
    await like_rows.write_log(transaction, lines)


async def _collect(publication: Publication, events: Sequence[Reacted]) -> None:
    """Adds to the publication the objects of the reactions and their owners: their counters, hot scores or
    notifications may have changed.
    """
    owners = {event.owner_id for event in events}
    refs = {event.ref for event in events}
    publication.counted |= refs | {EntityRef(USERS, owner_id) for owner_id in owners if owner_id}
    publication.scored |= refs
    publication.notified |= {event.owner_id for event in events if event.state == _LIKE and event.owner_id}


async def _publish(publication: Publication, events: Sequence[Reacted]) -> None:
    """Updates the cached lists of the users who like an object, and the cached leaderboards of days."""
    state = publication.state
    places = {LeaderboardChange(event.ref.business_id, event.day, event.ref.entity_id) for event in events}
    await gather_all(_publish_likers(state, events), leaderboards.publish(state.cache, state.postgres, places))


async def _publish_likers(state: State, events: Sequence[Reacted]) -> None:
    """Updates the cached lists of the users who like an object: reads the current reactions of the users in these
    events from rows. So an event that is older than the row changes nothing.
    """
    known = state.businesses_by_id
    places = sorted({(event.actor_id, *event.ref) for event in events if event.ref.business_id in known})
    changes = grouped(  # a negative moment removes a user
        (EntityRef(business, entity), Item(moment if reaction == _LIKE else -moment, user_id))
        for user_id, business, entity, reaction, moment in await like_rows.states_of(state.postgres, places)
    )
    by_cap = grouped((known[ref.business_id].cached_likers, (likers_key(ref), items)) for ref, items in changes.items())
    for cap, likers in by_cap.items():
        await lists.publish(state.cache, likers, cap=cap)


PROJECTION = Projection((Reacted,), {REACT: _parse}, _apply, _collect, _publish, pending=own_change(REACT))
