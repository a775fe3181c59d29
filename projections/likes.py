"""Reactions into rows: newer versions win, and what really changed moves the counters."""

from collections.abc import Sequence
from operator import attrgetter

from sqlalchemy import text

from models.counters import CounterKind, EntityRef
from models.likes import Reaction
from projections.events import Reacted
from settings import USERS
from state import State
from store import keys
from store.cache import lists
from store.cache.lists import Item
from store.notifications.outbox import Notices
from store.postgres.client import Transaction
from store.reactions.counts import Moves
from store.reactions.likes import states_of

# prev_state and prev_owner_id tell, row by row, what this very statement replaced. A CTE that reads the rows first
# would not: under concurrency it sees an older snapshot than the one the update works on.
_UPSERT = text("""
    INSERT INTO reactions AS r (user_id, business_id, entity_id, owner_id, state, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                         CAST(:owners AS bigint[]), CAST(:states AS smallint[]), CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, business_id, entity_id) DO UPDATE SET
        prev_state = r.state, prev_owner_id = r.owner_id,
        had_liked = r.had_liked OR r.state = 1,
        owner_id = excluded.owner_id, state = excluded.state, version = excluded.version
    WHERE r.version < excluded.version
    RETURNING user_id, business_id, entity_id, had_liked, prev_state, prev_owner_id, state, owner_id
""")
_LOG = text("""
    INSERT INTO like_log (user_id, version, business_id, entity_id, owner_id, was, state, source, ip, device, client)
    SELECT user_id, version, business_id, entity_id, owner_id, was, state, source, CAST(ip AS inet), device, client
    FROM unnest(CAST(:users AS bigint[]), CAST(:versions AS bigint[]), CAST(:businesses AS smallint[]),
                CAST(:entities AS bigint[]), CAST(:owners AS bigint[]), CAST(:was AS smallint[]),
                CAST(:states AS smallint[]), CAST(:sources AS text[]), CAST(:ips AS text[]),
                CAST(:devices AS text[]), CAST(:clients AS text[]))
         AS l(user_id, version, business_id, entity_id, owner_id, was, state, source, ip, device, client)
    ON CONFLICT (user_id, version) DO NOTHING
""")
_BEFORE = text("""
    SELECT user_id, business_id, entity_id, before.state
    FROM unnest(CAST(:users AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                CAST(:versions AS bigint[])) WITH ORDINALITY AS e(user_id, business_id, entity_id, version, place)
    CROSS JOIN LATERAL (
        SELECT l.state FROM like_log l
        WHERE l.user_id = e.user_id AND l.business_id = e.business_id AND l.entity_id = e.entity_id
          AND l.version < e.version
        ORDER BY l.version DESC LIMIT 1
    ) AS before
    ORDER BY place
""")
_CORRECT = text("""
    UPDATE like_log l SET was = c.was, state = c.state
    FROM unnest(CAST(:users AS bigint[]), CAST(:versions AS bigint[]), CAST(:was AS smallint[]),
                CAST(:states AS smallint[])) AS c(user_id, version, was, state)
    WHERE (l.user_id, l.version) = (c.user_id, c.version)
""")
_TIDY = text("DELETE FROM like_log WHERE user_id = ANY(CAST(:users AS bigint[])) AND version > :since AND was = state")
_NONE, _LIKE, _DISLIKE = Reaction  # looking up a member of an enumeration takes longer than comparing with it
_COUNTED = (_LIKE, CounterKind.LIKES), (_DISLIKE, CounterKind.DISLIKES)
_RECEIVED = CounterKind.LIKES_RECEIVED

Place = tuple[int, int, int]
"""A user, a business, an entity."""


async def apply(transaction: Transaction, events: Sequence[Reacted], moves: Moves, notices: Notices) -> None:
    """Writes the last state of each (user, entity) and the log of every change; adds the transitions to `moves`, and
    to `notices` who likes something that they never did before.
    """
    last = latest(events)
    rows = sorted(last.items())
    changed = await transaction.execute(
        _UPSERT,
        users=[place[0] for place, _ in rows],
        businesses=[place[1] for place, _ in rows],
        entities=[place[2] for place, _ in rows],
        owners=[event.owner_id for _, event in rows],
        states=[event.state for _, event in rows],
        versions=[event.version for _, event in rows],
    )
    was: dict[Place, int] = {}
    for user, business, entity, had_liked, *transition in changed:
        place = user, business, entity
        event = last[place]
        _move(moves, event, *transition)
        if event.state == _LIKE and not had_liked:
            notices.liked(event.owner_id, event.ref, user, event.version)
        was[place] = transition[0]
    for event in events:
        place = (event.actor_id, *event.ref)
        if place in was and not (event is last[place] and event.was == was[place] == _NONE):
            _mark(moves, event)  # else it has just been marked as it moved
    await _log(transaction, await _completed(transaction, events, was))


async def _completed(transaction: Transaction, events: Sequence[Reacted], rows: dict[Place, int]) -> Sequence[Reacted]:
    """The same; of changes that were made while nobody could tell upon what, rows tell it, and nothing is left of those
    that changed nothing. Of those that lost against a newer one, the log does.
    """
    blind = [event for event in events if event.was is None]
    if not blind:
        return events
    states, completed = dict(rows), list[Reacted]()
    if lost := [event for event in blind if (event.actor_id, *event.ref) not in rows]:
        states |= await _logged(transaction, lost)
    for event in sorted(events, key=attrgetter("version")):
        place = (event.actor_id, *event.ref)
        was = states.get(place, _NONE) if event.was is None else event.was
        states[place] = event.state
        if event.was is not None or was != event.state:
            completed.append(event._replace(was=was))
    return completed


async def _logged(transaction: Transaction, events: Sequence[Reacted]) -> dict[Place, int]:
    """What there was before the first of these, as far as it is logged."""
    first = sorted(events, key=attrgetter("version"), reverse=True)
    logged = await transaction.execute(
        _BEFORE,
        users=[event.actor_id for event in first],
        businesses=[event.ref.business_id for event in first],
        entities=[event.ref.entity_id for event in first],
        versions=[event.version for event in first],
    )
    return {(user, business, entity): state for user, business, entity, state in logged}


def latest(events: Sequence[Reacted]) -> dict[Place, Reacted]:
    """The last change of each user to each entity: all that truth needs to know of a batch."""
    last: dict[Place, Reacted] = {}
    for event in events:
        place = (event.actor_id, *event.ref)
        if (other := last.get(place)) is None or event.version > other.version:
            last[place] = event
    return last


def _move(moves: Moves, event: Reacted, was: int, was_owner: int | None, state: int, owner: int | None) -> None:
    """One row's transition: its entity's counters, and the totals of whoever owned and owns the like.

    A like that a batch takes back and gives again changes its owner where the entity has changed hands meanwhile.
    """
    if (was, was_owner) == (state, owner):
        return
    for reaction, kind in _COUNTED:
        if delta := (state == reaction) - (was == reaction):
            moves.add(event.ref, kind, delta, event.partition)
    if delta := (state == _LIKE) - (was == _LIKE):
        moves.add_likes_of_day(event.ref, event.day, delta)
    if was == _LIKE and was_owner:
        moves.add(EntityRef(USERS, was_owner), _RECEIVED, -1, event.partition)
    if state == _LIKE and owner:
        moves.add(EntityRef(USERS, owner), _RECEIVED, 1, event.partition)


def _mark(moves: Moves, event: Reacted) -> None:
    """Tells the counters of one change that they include it, also where the batch took it back.

    Its author's history is swept change by change. Were the first of two that cancelled out swept before the second,
    a counter that says nothing of either would be taken for one that still lacks the second.
    """
    for reaction, kind in _COUNTED:
        if event.was is None or reaction in (event.was, event.state):
            moves.add(event.ref, kind, 0, event.partition)
    if event.owner_id and (event.was is None or _LIKE in (event.was, event.state)):
        moves.add(EntityRef(USERS, event.owner_id), _RECEIVED, 0, event.partition)


async def _log(transaction: Transaction, events: Sequence[Reacted]) -> None:
    ordered = sorted(events, key=lambda event: (event.actor_id, event.version))
    await transaction.execute(
        _LOG,
        users=[e.actor_id for e in ordered],
        versions=[e.version for e in ordered],
        businesses=[e.ref.business_id for e in ordered],
        entities=[e.ref.entity_id for e in ordered],
        owners=[e.owner_id for e in ordered],
        was=[e.was for e in ordered],
        states=[e.state for e in ordered],
        sources=[e.trace.source for e in ordered],
        ips=[e.trace.ip for e in ordered],
        devices=[e.trace.device for e in ordered],
        clients=[e.trace.client for e in ordered],
    )


async def correct(transaction: Transaction, lines: Sequence[tuple[int, int, int, int]]) -> None:
    """Rewrites lines of the log: (user, version, what there was, what there was then)."""
    users, versions, was, states = zip(*lines, strict=True)
    await transaction.execute(_CORRECT, users=users, versions=versions, was=was, states=states)


async def tidy(transaction: Transaction, users: Sequence[int], since: int) -> None:
    """Takes what has changed nothing out of these users' log, from a version on."""
    await transaction.execute(_TIDY, users=users, since=since)


async def publish(state: State, events: Sequence[Reacted]) -> None:
    """What the rows say by now of everybody who reacted, to the likers that are cached: an event that lost against a
    newer one adds nobody.
    """
    known = state.businesses_by_id
    places = sorted({(event.actor_id, *event.ref) for event in events if event.ref.business_id in known})
    by_entity: dict[tuple[int, int], list[Item]] = {}
    for user_id, business, entity, reaction, moment in await states_of(state.postgres, places):
        change = Item(moment if reaction == _LIKE else -moment, user_id)
        by_entity.setdefault((business, entity), []).append(change)
    by_cap: dict[int, list[tuple[str, list[Item]]]] = {}
    for (business, entity), changes in by_entity.items():
        likers = keys.likers(EntityRef(business, entity))
        by_cap.setdefault(known[business].cached_likers, []).append((likers, changes))
    for cap, lists_of_cap in by_cap.items():
        await lists.publish(state.cache, lists_of_cap, cap=cap)
