"""Undoes what a user has done. Each step appends to the user's journal the changes that the user's requests would
append. So rows, counters, lists, caches and outgoing events change as they always do.

A pass reads the tables page by page. Only memory knows how far it has come. If the worker stops, another worker begins
a new pass, which finds what is left in the rows.
"""

import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from typing import Any, Self

import orjson

from domain.digests import digest
from models.bells import BELL
from models.boundaries import BLOCK, MUTE, THREAD
from models.collections import COLLECTION
from models.content_follows import CONTENT_FOLLOW
from models.counters import EntityRef
from models.deletions import DeletionMode
from models.follows import FOLLOW
from models.hidden_posts import HIDDEN_POST, hidden_post
from models.likes import REACT, KindVerb, Reaction, Verb
from models.muted_words import MUTED_WORDS, WORDS_REF
from models.own_sets import Transition
from models.patches import COMMENT, PINNED_POST, POST
from models.preferences import PREFERENCE, preference_ref
from models.reposts import REPOST
from models.saves import SAVE
from settings import COLLECTIONS, POSTS, USERS
from state import State
from store.gather import gather_all
from store.people import account_rows
from store.people.account_rows import EMPTIED, Page
from store.write_log.operations import Operation, Outcome, Status
from workers.deletions.unname import unname

AT_ONCE = 500
"""The most rows of a page, and so the most changes that one step appends. A batch also takes entries of other
partitions, so the changes of other users do not wait.
"""
_SKIPPED = 20
"""The most pages with nothing to undo that one step reads."""
_REMEMBERED_MS = 10_000
"""Milliseconds in which the same change is not appended again."""
_UNDOING: dict[int, Verb | KindVerb] = {Reaction.LIKE: Verb.UNLIKE, Reaction.DISLIKE: Verb.UNDISLIKE}
_WARMED = {"following": FOLLOW, "requested_follows": FOLLOW, "collections": COLLECTION} | {
    "blocks": BLOCK,
    "mutes": MUTE,
    "thread_mutes": THREAD,
    "bells": BELL,
    "content_follows": CONTENT_FOLLOW,
    "preferences": PREFERENCE,
    "hidden_posts": HIDDEN_POST,
    "muted_words": MUTED_WORDS,
}
"""The kinds of own sets that are loaded before their members are removed, by table."""
_NOTIFIED = {
    **dict.fromkeys(("followers", "follow_requests"), ("follower_id",)),
    **dict.fromkeys(("following", "requested_follows"), ("followee_id",)),
    "comment_contents": ("subject_owner", "replied_to"),
}
"""The columns with the users who may have notifications about a row, by table."""

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


async def steps(state: State, user_id: int, mode: DeletionMode) -> AsyncGenerator[int, None]:
    """Goes once through all that a user has done, and appends the changes that undo it. First removes the user from the
    notifications about what is undone. Yields after each step: the number of changes, at most 500; 0 if the step has
    only read. If no step has appended a change, nothing was left.

    With ANONYMIZE, posts and comments stay. Raises PostgresDown, RedisDown, Moved or Unavailable; a new pass can then
    begin.
    """
    for table, undo in _STEPS.items():
        if mode is DeletionMode.ANONYMIZE and table in EMPTIED:
            continue
        page, skipped = None, 0
        while page is None or page.is_full:
            reading = await Reading.begin(state, [user_id])
            following = await account_rows.page(state.postgres, table, user_id, AT_ONCE, page)
            if reading.is_too_old:
                yield 0
                continue
            page = following
            if page.standing:
                yield await _undo(state, user_id, page, undo, reading.asked_ms)
            elif page.is_full and (skipped := skipped + 1) % _SKIPPED == 0:
                yield 0


async def _undo(state: State, user_id: int, page: Page, undo: Undo, asked_ms: Mapping[int, int]) -> int:
    """Undoes what the rows of a page say. Returns the number of changes, at least 1."""
    if page.table in _WARMED:
        await state.own_sets.warm(_WARMED[page.table], user_id)
    await unname(state, user_id, page.others(*_NOTIFIED.get(page.table, ())))
    return await append(state, undo, asked_ms, [(user_id, row) for row in page.standing])


async def append(state: State, undo: Undo, asked_ms: Mapping[int, int], rows: Sequence[tuple[int, Any]]) -> int:
    """Appends the changes that undo what rows say, each given with its user. `asked_ms` has the time before the rows
    were read, by user. Returns the number of changes, at least 1. Raises PostgresDown, RedisDown, Moved or Unavailable;
    the call can then be repeated.
    """
    outcomes = await gather_all(*[undo(state, user_id, row, asked_ms[user_id]) for user_id, row in rows])
    return max(sum(outcome.status is Status.DONE for outcome in outcomes), 1)


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
    ref, verb = EntityRef(row.business_id, row.entity_id), _UNDOING.get(row.state, KindVerb("unreact", 0))
    data = {"verb": verb.value, **about(ref), "owner": row.owner_id}
    return await change(state, user_id, REACT, ref, data, (row.state, asked_ms))


async def unsave(state: State, user_id: int, row: Any, asked_ms: int) -> Outcome:
    """Appends the removal of a save."""
    ref = EntityRef(row.business_id, row.entity_id)
    return await change(state, user_id, SAVE, ref, about(ref), (row.state, asked_ms))


async def _unrepost(state: State, user_id: int, row: Any, asked_ms: int) -> Outcome:
    ref = EntityRef(POSTS, row.post_id)
    return await change(state, user_id, REPOST, ref, {**about(ref), "owner": row.owner_id}, (1, asked_ms))


async def _delete_collection(state: State, user_id: int, row: Any, _: int) -> Outcome:
    ref = EntityRef(COLLECTIONS, row.collection_id)
    return await change(state, user_id, COLLECTION, ref, {"collection": row.collection_id})


async def _unfollow(state: State, user_id: int, row: Any, _: int) -> Outcome:
    return await change(state, user_id, FOLLOW, EntityRef(USERS, row.followee_id), {"followee": row.followee_id})


async def _remove_follower(state: State, user_id: int, row: Any, _: int) -> Outcome:
    entry = orjson.dumps({"actor": user_id, "other": row.follower_id})
    return await state.boundaries.remove_follower(user_id, _operation(user_id, "follower", row.follower_id), entry)


async def _unblock(state: State, user_id: int, row: Any, _: int) -> Outcome:
    return await change(state, user_id, BLOCK, EntityRef(USERS, row.blocked_id), {"other": row.blocked_id})


async def _unmute(state: State, user_id: int, row: Any, _: int) -> Outcome:
    return await change(state, user_id, MUTE, EntityRef(USERS, row.muted_id), {"other": row.muted_id})


async def unmute_thread(state: State, user_id: int, row: Any, _: int) -> Outcome:
    """Appends the end of the mute of a thread."""
    ref = EntityRef(row.business_id, row.entity_id)
    return await change(state, user_id, THREAD, ref, about(ref))


async def _unbell(state: State, user_id: int, row: Any, _: int) -> Outcome:
    ref = EntityRef(USERS, row.author_id)
    return await change(state, user_id, BELL, ref, about(ref))


async def unfollow_content(state: State, user_id: int, row: Any, _: int) -> Outcome:
    """Appends the end of the follow of a topic or an entity."""
    ref = EntityRef(row.business_id, row.entity_id)
    return await change(state, user_id, CONTENT_FOLLOW, ref, {**about(ref), "name": row.name})


async def _switch_off(state: State, user_id: int, row: Any, _: int) -> Outcome:
    ref = preference_ref(row.preference)
    return await change(state, user_id, PREFERENCE, ref, about(ref))


async def _unhide(state: State, user_id: int, row: Any, _: int) -> Outcome:
    ref = hidden_post(row.post_id)
    return await change(state, user_id, HIDDEN_POST, ref, about(ref))


async def _unmute_words(state: State, user_id: int, _row: Any, _: int) -> Outcome:
    return await change(state, user_id, MUTED_WORDS, WORDS_REF, about(WORDS_REF))


async def _unpin(state: State, user_id: int, row: Any, _: int) -> Outcome:
    pin = {"op": PINNED_POST, "business": POSTS, "entity": row.post_id, "pinned": False, "replaced": []}
    return await _append(state, user_id, PINNED_POST, row.post_id, pin)


async def _delete_post(state: State, user_id: int, row: Any, _: int) -> Outcome:
    nothing = dict.fromkeys(("text", "images", "topics", "custom"))
    return await _append(state, user_id, POST, row.post_id, {"post": row.post_id, "op": "delete", **nothing})


async def delete_comment(state: State, user_id: int, row: Any, _: int) -> Outcome:
    """Appends the deletion of a comment by its author."""
    entry = {"comment": row.comment_id, "op": "delete", "role": "author"}
    return await _append(state, user_id, COMMENT, row.comment_id, entry)


async def _append(state: State, user_id: int, kind: str, id_: int, entry: dict[str, Any]) -> Outcome:
    """Appends a change of a post or comment to the user's journal, but not to the user's pending changes, which nobody
    reads any more.
    """
    data = orjson.dumps({"actor": user_id, **entry})
    return await state.patches.append(user_id, kind, _operation(user_id, kind, id_), data)


def about(ref: EntityRef) -> dict[str, int]:
    """Returns the fields of a journal entry that name an object."""
    return {"business": ref.business_id, "entity": ref.entity_id}


_STEPS: dict[str, Undo] = {
    "followers": _remove_follower,
    "follow_requests": _remove_follower,
    "following": _unfollow,
    "requested_follows": _unfollow,
    "pinned_posts": _unpin,
    "outboxes": _delete_post,
    "comment_contents": delete_comment,
    "saves": unsave,
    "reposts": _unrepost,
    "collections": _delete_collection,
    "reactions": _unreact,
    "blocks": _unblock,
    "mutes": _unmute,
    "thread_mutes": unmute_thread,
    "bells": _unbell,
    "content_follows": unfollow_content,
    "preferences": _switch_off,
    "hidden_posts": _unhide,
    "muted_words": _unmute_words,
}
"""How what the rows of each table say is undone, in this order."""
UNDONE = set(_STEPS)
"""The tables with what a deletion undoes."""
