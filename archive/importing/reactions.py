"""Imports reactions."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from operator import itemgetter

from archive.importing.known import Known
from archive.importing.patience import patiently
from archive.importing.run import REJECTED, Import, Invalid, Item
from archive.records import Reaction as Record
from domain.versions import version_at
from models.counters import CounterKind, EntityRef
from models.likes import Reaction, Reactions, counts_as, ids_in, kinds_in
from projections.entries.likes import stored
from settings import FIRST_EXTERNAL, USERS, Business
from store.outgoing.events.likes import REACTION_CHANGED
from store.outgoing.new_events import OutgoingEvents
from store.own_sets.kinds.likes import KIND, add_of_day, more_counters
from store.postgres.client import Rows
from store.reactions import like_rows
from store.reactions.counts import CounterDeltas
from store.reactions.leaderboards import DAY_MS, WEEK_DAYS
from store.reactions.like_rows import ReactionKey, ReactionRow

_LIKE = int(Reaction.LIKE)
_TRANSITION = itemgetter(1, 2, 4, 5, 6, 7)
"""Returns, of a changed row: business, entity, reaction and owner before, reaction and owner after."""


async def store(run: Import, items: Sequence[Item[Record]]) -> None:
    """Imports a chunk of reactions."""
    records = [record for _, record in items]
    known = await run.library.known([one.user for one in records], [one.target for one in records])
    businesses = run.state.businesses_by_id
    rows: dict[ReactionKey, ReactionRow] = {}
    for item in items:
        record = item.record
        try:
            ref, owner_id = known.target(record.target)
            state = _state(record, businesses[ref.business_id], run.state.reactions[ref.business_id])
            key, version = (known.user(record.user), *ref), run.version(record.created_at)
        except REJECTED as error:
            run.reject(item, error)
            continue
        before = rows.get(key)
        if before is None or before[5] < version:
            rows[key] = (*key, owner_id, state, version)
    if not run.is_check:
        await patiently(lambda: _write(run, known, rows))
        run.score({EntityRef(business, id_) for _, business, id_ in rows if business < FIRST_EXTERNAL})


def _state(record: Record, business: Business, reactions: Reactions) -> int:
    """Returns the state (models/likes.py) that a record says. Raises Invalid if the business does not allow it."""
    if record.kinds is None and record.reaction == "OTHER":
        raise Invalid("A reaction that is OTHER has kinds.")
    kinds = record.kinds or [Reaction[record.reaction]]
    known = {Reaction.LIKE, Reaction.DISLIKE, *(kind.id for kind in business.reactions)}
    if unknown := set(kinds) - known:
        raise Invalid(f"The business {business.name} has no kind of reaction with the id {min(unknown)}.")
    if Reaction.DISLIKE in kinds and not business.dislikes:
        raise Invalid(f"The business {business.name} has no dislikes.")
    state = 0
    for kind in kinds:
        state = reactions.steps[f"react:{kind}"].after(state)
    if len(set(kinds)) != len(ids_in(kinds_in(state))):
        raise Invalid(f"In the business {business.name}, a user cannot give these kinds together.")
    return state


async def _write(run: Import, known: Known, rows: dict[ReactionKey, ReactionRow]) -> None:
    async with run.writing(known) as transaction:
        changed = await like_rows.write_reactions(transaction, sorted(rows.values()))
        await run.send(transaction, partial(_add_events, run, changed, rows))
        await _deltas(run, changed, rows).write(transaction)


def _add_events(run: Import, changed: Rows, rows: dict[ReactionKey, ReactionRow], events: OutgoingEvents) -> None:
    for user, business, entity, _, was, _, state, owner in changed:
        if state != was:
            key = user, business, entity
            data = stored(run.state.reactions[business], owner, was, state)
            events.add(REACTION_CHANGED, user, business, rows[key][5], key, **data)


def _deltas(run: Import, changed: Rows, rows: dict[ReactionKey, ReactionRow]) -> CounterDeltas:
    """Returns the counter changes of the changed rows. Likes by day are counted for the days of the leaderboards."""
    counts = Counter[tuple[EntityRef, int]]()
    for (business, entity, was, was_owner, state, owner), number in Counter(map(_TRANSITION, changed)).items():
        ref = EntityRef(business, entity)
        like, liked = (counts_as(state) == _LIKE) * number, (counts_as(was) == _LIKE) * number
        for counter in (*KIND.counters, *more_counters(was, state)):
            counts[ref, counter.number] += (counter.weight(state) - counter.weight(was)) * number
        counts[EntityRef(USERS, was_owner or 0), CounterKind.LIKES_RECEIVED] -= liked
        counts[EntityRef(USERS, owner or 0), CounterKind.LIKES_RECEIVED] += like
    deltas = CounterDeltas({})
    for (ref, kind), delta in counts.items():
        if delta and ref.entity_id:  # 0 stands for no owner
            deltas.add(ref, kind, delta)
    since = version_at((run.state.now_ms() // DAY_MS - WEEK_DAYS) * DAY_MS)
    recent = {key: version >> 20 for key, (*_, version) in rows.items() if version >= since}
    for user, business, entity, _, was, _, state, _ in changed if recent else ():
        if at := recent.get((user, business, entity)):
            ref, day = EntityRef(business, entity), at // DAY_MS
            deltas.add_likes_of_day(ref, day, (counts_as(state) == _LIKE) - (counts_as(was) == _LIKE))
            add_of_day(deltas, ref, day, was, state)
    return deltas
