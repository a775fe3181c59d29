"""Reapplies direct writes (those that went to Postgres while Redis was down) after older changes have arrived late from
a journal, and corrects follows that were written directly without knowledge of a block or an unfollow in a journal.

Example of the first: a user likes a video, and Redis goes down before the like is stored in Postgres. The user then
sends undislike, which is written directly, without knowledge of the like. When Redis is back, the like is read from the
journal and applied. Undislike is then applied again to the state after the like, and the result is written to the row.
The log of likes is not changed, because it already has one line for each request.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter

from models.counters import EntityRef
from models.follows import FollowState, FollowVerb
from models.likes import NO_KINDS
from models.own_sets import state_after
from projections.apply import apply
from projections.entries import likes
from projections.entries.boundaries import Blocked
from projections.entries.follows import Direction, Followed
from projections.entries.likes import Reacted
from projections.events import Event
from projections.registry import Malformed, actor_of
from settings import USERS
from state import State
from store.people import boundary_rows, follows, users
from store.postgres.client import Transaction
from store.write_log import operations
from store.write_log.journal import ClientTrace, Entry, next_versions

Place = tuple[int, EntityRef]
"""An actor, by id, and the object or user that the actor reacts to or follows."""


async def without_repeated(transaction: Transaction, entries: Sequence[Entry]) -> list[Entry]:
    """Returns the journal entries, except those whose requests clients have repeated as direct writes because they got
    no answer.
    """
    names = {(entry.partition, entry.version): _operation(entry) for entry in entries}
    done = await operations.recorded_among(transaction, [name for name in set(names.values()) if name])
    return [entry for entry in entries if names[entry.partition, entry.version] not in done]


async def reapply(state: State, transaction: Transaction, late: Sequence[Event]) -> None:
    """Applies the reactions that were written directly to Postgres again, on top of the states that the events `late`
    of late journal entries have just written.

    Corrects follows that were written directly and would have been answered otherwise if the late entries had been
    known. A follow between users one of whom blocks the other ends. A follow of a private user that only renewed an
    older follow becomes a request, or ends, if the older follow had ended and the private user has not accepted a
    newer request.
    """
    if ends := [*await _reactions(state, transaction, late), *await _follows_corrected(state, transaction, late)]:
        await apply(state, transaction, ends)


async def _reactions(state: State, transaction: Transaction, late: Sequence[Event]) -> list[Event]:
    reacted = likes.latest([event for event in late if isinstance(event, Reacted)])
    last = {(event.actor_id, event.ref): event for event in reacted.values()}

    def after(ref: EntityRef, word: str, was: int) -> int:
        return state.reactions.get(ref.business_id, NO_KINDS).steps[word].after(was)

    states = await _replayed(transaction, {place: event.state for place, event in last.items()}, after)
    ends: list[Event] = []
    for place, now in states.items():
        newest = await next_versions(transaction, last[place].partition)
        ends.append(last[place]._replace(version=newest, was=now, state=now, verb=None))
    return ends


async def _replayed(
    transaction: Transaction, states: Mapping[Place, int], after_verb: Callable[[EntityRef, str, int], int]
) -> dict[Place, int]:
    """Returns the states that follow from `states` if the verbs that were written directly are applied to them, for
    each actor and object with such verbs. `after_verb` takes an object, the stored word of a verb and the state before
    it, and returns the state after the verb.
    """
    after: dict[Place, int] = {}
    for actor, business, entity, _, word in await operations.direct_changes(transaction, list(states)):
        place = actor, EntityRef(business, entity)
        after[place] = after_verb(place[1], word, after.get(place, states[place]))
    return after


async def _follows_corrected(state: State, transaction: Transaction, late: Sequence[Event]) -> list[Event]:
    wanted = await _not_accepted(transaction, late) | await _behind_blocks(transaction, late)  # a block has precedence
    places = sorted((state.keys.partition_of(pair[0]), *pair) for pair in wanted)
    return [
        Followed(p, await next_versions(transaction, p), one, other, wanted[one, other], True, ClientTrace())
        for p, one, other in places
    ]


async def _behind_blocks(transaction: Transaction, late: Sequence[Event]) -> dict[Direction, FollowState]:
    """Finds follows, and requests to follow, that were written directly although a block forbids them: the block was
    in a journal, and is one of the late events. Returns the state that they get, which is NONE, by direction.
    """
    blocks = {(one.actor_id, one.ref.entity_id) for one in late if isinstance(one, Blocked) and one.stands}
    stored = await boundary_rows.blocks(transaction, sorted(blocks))
    apart = {pair for one, block in stored.items() if block.stands for pair in (one, one[::-1])}
    direct = {
        (actor, followee)
        for actor, _, followee, *_ in await operations.direct_changes(
            transaction, [(one, EntityRef(USERS, other)) for one, other in apart]
        )
    }
    rows = await follows.pairs_of(transaction, sorted({(min(pair), max(pair)) for pair in direct}))
    there = {mark[:2] for row in rows for mark in (*row.marks, *row.requests) if mark[2] > 0}
    return dict.fromkeys(there & direct, FollowState.NONE)


async def _not_accepted(transaction: Transaction, late: Sequence[Event]) -> dict[Direction, FollowState]:
    """Finds follows of private users that have no acceptance: the verbs that were written directly, applied to the
    state after the late events, do not lead to a follow. Returns the state to which they lead, REQUESTED or NONE, by
    direction.
    """
    changed = sorted((one for one in late if isinstance(one, Followed)), key=attrgetter("version"))
    last = {(one.actor_id, one.ref): one.state for one in changed}

    def after_verb(_: EntityRef, word: str, was: int) -> int:
        verb = FollowVerb(word)
        return state_after(was, verb.to, verb.only)

    replayed = {
        (actor, ref.entity_id): FollowState(after)
        for (actor, ref), after in (await _replayed(transaction, last, after_verb)).items()
        if after != FollowState.FOLLOWS
    }
    rows = await follows.pairs_of(transaction, sorted({(min(pair), max(pair)) for pair in replayed}))
    there = {mark[:2] for row in rows for mark in row.marks if mark[2] > 0} & replayed.keys()
    profiles = await users.by_id_in(transaction, [followee for _, followee in there])
    return {pair: replayed[pair] for pair in there if profiles[pair[1]].is_private}


def _operation(entry: Entry) -> tuple[int, str] | None:
    """Returns the actor and the name of the write in a journal entry. Together they are the key of its idempotency
    record. Returns None for an invalid entry, which will become a dead letter.
    """
    try:
        return actor_of(entry), entry.fields[b"op"].decode()
    except (Malformed, KeyError, UnicodeDecodeError):
        return None
