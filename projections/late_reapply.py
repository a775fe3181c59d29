"""What was written directly, once it turns out what it was written on.

Somebody likes, Redis dies before that is stored, and they ask for undislike, or for the like once more. Without Redis
nobody could know of the first like. Now that it comes out of the journal, everything they asked for after it is done
again upon it, in their row. The log has a line for each request as it is.
"""

from collections.abc import Sequence

from models.counters import EntityRef
from projections import likes
from projections.apply import apply
from projections.events import Event, Malformed, Reacted, actor_of
from state import State
from store.postgres.client import Transaction
from store.reactions.likes import Verb
from store.write_log import operations
from store.write_log.journal import Entry, next_versions


async def not_done(transaction: Transaction, entries: Sequence[Entry]) -> list[Entry]:
    """Those that have not been done directly: whoever had sent them got no answer, and sent them again."""
    names = {(entry.partition, entry.version): _operation(entry) for entry in entries}
    done = await operations.done_among(transaction, [name for name in set(names.values()) if name])
    return [entry for entry in entries if names[entry.partition, entry.version] not in done]


async def reapply(state: State, transaction: Transaction, late: Sequence[Event]) -> None:
    """Applies again what was asked for directly, to the states that late journal entries have just produced."""
    reacted = likes.latest([event for event in late if isinstance(event, Reacted)])
    last = {(event.actor_id, event.ref): event for event in reacted.values()}
    asked = await operations.asked(transaction, list(last)) if last else []
    states = dict[tuple[int, EntityRef], int]()
    for actor, business, entity, _, verb in asked:
        place = actor, EntityRef(business, entity)
        states[place] = Verb(verb).after(states.get(place, last[place].state))
    ends = []
    for place, now in states.items():
        newest = await next_versions(transaction, last[place].partition)
        ends.append(last[place]._replace(version=newest, was=now, state=now, verb=None))
    if ends:
        await apply(state, transaction, ends)


def _operation(entry: Entry) -> tuple[int, str] | None:
    """Whose operation an entry is, and which. None for one that will be a dead letter, or is of an older version."""
    try:
        return actor_of(entry), entry.fields[b"op"].decode()
    except (Malformed, KeyError, UnicodeDecodeError):
        return None
