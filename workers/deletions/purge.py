"""Removes what is left of a user after everything was undone: rows of ended reactions, saves and blocks, logs, texts of
deleted posts and comments, notifications, identities, handles, the profile, and the user's keys in Redis.
"""

from collections.abc import Awaitable, Callable

from models.boundaries import BLOCK
from models.counters import EntityRef
from models.deletions import DeletionMode, DeletionState
from models.users import UserRow
from settings import USERS
from state import State
from store.backoff import rest
from store.content import comments, entities, mentions, posts
from store.outgoing.events.users import USER_DELETED
from store.outgoing.new_events import OutgoingEvents
from store.own_sets.kinds import KINDS
from store.people import account_rows, deletions, held_handles, identities, users
from store.people.account_rows import TABLES
from workers.deletions.unname import unname

_PAUSE = 0.05
"""Seconds between two batches, so that the changes of other users do not wait."""
GoesOn = Callable[[], Awaitable[bool]]
"""Tells whether this worker may still delete the account."""
DELETED_NAME = "Deleted user"
"""The display name of a deleted user, whom anonymized posts and comments show as their author."""


async def purge(state: State, user: UserRow, mode: DeletionMode, goes_on: GoesOn) -> int:
    """Removes the rows of a user, in batches with pauses. Returns the number of removed or emptied rows; 0 if nothing
    was left. Stops early when `goes_on` returns false. Raises PostgresDown or RedisDown; the call can then be repeated.

    With ANONYMIZE, the blocks of other users stay: posts and comments stay hidden from those who have blocked the user.
    """
    erases = mode is DeletionMode.ERASE
    removed = await _empty(state, user.user_id, "posts", erases, goes_on)
    removed += await _empty(state, user.user_id, "comment_contents", erases, goes_on)
    removed += await _forget_mentions(state, user.user_id, goes_on)
    for table in TABLES:
        if table == "blocked_by" and not erases:
            continue
        removed += await _remove(state, user.user_id, table, goes_on)
    return removed


async def _empty(state: State, user_id: int, table: str, texts: bool, goes_on: GoesOn) -> int:
    changed, after = 0, 0
    codec = posts.CODEC if table == "posts" else comments.CODEC
    while await goes_on() and (ids := await account_rows.ids(state.postgres, table, user_id, after)):
        async with state.postgres.transaction() as transaction:
            changed += await account_rows.empty(transaction, table, user_id, ids, texts=texts)
        await state.cache.drop({codec.key(id_) for id_ in ids})
        after = ids[-1]
        await rest(_PAUSE)
    return changed


async def _forget_mentions(state: State, user_id: int, goes_on: GoesOn) -> int:
    """Removes a user from the posts and comments that mention the user, and drops their cached copies. Returns their
    number.
    """
    changed = 0
    for codec, forget in ((posts.CODEC, mentions.forget_in_posts), (comments.CODEC, mentions.forget_in_comments)):
        while await goes_on():
            async with state.postgres.transaction() as transaction:
                ids = await forget(transaction, user_id)
            if not ids:
                break
            await state.cache.drop({codec.key(id_) for id_ in ids})
            changed += len(ids)
            await rest(_PAUSE)
    return changed


async def _remove(state: State, user_id: int, table: str, goes_on: GoesOn) -> int:
    removed, count = 0, account_rows.BATCH
    while await goes_on() and count == account_rows.BATCH:
        await unname(state, user_id, await account_rows.others(state.postgres, table, user_id))
        async with state.postgres.transaction() as transaction:
            count, others = await account_rows.remove(transaction, table, user_id)
        if table == "blocked_by":
            for other in sorted(others):
                await state.own_sets.forget_settled(BLOCK, other)
        removed += count
        await rest(_PAUSE)
    return removed


async def finish(state: State, user: UserRow, mode: DeletionMode) -> None:
    """Replaces the profile of a user by an empty one, removes the user's identities, handles, reports and appeals, ends
    the user's ownership of entities, removes the user's keys from Redis, and sends the event `user.deleted`.

    Raises PostgresDown or RedisDown; the call can then be repeated.
    """
    user_id, now_ms = user.user_id, state.now_ms()
    await _forget(state, user_id)
    async with state.postgres.transaction() as transaction:
        locked = await users.lock(transaction, user_id)
        if locked is None or locked.deletion != DeletionState.RUNNING:
            return  # another worker has finished
        released, handles = await account_rows.release(transaction, user_id, locked.handle)
        await deletions.bury(transaction, released, now_ms)
        owned = await account_rows.disown(transaction, user_id)
        await account_rows.remove_about(transaction, user_id, USERS)
        handle = f"deleted_{user_id}"
        await held_handles.claim(transaction, handle, user_id, 0)
        await users.blank(transaction, locked, handle, DELETED_NAME)
        await deletions.finish(transaction, user_id, now_ms)
        stale = {
            users.cache_key(user_id),
            *map(identities.cache_key, released),
            *map(held_handles.cache_key, [handle, *handles]),
        }
        for row in owned:
            stale.add(entities.CODEC.key((row.business_id, row.key)))
            stale.add(entities.ID_CODEC.key(EntityRef(row.business_id, row.entity_id)))
        fence = await state.cache.fence(transaction, sorted(stale))
        events_out = OutgoingEvents(state.keys.partition_of)
        events_out.add(USER_DELETED, user_id, USERS, 0, (user_id,), mode=int(mode))
        await events_out.write(transaction)
    await state.cache.unfence(fence)


async def _forget(state: State, user_id: int) -> None:
    """Removes the keys of a user from Redis, except those that expire within a day: digests of idempotency keys, the
    objects that the user has viewed, rate budgets, and pinned pages.
    """
    businesses = sorted(state.businesses_by_id)
    for kind in KINDS.values():
        await state.own_sets.forget(kind.name, [user_id], businesses if kind.by_business else (0,))
    await state.boundaries.forget([user_id])
    await state.cache.drop(users.keys_of(user_id))
