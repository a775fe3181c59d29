"""Imports reactions: likes and dislikes."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from operator import itemgetter

from archive.importing.patience import patiently
from archive.importing.run import REJECTED, Import, Invalid, Item
from archive.records import Reaction as Record
from domain.versions import version_at
from models.counters import CounterKind, EntityRef
from models.likes import Reaction
from settings import FIRST_EXTERNAL, USERS
from store.outgoing.events.likes import REACTION_CHANGED
from store.outgoing.new_events import OutgoingEvents
from store.postgres.client import Rows
from store.reactions import like_rows
from store.reactions.counts import CounterDeltas
from store.reactions.leaderboards import DAY_MS, WEEK_DAYS
from store.reactions.like_rows import ReactionKey, ReactionRow

_STATES = {reaction.name: int(reaction) for reaction in Reaction}
_LIKE, _DISLIKE = int(Reaction.LIKE), int(Reaction.DISLIKE)
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
            state = _STATES[record.reaction]
            if state == _DISLIKE and not businesses[ref.business_id].dislikes:
                raise Invalid(f"The business {businesses[ref.business_id].name} has no dislikes.")
            key, version = (known.user(record.user), *ref), run.version(record.created_at)
        except REJECTED as error:
            run.reject(item, error)
            continue
        before = rows.get(key)
        if before is None or before[5] < version:
            rows[key] = (*key, owner_id, state, version)
    if not run.is_check:
        await patiently(lambda: _write(run, rows))
        run.score({EntityRef(business, id_) for _, business, id_ in rows if business < FIRST_EXTERNAL})


async def _write(run: Import, rows: dict[ReactionKey, ReactionRow]) -> None:
    async with run.state.postgres.transaction() as transaction:
        changed = await like_rows.write_reactions(transaction, sorted(rows.values()))
        await run.send(transaction, partial(_add_events, changed, rows))
        await _deltas(run, changed, rows).write(transaction)


def _add_events(changed: Rows, rows: dict[ReactionKey, ReactionRow], events: OutgoingEvents) -> None:
    for user, business, entity, _, was, _, state, owner in changed:
        if state != was:
            key = user, business, entity
            events.add(REACTION_CHANGED, user, business, rows[key][5], key, owner=owner, before=was, after=state)


def _deltas(run: Import, changed: Rows, rows: dict[ReactionKey, ReactionRow]) -> CounterDeltas:
    """Returns the counter changes of the changed rows. Likes by day are counted for the days of the leaderboards."""
    counts = Counter[tuple[EntityRef, CounterKind]]()
    for (business, entity, was, was_owner, state, owner), number in Counter(map(_TRANSITION, changed)).items():
        ref, like, liked = EntityRef(business, entity), (state == _LIKE) * number, (was == _LIKE) * number
        counts[ref, CounterKind.LIKES] += like - liked
        counts[ref, CounterKind.DISLIKES] += ((state == _DISLIKE) - (was == _DISLIKE)) * number
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
            deltas.add_likes_of_day(EntityRef(business, entity), at // DAY_MS, (state == _LIKE) - (was == _LIKE))
    return deltas
