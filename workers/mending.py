"""What was written directly, once it turns out what it was written on.

Somebody likes, Redis dies before that is stored, and they ask for undislike, or for the like once more. Without Redis
nobody could know of the first like. Now that it comes out of the journal, everything they asked for after it is done
again upon it, in the log and in their row.
"""

from collections.abc import Sequence

from models.counters import EntityRef
from state import State
from store import operations
from store.likes import Verb
from store.postgres import Transaction
from workers import likes
from workers.events import Event, Reacted
from workers.persist import apply

Line = tuple[int, int, int, int]
"""Of the log: a user, a version, what there was, what there was then."""


async def mend(state: State, transaction: Transaction, late: Sequence[Event]) -> None:
    """After what has just come out of the journals, while writes are direct."""
    reacted = likes.latest([event for event in late if isinstance(event, Reacted)])
    last = {(event.actor_id, event.ref): event for event in reacted.values()}
    asked = await operations.asked_after(transaction, {place: event.version for place, event in last.items()})
    if not asked:
        return
    at, lines = {place: event.state for place, event in last.items()}, list[Line]()
    ends: dict[tuple[int, EntityRef], Reacted] = {}
    for actor, business, entity, version, verb in asked:
        place = actor, EntityRef(business, entity)
        was, at[place] = at[place], Verb(verb).after(at[place])
        lines.append((actor, version, was, at[place]))
        ends[place] = last[place]._replace(version=version + 1, was=at[place], state=at[place])
    await likes.correct(transaction, lines)
    await apply(state, transaction, list(ends.values()))
