"""The profiles of users: their rows, and how they are cached."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, replace
from typing import NamedTuple

import orjson
from sqlalchemy import text

from models.deletions import DeletionMode, DeletionState
from models.users import SuspensionMode, UserRow
from store import keys
from store.cache.values import Cache, Cached, Codec, Lease
from store.content import topic_recounts, user_terms
from store.people.identities import Identity
from store.postgres.client import Postgres, Transaction
from store.postgres.distributed import one_shard

_FORMAT = 5
"""The number of the format in which values are cached. Increase it when the format changes (store/cache/values.py)."""
COLUMNS = (
    "user_id, handle, display_name, avatar_url, bio, version, is_private, suspended, suspended_until_ms, "
    "suspension_reason, custom, deletion, deletion_mode, deletion_due_ms, age_band, language"
)
"""The columns of a `UserRow`, in its order."""
_BY_ID = text(f"SELECT {COLUMNS} FROM users WHERE user_id = ANY(CAST(:ids AS bigint[]))")  # noqa: S608 - constants
_INSERT = text("""
    INSERT INTO users (user_id, handle, display_name, avatar_url, bio, is_private, custom, age_band, language)
    VALUES (:user, :handle, :display_name, :avatar_url, :bio, :is_private, :custom, :age_band, :language)
""")
_WITH_ENDED_SUSPENSION = text("""
    SELECT user_id FROM users WHERE suspended_until_ms <= :now ORDER BY suspended_until_ms LIMIT :count
""")
_LOCK = text(f"""
    SELECT {COLUMNS}, suspension_version, deletion_version FROM users WHERE user_id = :user FOR UPDATE
""")  # noqa: S608 - constants
_IS_DELETED = f"coalesce(deletion <> {DeletionState.DONE:d} OR deletion_mode = {DeletionMode.ERASE:d}, false)"
IS_UNCOUNTED = f"(is_private OR coalesce(suspended <> {SuspensionMode.READ_ONLY:d}, false) OR {_IS_DELETED})"
"""The SQL condition for users whose posts topics do not count (`UserRow.is_counted`)."""
_OF_AUTHORS = f"""
    SELECT user_id, {IS_UNCOUNTED} AS is_uncounted FROM users
    WHERE user_id = ANY(CAST(:ids AS bigint[])) ORDER BY user_id FOR
"""  # noqa: S608 - constants
_SHARE_AUTHORS = one_shard(f"{_OF_AUTHORS} SHARE", table="users", column="user_id", parameter="ids")
_LOCK_AUTHORS = one_shard(f"{_OF_AUTHORS} UPDATE", table="users", column="user_id", parameter="ids")
_DECIDE = text("""
    UPDATE users SET suspended = :suspended, suspended_until_ms = :suspended_until_ms,
                     suspension_reason = :suspension_reason, suspension_version = :suspension_version,
                     deletion = :deletion, deletion_mode = :deletion_mode, deletion_due_ms = :deletion_due_ms,
                     deletion_version = :deletion_version, version = version + 1
    WHERE user_id = :user
""")
_BLANK = text("""
    UPDATE users SET handle = :handle, display_name = :display_name, avatar_url = NULL, bio = '', custom = NULL,
                     language = NULL, suspension_reason = NULL, age_band = NULL, deletion = :deletion,
                     version = version + 1
    WHERE user_id = :user
""")
_UPDATE = text("""
    UPDATE users SET handle = :handle, display_name = :display_name, avatar_url = :avatar_url, bio = :bio,
                     is_private = :is_private, suspended = :suspended,
                     suspended_until_ms = :suspended_until_ms, suspension_reason = :suspension_reason,
                     custom = :custom, age_band = :age_band, language = :language, version = version + 1
    WHERE user_id = :user
""")


async def by_id(postgres: Postgres, ids: Sequence[int]) -> dict[int, UserRow]:
    """Reads profiles by user id. Ids without a user are left out."""
    rows = await postgres.read(_BY_ID, ids=list(ids))
    return {row.user_id: UserRow(*row) for row in rows}


async def by_id_in(transaction: Transaction, ids: Sequence[int]) -> dict[int, UserRow]:
    """Reads profiles by id, in a transaction. Ids without a user are left out."""
    rows = await transaction.execute(_BY_ID, ids=list(ids))
    return {row.user_id: UserRow(*row) for row in rows}


async def insert(transaction: Transaction, user: UserRow) -> None:
    """Inserts a new profile, and the terms by which searches find it."""
    await transaction.execute(
        _INSERT,
        user=user.user_id,
        handle=user.handle,
        display_name=user.display_name,
        avatar_url=user.avatar_url,
        bio=user.bio,
        is_private=user.is_private,
        custom=user.custom,
        age_band=user.age_band,
        language=user.language,
    )
    await user_terms.write(transaction, [user])


async def lock(transaction: Transaction, user_id: int) -> UserRow | None:
    """Reads a profile and locks its row until the transaction ends; None if there is no such user."""
    locked = await lock_decisions(transaction, user_id)
    return locked and locked.user


class Locked(NamedTuple):
    """A profile whose row is locked, and the versions of the newest decisions about the user; 0 without any."""

    user: UserRow
    suspension: int
    """The version of the newest decision to suspend or reinstate the user."""
    deletion: int
    """The version of the newest request to delete the account or to cancel the deletion."""


async def lock_decisions(transaction: Transaction, user_id: int) -> Locked | None:
    """Reads a profile and the versions of the newest decisions about the user. Locks the profile's row until the
    transaction ends. Returns None if there is no such user.
    """
    rows = await transaction.execute(_LOCK, user=user_id)
    return Locked(UserRow(*rows[0][:-2]), *rows[0][-2:]) if rows else None


async def uncounted_among(transaction: Transaction, ids: Collection[int], changing: Collection[int] = ()) -> set[int]:
    """Returns those of `ids` and `changing` whose posts are not counted in topics, because they are private or hidden
    by a suspension. `changing` are the users whose rows the transaction changes later.

    Locks the rows of all these users until the transaction ends, in one order, against deadlocks. Locks nothing and
    returns an empty set if `ids` is empty and `changing` has fewer than two users.
    """
    if not ids and len(changing) < 2:
        return set()
    statement = _LOCK_AUTHORS if changing else _SHARE_AUTHORS
    rows = await transaction.execute(statement, ids=sorted({*ids, *changing}))
    return {row.user_id for row in rows if row.is_uncounted}


async def decide(transaction: Transaction, before: Locked, after: Locked) -> None:
    """Writes the suspension and the deletion of the user in `after`, with the versions of their decisions, to the
    profile's row, and increases the row's version. `before` is the row, which the caller has locked. If topics must
    begin or cease to count the user's posts, requests this (store/content/topic_recounts.py).
    """
    user = after.user
    await transaction.execute(
        _DECIDE,
        user=user.user_id,
        suspended=user.suspended,
        suspended_until_ms=user.suspended_until_ms,
        suspension_reason=user.suspension_reason,
        suspension_version=after.suspension,
        deletion=user.deletion,
        deletion_mode=user.deletion_mode,
        deletion_due_ms=user.deletion_due_ms,
        deletion_version=after.deletion,
    )
    await _ask_for_recount(transaction, before.user, user)


async def blank(transaction: Transaction, before: UserRow, handle: str, display_name: str) -> None:
    """Replaces the profile of a deleted user by a neutral handle and display name, and ends the deletion. The account
    stays private and suspended if it was, so that what these hid stays hidden. `before` is the row, which the caller
    has locked. If topics must begin to count the user's posts again, requests this.
    """
    after = replace(before, deletion=int(DeletionState.DONE))
    await transaction.execute(
        _BLANK, user=before.user_id, handle=handle, display_name=display_name, deletion=after.deletion
    )
    await _ask_for_recount(transaction, before, after)


async def with_ended_suspension(postgres: Postgres, now_ms: int, count: int) -> list[int]:
    """Returns the ids of up to `count` users whose suspension has ended at `now_ms` but is still in the table, earliest
    end first.
    """
    return [row.user_id for row in await postgres.read(_WITH_ENDED_SUSPENSION, now=now_ms, count=count)]


async def update(transaction: Transaction, before: UserRow, user: UserRow) -> None:
    """Writes the values of `user` to the profile's row and increases the row's version. `before` is the row, which the
    caller has locked. If topics must begin or cease to count the user's posts, requests this
    (store/content/topic_recounts.py).
    """
    await transaction.execute(
        _UPDATE,
        user=user.user_id,
        handle=user.handle,
        display_name=user.display_name,
        avatar_url=user.avatar_url,
        bio=user.bio,
        is_private=user.is_private,
        suspended=user.suspended,
        suspended_until_ms=user.suspended_until_ms,
        suspension_reason=user.suspension_reason,
        custom=user.custom,
        age_band=user.age_band,
        language=user.language,
    )
    if (user.handle, user.display_name) != (before.handle, before.display_name):
        await user_terms.rewrite(transaction, [user])
    await _ask_for_recount(transaction, before, user)


async def _ask_for_recount(transaction: Transaction, before: UserRow, user: UserRow) -> None:
    if user.is_counted != before.is_counted:
        await topic_recounts.ask(transaction, user.user_id, before.version + 1)


def encode(user: UserRow | None) -> Cached:
    """Encodes a profile for the cache. None, which means that there is no such user, is cached too."""
    return Cached(user.version if user else 0, orjson.dumps(user and asdict(user)), format=_FORMAT)


def decode(cached: Cached) -> UserRow | None:
    """Returns the profile that `encode` has encoded, or None. Raises OtherFormat if the value is encoded in another
    format.
    """
    fields = orjson.loads(cached.body_in(_FORMAT))
    return UserRow(**fields) if fields else None


cache_key = keys.user
"""Returns the cache key of a profile."""

keys_of = keys.cached_of
"""Returns the cache keys of all that a user has, apart from the profile, handles and identities."""

CODEC = Codec("users", cache_key, encode, decode, absent=None)
"""How profiles are cached."""


async def fence_new(
    cache: Cache, transaction: Transaction, identities: Iterable[Identity], handles: Iterable[str]
) -> Lease:
    """Removes the cached values of identities and handles that are being claimed, and prevents all processes from
    caching them until `Cache.unfence`. Returns the fence, to pass to `unfence`. `Cache.fence` says when to call this
    function, and what it raises.
    """
    return await cache.fence(transaction, [*(keys.identity(*one) for one in identities), *map(keys.handle, handles)])


async def fence_changed(cache: Cache, transaction: Transaction, before: UserRow, after: UserRow) -> Lease:
    """Removes the cached values of a profile that is being changed, and of its old and new handle, and prevents all
    processes from caching them until `Cache.unfence`. Returns the fence, to pass to `unfence`. `Cache.fence` says when
    to call this function, and what it raises.
    """
    return await cache.fence(transaction, sorted(stale_keys(before, after)))


def stale_keys(before: UserRow, after: UserRow) -> set[str]:
    """Returns the cache keys of a profile that is being changed, and of its old and new handle."""
    return {keys.user(after.user_id), keys.handle(before.handle), keys.handle(after.handle)}
