"""Users: profiles, identities and handles in Postgres, and their cached forms."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict

import orjson
from sqlalchemy import text

from models.users import SuspensionMode, UserRow
from store import keys
from store.cache.values import Cache, Cached, Codec, Lease
from store.content import topic_recounts
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.postgres.distributed import on_citus, one_shard, some_shards

_FORMAT = 3
"""The number of the format in which values are cached. Increase it when the format changes (store/cache/values.py)."""
COLUMNS = (
    "user_id, handle, display_name, avatar_url, bio, version, is_private, suspended, suspended_until_ms, "
    "suspension_reason, custom"
)
"""The columns of a `UserRow`, in its order."""
_BY_ID = text(f"SELECT {COLUMNS} FROM users WHERE user_id = ANY(CAST(:ids AS bigint[]))")  # noqa: S608 - constants
_BY_HANDLE = text("""
    SELECT handle, user_id FROM handles WHERE handle = ANY(CAST(:handles AS text[]))
      AND (freed_at IS NULL OR freed_at > statement_timestamp() - make_interval(secs => :hold))
""")
_BY_IDENTITY = some_shards(
    """
    SELECT i.issuer, i.subject, i.user_id
    FROM unnest(CAST(:issuers AS text[]), CAST(:subjects AS text[])) AS wanted(issuer, subject)
    JOIN identities i USING (issuer, subject) WHERE {in_shard}
    """,
    column="i.subject",
    parameter="subjects",
    type_="text",
)
_SUBJECT = text("SELECT subject FROM identities WHERE user_id = :user AND issuer = :issuer LIMIT 1")
_CLAIM_IDENTITY = text("""
    INSERT INTO identities (issuer, subject, user_id) VALUES (:issuer, :subject, :user)
    ON CONFLICT (issuer, subject) DO NOTHING
""")
# A handle that cannot be claimed is not locked. Otherwise users who try to claim several taken handles could deadlock.
# Citus takes only immutable functions in ON CONFLICT, so there the clock is read in UPDATE.
_CLAIM_HANDLE = on_citus(
    text("""
        INSERT INTO handles AS h (handle, user_id)
        SELECT CAST(:handle AS text), CAST(:user AS bigint) WHERE NOT EXISTS (
            SELECT FROM handles t WHERE t.handle = :handle AND (t.freed_at IS NULL OR t.user_id <> :user
                AND t.freed_at > clock_timestamp() - make_interval(secs => :hold))
        )
        ON CONFLICT (handle) DO UPDATE SET user_id = excluded.user_id, freed_at = NULL
        WHERE h.freed_at IS NOT NULL
          AND (h.user_id = excluded.user_id OR h.freed_at <= clock_timestamp() - make_interval(secs => :hold))
        RETURNING handle
    """),
    text("""
        WITH reclaimed AS (
            UPDATE handles SET user_id = :user, freed_at = NULL
            WHERE handle = :handle AND freed_at IS NOT NULL
              AND (user_id = :user OR freed_at <= statement_timestamp() - make_interval(secs => :hold))
            RETURNING handle
        ), claimed AS (
            INSERT INTO handles (handle, user_id) VALUES (:handle, :user)
            ON CONFLICT (handle) DO NOTHING RETURNING handle
        )
        SELECT handle FROM reclaimed UNION ALL SELECT handle FROM claimed
    """),
)
_RELEASE_HANDLE = text("UPDATE handles SET freed_at = statement_timestamp() WHERE handle = :handle AND user_id = :user")
_MOST_HELD = 3
"""How many of a user's freed handles are held for the user: the newest. The limit keeps users from hoarding handles."""
# The conditions after the list are checked again if another user claims a handle while this statement waits.
_FORGET_HANDLES = text(f"""
    DELETE FROM handles WHERE user_id = :user AND freed_at IS NOT NULL AND handle IN (
        SELECT handle FROM handles WHERE user_id = :user AND freed_at IS NOT NULL
        ORDER BY freed_at DESC OFFSET {_MOST_HELD}
    )
""")  # noqa: S608 - constants
_INSERT = text("""
    INSERT INTO users (user_id, handle, display_name, avatar_url, bio, is_private, custom)
    VALUES (:user, :handle, :display_name, :avatar_url, :bio, :is_private, :custom)
""")
_WITH_ENDED_SUSPENSION = text("""
    SELECT user_id FROM users WHERE suspended_until_ms <= :now ORDER BY suspended_until_ms LIMIT :count
""")
_LOCK = text(f"""
    SELECT {COLUMNS}, suspension_version FROM users WHERE user_id = :user FOR UPDATE
""")  # noqa: S608 - constants
IS_UNCOUNTED = f"(is_private OR coalesce(suspended <> {SuspensionMode.READ_ONLY:d}, false))"
"""The SQL condition for users whose posts topics do not count (`UserRow.is_counted`)."""
_OF_AUTHORS = f"""
    SELECT user_id, {IS_UNCOUNTED} AS is_uncounted FROM users
    WHERE user_id = ANY(CAST(:ids AS bigint[])) ORDER BY user_id FOR
"""  # noqa: S608 - constants
_SHARE_AUTHORS = one_shard(f"{_OF_AUTHORS} SHARE", table="users", column="user_id", parameter="ids")
_LOCK_AUTHORS = one_shard(f"{_OF_AUTHORS} UPDATE", table="users", column="user_id", parameter="ids")
_SUSPEND = text("""
    UPDATE users SET suspended = :suspended, suspended_until_ms = :suspended_until_ms,
                     suspension_reason = :suspension_reason, suspension_version = :decided, version = version + 1
    WHERE user_id = :user
""")
_UPDATE = text("""
    UPDATE users SET handle = :handle, display_name = :display_name, avatar_url = :avatar_url, bio = :bio,
                     is_private = :is_private, suspended = :suspended,
                     suspended_until_ms = :suspended_until_ms, suspension_reason = :suspension_reason,
                     custom = :custom, version = version + 1
    WHERE user_id = :user
""")

Identity = tuple[str, str]
"""The issuer and the subject of a token, which together identify who signs in."""


async def by_id(postgres: Postgres, ids: Sequence[int]) -> dict[int, UserRow]:
    """Reads profiles by user id. Ids without a user are left out."""
    rows = await postgres.read(_BY_ID, ids=list(ids))
    return {row.user_id: UserRow(*row) for row in rows}


async def by_handle(postgres: Postgres, handles: Sequence[str], hold: float = 0) -> dict[str, int]:
    """Returns the ids of the users who have these handles, or had them less than `hold` seconds ago, by handle. Other
    handles are left out.
    """
    return dict(await postgres.read(_BY_HANDLE, handles=list(handles), hold=hold))


async def holding(transaction: Transaction, handles: Sequence[str]) -> dict[str, int]:
    """Returns the ids of the users who have these handles now, by handle. Handles that are not in use are left out."""
    return dict(await transaction.execute(_BY_HANDLE, handles=list(handles), hold=0))


async def by_identity(postgres: Postgres, identities: Sequence[Identity]) -> dict[Identity, int]:
    """Returns the ids of the users who have these identities (issuer and subject). Unknown identities are left out."""
    rows = await postgres.read(_BY_IDENTITY, **columns(identities, "issuers", "subjects"))
    return {(issuer, subject): user for issuer, subject, user in rows}


async def subject_of(postgres: Postgres, issuer: str, user_id: int) -> str | None:
    """Returns the subject that identifies a user in the tokens of an issuer; None if the user has no identity there.

    The query reads the whole table. Call this function in tools, never in requests.
    """
    rows = await postgres.read(_SUBJECT, user=user_id, issuer=issuer)
    return rows[0].subject if rows else None


async def claim_identity(transaction: Transaction, identity: Identity, user_id: int) -> bool:
    """Stores that an identity (issuer and subject of a token) belongs to a user. Returns False if it belongs to a user
    already.
    """
    issuer, subject = identity
    return await transaction.changed(_CLAIM_IDENTITY, issuer=issuer, subject=subject, user=user_id) == 1


async def claim_handle(transaction: Transaction, handle: str, user_id: int, hold: float) -> bool:
    """Claims a handle for a user. Returns False if the handle is in use, or if another user freed it less than `hold`
    seconds ago.
    """
    return bool(await transaction.execute(_CLAIM_HANDLE, handle=handle, user=user_id, hold=hold))


async def rename(transaction: Transaction, user_id: int, before: str, after: str, hold: float) -> bool:
    """Claims the handle `after` for a user and frees the handle `before`, which others cannot claim for `hold` seconds.
    Only a user's three handles that were freed last are held. Returns False and changes nothing if the claim fails (see
    `claim_handle`).
    """
    if not await claim_handle(transaction, after, user_id, hold):
        return False
    await transaction.execute(_RELEASE_HANDLE, handle=before, user=user_id)
    await transaction.execute(_FORGET_HANDLES, user=user_id)
    return True


async def insert(transaction: Transaction, user: UserRow) -> None:
    """Inserts a new profile."""
    await transaction.execute(
        _INSERT,
        user=user.user_id,
        handle=user.handle,
        display_name=user.display_name,
        avatar_url=user.avatar_url,
        bio=user.bio,
        is_private=user.is_private,
        custom=user.custom,
    )


async def lock(transaction: Transaction, user_id: int) -> UserRow | None:
    """Reads a profile and locks its row until the transaction ends; None if there is no such user."""
    locked = await lock_suspension(transaction, user_id)
    return locked and locked[0]


async def lock_suspension(transaction: Transaction, user_id: int) -> tuple[UserRow, int] | None:
    """Reads a profile and locks its row until the transaction ends. Returns the profile, and the version of the newest
    decision to suspend or reinstate the user; None if there is no such user.
    """
    rows = await transaction.execute(_LOCK, user=user_id)
    return (UserRow(*rows[0][:-1]), rows[0].suspension_version) if rows else None


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


async def suspend(transaction: Transaction, before: UserRow, user: UserRow, decided: int) -> None:
    """Writes the suspension of `user`, or its end, to the profile's row, and increases the row's version. `before` is
    the row, which the caller has locked. `decided` is the version of the decision. If topics must begin or cease to
    count the user's posts, requests this (store/content/topic_recounts.py).
    """
    await transaction.execute(
        _SUSPEND,
        user=user.user_id,
        suspended=user.suspended,
        suspended_until_ms=user.suspended_until_ms,
        suspension_reason=user.suspension_reason,
        decided=decided,
    )
    await _ask_for_recount(transaction, before, user)


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
    )
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

CODEC = Codec("users", cache_key, encode, decode, absent=None)
"""How profiles are cached."""


def encode_id(user_id: int | None) -> Cached:
    """Encodes a user id for the cache. None, which means that no user has the handle or identity, is cached too."""
    return Cached(0, orjson.dumps(user_id))


def decode_id(cached: Cached) -> int | None:
    """Returns the user id that `encode_id` has encoded, or None."""
    user_id: int | None = orjson.loads(cached.body)
    return user_id


handle_key = keys.handle
"""Returns the cache key of the id of the user who has a handle."""


def identity_key(identity: Identity) -> str:
    """Returns the cache key of the id of the user who has an identity."""
    return keys.identity(*identity)


HANDLE_CODEC = Codec("handles", handle_key, encode_id, decode_id, absent=None)
"""How the ids of the users who have handles are cached."""

IDENTITY_CODEC = Codec("identities", identity_key, encode_id, decode_id, absent=None)
"""How the ids of the users who have identities are cached."""


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
