"""Removes what is left of a user after everything was undone: rows of ended reactions, saves and blocks, logs, texts of
deleted posts and comments, notifications, uploaded files, identities, handles, the profile, and the user's keys in
Redis.
"""

from collections.abc import AsyncGenerator, Iterable
from typing import Any

from models.boundaries import BLOCK
from models.counters import EntityRef
from models.deletions import DeletionMode, DeletionState
from models.users import UserRow
from settings import USERS
from state import State
from store.content import comments, entities, mentions, posts, uploaded_files
from store.groups import chunks
from store.outgoing.events.users import USER_DELETED
from store.outgoing.new_events import OutgoingEvents
from store.own_sets.kinds import KINDS
from store.people import account_rows, deletions, held_handles, identities, users
from store.people.account_rows import BATCH, EMPTIED, TABLES, Page
from workers.deletions.unname import unname

_VISITED = 20
"""The most pages that one step reads."""
_NOTIFIED = {**dict.fromkeys(("reactions", "reposts"), ("owner_id",)), "follow_log": ("followee_id",)}
"""The columns with the users who may have notifications about a row, by table."""
DELETED_NAME = "Deleted user"
"""The display name of a deleted user, whom anonymized posts and comments show as their author."""


async def steps(state: State, user_id: int, mode: DeletionMode) -> AsyncGenerator[int, None]:
    """Goes once through the rows and uploaded files of a user, after everything was undone, and removes or empties
    them. Yields after each step: the number of rows, about a thousand, or of files; 0 if the step has only read. If no
    step has found any, nothing was left. Raises PostgresDown, RedisDown or Unavailable; a new pass can then begin.

    With ANONYMIZE, the blocks of other users stay: posts and comments stay hidden from those who have blocked the user.
    """
    async for count in _remove_rows(state, user_id, mode):
        yield count
    async for count in _forget_mentions(state, user_id):
        yield count
    async for count in _delete_files(state, user_id, mode):
        yield count


async def _remove_rows(state: State, user_id: int, mode: DeletionMode) -> AsyncGenerator[int, None]:
    """Goes once through the rows of a user, as `steps` does."""
    removed = visited = 0
    for table in (*EMPTIED, *TABLES):
        if table == "blocked_by" and mode is not DeletionMode.ERASE:
            continue
        page = None
        while page is None or page.is_full:
            page = await account_rows.page(state.postgres, table, user_id, BATCH, page)
            if page.rows:
                clear = _empty if table in EMPTIED else _remove
                removed += await clear(state, user_id, page, mode)
            visited += page.is_full
            if removed >= BATCH or visited == _VISITED:
                yield removed
                removed = visited = 0
    while count := await _disown(state, user_id):
        yield removed + count
        removed = 0
    if removed:
        yield removed


async def _delete_files(state: State, user_id: int, mode: DeletionMode) -> AsyncGenerator[int, None]:
    """Deletes the files that a user uploaded; with ANONYMIZE, only those that no post and no comment shows. Yields
    after each page: the number of deleted files. Raises Unavailable if the store of uploads does not answer.
    """
    after: str | None = ""
    while state.uploads and after is not None:
        files, after = await state.uploads.page(user_id, after, state.now_ms())
        if mode is not DeletionMode.ERASE:
            async with state.postgres.transaction() as transaction:
                files = await uploaded_files.unshown(transaction, state.uploads, files)
        await state.uploads.delete(files, state.now_ms())
        if files or after is not None:
            yield len(files)


async def _empty(state: State, user_id: int, page: Page, mode: DeletionMode) -> int:
    """Empties the posts or comments of a page. Returns the number of rows that had something to remove."""
    table, column = EMPTIED[page.table]
    ids = [getattr(row, column) for row in page.rows]
    async with state.postgres.transaction() as transaction:
        texts = mode is DeletionMode.ERASE
        changed = await account_rows.empty(transaction, table, user_id, ids, texts=texts)
    codec = posts.CODEC if table == "posts" else comments.CODEC
    await state.cache.drop({codec.key(id_) for id_ in ids})  # also after a pass that has failed here
    return changed


async def _remove(state: State, user_id: int, page: Page, _: DeletionMode) -> int:
    """Removes the rows of a page. Returns the number of rows that the page had."""
    await unname(state, user_id, page.others(*_NOTIFIED.get(page.table, ())))
    async with state.postgres.transaction() as transaction:
        await account_rows.remove(transaction, user_id, page)
    if page.table == "blocked_by":
        for row in page.rows:
            await state.own_sets.forget_settled(BLOCK, row.blocker_id)
    return len(page.rows)


async def _disown(state: State, user_id: int) -> int:
    """Ends the user's ownership of up to a thousand entities. Returns their number."""
    async with state.postgres.transaction() as transaction:
        if not (owned := await account_rows.disown(transaction, user_id)):
            return 0
        fence = await state.cache.fence(transaction, sorted(_keys_of(owned)))
    await state.cache.unfence(fence)
    return len(owned)


async def _forget_mentions(state: State, user_id: int) -> AsyncGenerator[int, None]:
    """Removes a user from the posts and comments that mention the user, and drops their cached copies. Yields after
    each batch: the number of its posts or comments.
    """
    found = posts_with, comments_with = await mentions.of_user(state.postgres, user_id)
    while any(found):
        for codec, forget, ids in (
            (posts.CODEC, mentions.forget_in_posts, posts_with),
            (comments.CODEC, mentions.forget_in_comments, comments_with),
        ):
            for batch in chunks(ids, mentions.BATCH):
                async with state.postgres.transaction() as transaction:
                    await forget(transaction, user_id, batch)
                await state.cache.drop({codec.key(id_) for id_ in batch})
                yield len(batch)
        found = posts_with, comments_with = await mentions.of_user(state.postgres, user_id)


def _keys_of(owned: Iterable[Any]) -> set[str]:
    """Returns the cache keys of entities."""
    keys = {entities.CODEC.key((row.business_id, row.key)) for row in owned}
    return keys | {entities.ID_CODEC.key(EntityRef(row.business_id, row.entity_id)) for row in owned}


async def finish(state: State, user: UserRow, mode: DeletionMode) -> None:
    """Replaces the profile of a user by an empty one, removes the user's identities, handles, reports and appeals, ends
    the ownership of entities that were registered a moment ago, removes the user's keys from Redis, and sends the event
    `user.deleted`.

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
        await account_rows.remove_about(transaction, user_id, USERS, now_ms)
        handle = f"deleted_{user_id}"
        await held_handles.claim(transaction, handle, user_id, 0)
        await users.blank(transaction, locked, handle, DELETED_NAME)
        await deletions.finish(transaction, user_id, now_ms)
        stale = {
            users.cache_key(user_id),
            *map(identities.cache_key, released),
            *map(held_handles.cache_key, [handle, *handles]),
            *_keys_of(owned),
        }
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
