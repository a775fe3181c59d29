"""Reactions: their rows, counters and lists. A change with a newer version replaces an older one.
Counters change only if the rows have changed.
"""

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from models.counters import CounterKind, EntityRef
from models.likes import (
    ALL_KINDS,
    NO_KINDS,
    REACT,
    Reaction,
    Reactions,
    bit_of,
    checked_state,
    counts_as,
    ids_in,
    kinds_in,
)
from projections.batch import Batch
from projections.events import head_of, trace_of
from projections.projection import Projection, Publication, own_change
from settings import USERS
from state import State
from store.cache import lists
from store.cache.lists import Item
from store.gather import gather_all
from store.outgoing.events.likes import REACTION_CHANGED
from store.own_sets.kinds.likes import add_of_day, more_counters
from store.postgres.client import Transaction
from store.reactions import leaderboards, like_rows
from store.reactions.counts import CounterDeltas
from store.reactions.leaderboards import DAY_MS, LeaderboardChange
from store.reactions.like_rows import ReactionKey
from store.reactions.likers import likers_key, reactors_key
from store.write_log.journal import ClientTrace, Entry

_NONE, _LIKE, _DISLIKE, _OTHER = Reaction  # looking up a member of an enumeration takes longer than comparing with it
_COUNTED = (_LIKE, CounterKind.LIKES), (_DISLIKE, CounterKind.DISLIKES)
_TOLD = _LIKE, _OTHER
"""What a reaction counts as, if the owner of the object is notified of it."""
_RECEIVED = CounterKind.LIKES_RECEIVED


class Reacted(NamedTuple):
    """An event: an actor's reaction to an entity, post or comment became `state` (models/likes.py)."""

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
    was = None if entry.fields[b"was"] == b"?" else checked_state(int(entry.fields[b"was"]))
    state, verb = checked_state(int(entry.fields[b"state"])), data["verb"]
    if verb is not None and verb not in NO_KINDS.steps:
        raise ValueError(f"{verb} is not a change of a reaction.")
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
        if counts_as(event.state) in _TOLD and not had_liked:
            batch.untold.liked(event.owner_id, event.ref, user, event.version, kinds_in(event.state))
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
            _mark_watermarks(batch.deltas, event, before)  # otherwise _add_deltas has marked it already
    known = batch.state.reactions
    for place in changes:
        event = last[place]
        batch.outgoing.add(
            *(REACTION_CHANGED, event.actor_id, event.ref.business_id, event.version, place),
            **stored(known.get(event.ref.business_id, NO_KINDS), event.owner_id, was[place], event.state),
        )
    await _log(batch.transaction, events)


def stored(known: Reactions, owner: int | None, before: int, after: int) -> dict[str, Any]:
    """Returns what is stored of a reaction that has changed. `owner` is the owner of the object, `before` and `after`
    are the states (models/likes.py), and `known` has the kinds of the business. The names of kinds are stored only if
    there are others than the like and the dislike.
    """
    data: dict[str, Any] = {"owner": owner, "before": before, "after": after}
    if max(before, after) > _OTHER:
        data["kinds"] = [known.named(kinds_in(one)) for one in (before, after)]
    return data


def latest(events: Sequence[Reacted]) -> dict[ReactionKey, Reacted]:
    """Returns the last event of each user and object. Only the last event is written to rows."""
    return {(event.actor_id, *event.ref): event for event in sorted(events, key=attrgetter("version"))}


def _add_deltas(
    deltas: CounterDeltas, event: Reacted, was: int, was_owner: int | None, state: int, owner: int | None
) -> None:
    """Adds the counter changes of one changed row to `deltas`: the likes, dislikes and kinds of reactions of the
    object, its likes of the day, and the received likes of its owner. `was` and `was_owner` are the reaction and the
    object's owner before the batch, `state` and `owner` those after it.

    The two owners differ if a user removed the like and liked again after the entity changed its owner.
    """
    if (was, was_owner) == (state, owner):
        return
    if max(was, state) > _OTHER:
        for counter in more_counters(was, state):
            deltas.add(event.ref, counter.number, counter.weight(state) - counter.weight(was), event.partition)
        add_of_day(deltas, event.ref, event.day, was, state)
    liked, likes = counts_as(was) == _LIKE, counts_as(state) == _LIKE
    disliked, dislikes = counts_as(was) == _DISLIKE, counts_as(state) == _DISLIKE
    if delta := likes - liked:
        deltas.add(event.ref, CounterKind.LIKES, delta, event.partition)
        deltas.add_likes_of_day(event.ref, event.day, delta)
    if delta := dislikes - disliked:
        deltas.add(event.ref, CounterKind.DISLIKES, delta, event.partition)
    if liked and was_owner:
        deltas.add(EntityRef(USERS, was_owner), _RECEIVED, -1, event.partition)
    if likes and owner:
        deltas.add(EntityRef(USERS, owner), _RECEIVED, 1, event.partition)


def _mark_watermarks(deltas: CounterDeltas, event: Reacted, before: int = _NONE) -> None:
    """Records that the counters of the object's reactions include this change, even if the batch also undoes it.
    `before` is the actor's state before the batch. A counter's watermark says up to which change of each partition it
    counts; readers add an actor's pending changes beyond it.

    Example: a batch contains a like and the later unlike, so the counters keep their values. The two pending changes
    are removed one by one. While only the unlike is still pending, the watermark shows readers that the counters
    include it.
    """
    was = None if event.was is None else counts_as(event.was)
    for reaction, kind in _COUNTED:
        if was is None or reaction in (was, counts_as(event.state)):
            deltas.add(event.ref, kind, 0, event.partition)
    states = event.was or _NONE, event.state, before
    for counter in more_counters(*states) if max(states) > _OTHER else ():
        deltas.add(event.ref, counter.number, 0, event.partition)


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
    publication.notified |= {event.owner_id for event in events if event.owner_id and counts_as(event.state) in _TOLD}


async def _publish(publication: Publication, events: Sequence[Reacted]) -> None:
    """Updates the cached lists of the users who like an object, and the cached leaderboards of days."""
    state = publication.state
    places = {LeaderboardChange(event.ref.business_id, event.day, event.ref.entity_id) for event in events}
    await gather_all(_publish_likers(state, events), leaderboards.publish(state.cache, state.postgres, places))


async def _publish_likers(state: State, events: Sequence[Reacted]) -> None:
    """Updates the cached lists of the users who like an object or have given it a kind of reaction: reads the current
    reactions of the users in these events from rows. So an event that is older than the row changes nothing.
    """
    known = state.businesses_by_id
    touched: dict[ReactionKey, int] = {}
    for event in events:
        if event.ref.business_id in known:
            place = event.actor_id, *event.ref
            before = ALL_KINDS if event.was is None else kinds_in(event.was)
            touched[place] = touched.get(place, 0) | kinds_in(event.state) | before
    changes: dict[int, dict[str, list[Item]]] = {}
    for user_id, business, entity, now, moment in await like_rows.states_of(state.postgres, sorted(touched)):
        by_key = changes.setdefault(known[business].cached_likers, {})
        kinds = touched[user_id, business, entity] if known[business].reactions else 0
        for key, is_in in _lists_of(EntityRef(business, entity), now, kinds):
            by_key.setdefault(key, []).append(Item(moment if is_in else -moment, user_id))  # negative: not in the list
    for cap, by_key in changes.items():
        await lists.publish(state.cache, by_key.items(), cap=cap)


def _lists_of(ref: EntityRef, now: int, kinds: int) -> Iterator[tuple[str, bool]]:
    """Yields the keys of the lists that a reaction may change, each with whether the user belongs into the list now.
    `now` is the user's state, and `kinds` are the kinds whose lists may change; the list of likers always may.
    """
    yield likers_key(ref), counts_as(now) == _LIKE
    if kinds:
        for kind in ids_in((kinds | kinds_in(now)) & ~Reaction.DISLIKE):
            yield reactors_key(ref, kind), bool(kinds_in(now) & bit_of(kind))


PROJECTION = Projection((Reacted,), {REACT: _parse}, _apply, _collect, _publish, pending=own_change(REACT))
