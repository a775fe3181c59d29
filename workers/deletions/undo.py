"""Undoes what a user has done. Each step appends to the user's journal the changes that the user's requests would
append. So rows, counters, lists, caches and outgoing events change as they always do.

Nothing records how far the work has come. A step reads what the user still has from rows, and the next step finds the
rest. So the work can be interrupted at any time, and go on in another worker.
"""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Self

import orjson

from domain.digests import digest
from models.bells import BELL
from models.boundaries import BLOCK, MUTE, THREAD
from models.collections import COLLECTION
from models.counters import EntityRef
from models.deletions import DeletionMode
from models.follows import FOLLOW
from models.likes import REACT, Reaction, Verb
from models.own_sets import Transition
from models.patches import COMMENT, PINNED_POST, POST
from models.saves import SAVE
from settings import COLLECTIONS, POSTS, USERS
from state import State
from store.gather import gather_all
from store.people import account_rows
from store.write_log.operations import Operation, Outcome, Status
from workers.deletions.unname import unname

AT_ONCE = 500
"""The most changes that one step appends. A batch also takes entries of other partitions, so the changes of other users
do not wait.
"""
_REMEMBERED_MS = 10_000
"""Milliseconds in which the same change is not appended again."""
_UNDOING = {Reaction.LIKE: Verb.UNLIKE, Reaction.DISLIKE: Verb.UNDISLIKE}

Undo = Callable[[State, int, Any, int], Awaitable[Outcome]]
"""Appends the change that undoes what a row says. Takes the user, the row, and the time before the row was read, in
milliseconds of the clock of the Redis server.
"""


class Reading:
    """The time before rows of some users were read. `asked_ms` has it by user, in milliseconds of the clock of the
    Redis server that has the user's own sets.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._generation, self._began = state.redis.generation, time.monotonic()
        self.asked_ms: dict[int, int] = {}

    @classmethod
    async def begin(cls, state: State, users: Sequence[int]) -> Self:
        """Asks the Redis servers of these users for the time. Raises RedisDown."""
        reading, sets = cls(state), state.own_sets
        times = await gather_all(*[sets.clock_ms(SAVE, user) for user in users])
        reading.asked_ms = dict(zip(users, times, strict=True))
        return reading

    @property
    def is_too_old(self) -> bool:
        """Tells whether too much time has passed to use the rows beside Redis."""
        age = time.monotonic() - self._began
        return self._state.redis.generation != self._generation or age >= self._state.settings.pending_seconds


async def step(state: State, user_id: int, mode: DeletionMode) -> int:
    """Appends up to 500 changes that undo what a user has done, all of one kind. First removes the user from the
    notifications about what is undone. Returns the number of changes; 0 if nothing is left.

    With ANONYMIZE, posts and comments stay. Raises PostgresDown, RedisDown, Moved or Unavailable; the call can then be
    repeated.
    """
    reading = await Reading.begin(state, [user_id])
    for what, undo in STEPS.items():
        if mode is DeletionMode.ANONYMIZE and what in ("post", "comment"):
            continue
        if rows := await account_rows.read(state.postgres, what, user_id, AT_ONCE):
            if reading.is_too_old:
                return 1
            if what in (COLLECTION, FOLLOW, BLOCK, MUTE, THREAD, BELL):
                await state.own_sets.warm(what, user_id)
            await unname(state, user_id, _others(what, rows))
            return await append(state, undo, reading.asked_ms, [(user_id, row) for row in rows])
    return 0


async def append(state: State, undo: Undo, asked_ms: Mapping[int, int], rows: Sequence[tuple[int, Any]]) -> int:
    """Appends the changes that undo what rows say, each given with its user. `asked_ms` has the time before the rows
    were read, by user. Returns the number of changes, at least 1. Raises PostgresDown, RedisDown, Moved or Unavailable;
    the call can then be repeated.
    """
    outcomes = await gather_all(*[undo(state, user_id, row, asked_ms[user_id]) for user_id, row in rows])
    return max(sum(outcome.status is Status.DONE for outcome in outcomes), 1)


def _others(what: str, rows: Sequence[Any]) -> set[int]:
    """Returns the ids of the users who may have notifications about what these rows say."""
    if what == "comment":
        return {id_ for row in rows for id_ in (row.subject_owner, row.replied_to) if id_}
    return {row.entity_id for row in rows} if what in ("follow", "follower") else set()


def _operation(user_id: int, *parts: object) -> Operation:
    return Operation(digest("account deleted", str(user_id), *map(str, parts)), "", _REMEMBERED_MS)


async def change(
    state: State,
    user_id: int,
    kind: str,
    ref: EntityRef,
    data: dict[str, Any],
    known: tuple[int, int] | None = None,
) -> Outcome:
    """Appends the change after which an object is not in the user's own set of this kind. `known` is the state in rows
    and the time before it was read; None if the cached set is complete.
    """
    transition = Transition(kind, ref, 0, orjson.dumps({"actor": user_id, **data}))
    return await state.own_sets.change(user_id, transition, _operation(user_id, kind, *ref), known)


async def _unreact(state: State, user_id: int, row: Any, asked_ms: int) -> Outcome:
    verb, ref = _UNDOING[Reaction(row.state)], EntityRef(row.business_id, row.entity_id)
    data = {"verb": verb.value, **about(ref), "owner": row.owner_id}
    return await change(state, user_id, REACT, ref, data, (row.state, asked_ms))


async def unsave(state: State, user_id: int, row: Any, asked_ms: int) -> Outcome:
    """Appends the removal of a save."""
    ref = EntityRef(row.business_id, row.entity_id)
    return await change(state, user_id, SAVE, ref, about(ref), (row.state, asked_ms))


async def _delete_collection(state: State, user_id: int, row: Any, _: int) -> Outcome:
    ref = EntityRef(COLLECTIONS, row.entity_id)
    return await change(state, user_id, COLLECTION, ref, {"collection": row.entity_id})


async def _unfollow(state: State, user_id: int, row: Any, _: int) -> Outcome:
    return await change(state, user_id, FOLLOW, EntityRef(USERS, row.entity_id), {"followee": row.entity_id})


async def _remove_follower(state: State, user_id: int, row: Any, _: int) -> Outcome:
    entry = orjson.dumps({"actor": user_id, "other": row.entity_id})
    return await state.boundaries.remove_follower(user_id, _operation(user_id, "follower", row.entity_id), entry)


async def _unblock(state: State, user_id: int, row: Any, _: int) -> Outcome:
    return await change(state, user_id, BLOCK, EntityRef(USERS, row.entity_id), {"other": row.entity_id})


async def _unmute(state: State, user_id: int, row: Any, _: int) -> Outcome:
    return await change(state, user_id, MUTE, EntityRef(USERS, row.entity_id), {"other": row.entity_id})


async def unmute_thread(state: State, user_id: int, row: Any, _: int) -> Outcome:
    """Appends the end of the mute of a thread."""
    ref = EntityRef(row.business_id, row.entity_id)
    return await change(state, user_id, THREAD, ref, about(ref))


async def _unbell(state: State, user_id: int, row: Any, _: int) -> Outcome:
    ref = EntityRef(USERS, row.entity_id)
    return await change(state, user_id, BELL, ref, about(ref))


async def _unpin(state: State, user_id: int, row: Any, _: int) -> Outcome:
    pin = {"op": PINNED_POST, "business": POSTS, "entity": row.entity_id, "pinned": False, "replaced": []}
    return await _append(state, user_id, PINNED_POST, row.entity_id, pin)


async def _delete_post(state: State, user_id: int, row: Any, _: int) -> Outcome:
    nothing = dict.fromkeys(("text", "images", "topics", "custom"))
    return await _append(state, user_id, POST, row.entity_id, {"post": row.entity_id, "op": "delete", **nothing})


async def delete_comment(state: State, user_id: int, row: Any, _: int) -> Outcome:
    """Appends the deletion of a comment by its author."""
    entry = {"comment": row.entity_id, "op": "delete", "role": "author"}
    return await _append(state, user_id, COMMENT, row.entity_id, entry)


async def _append(state: State, user_id: int, kind: str, id_: int, entry: dict[str, Any]) -> Outcome:
    """Appends a change of a post or comment to the user's journal, but not to the user's pending changes, which nobody
    reads any more.
    """
    data = orjson.dumps({"actor": user_id, **entry})
    return await state.patches.append(user_id, kind, _operation(user_id, kind, id_), data)


def about(ref: EntityRef) -> dict[str, int]:
    """Returns the fields of a journal entry that name an object."""
    return {"business": ref.business_id, "entity": ref.entity_id}


STEPS: dict[str, Undo] = {
    "follower": _remove_follower,
    "follow": _unfollow,
    "pin": _unpin,
    "post": _delete_post,
    "comment": delete_comment,
    "save": unsave,
    "collection": _delete_collection,
    "react": _unreact,
    "block": _unblock,
    "mute": _unmute,
    "thread": unmute_thread,
    "bell": _unbell,
}
"""How each kind of thing is undone, in this order."""
KINDS = set(STEPS)
"""The kinds of things that a deletion undoes."""
