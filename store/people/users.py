"""Users: profiles, identities and handles in Postgres, and their cached forms."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict

import orjson
from sqlalchemy import text

from models.users import UserRow
from store import keys
from store.cache.values import Cache, Cached, Lease
from store.postgres.client import Postgres, Transaction

_FORMAT = 1
"""Of the cached form: raise it when the form changes (store/cache/values.py)."""
_COLUMNS = "user_id, handle, display_name, avatar_url, bio, version"
_BY_ID = text(f"SELECT {_COLUMNS} FROM users WHERE user_id = ANY(CAST(:ids AS bigint[]))")  # noqa: S608 - constants
_BY_HANDLE = text(
    "SELECT handle, user_id FROM handles WHERE handle = ANY(CAST(:handles AS text[])) AND freed_at IS NULL"
)
_BY_IDENTITY = text("""
    SELECT i.issuer, i.subject, i.user_id
    FROM unnest(CAST(:issuers AS text[]), CAST(:subjects AS text[])) AS wanted(issuer, subject)
    JOIN identities i USING (issuer, subject)
""")
_SUBJECT = text("SELECT subject FROM identities WHERE user_id = :user AND issuer = :issuer LIMIT 1")
_CLAIM_IDENTITY = text("""
    INSERT INTO identities (issuer, subject, user_id) VALUES (:issuer, :subject, :user)
    ON CONFLICT (issuer, subject) DO NOTHING
""")
# What cannot be claimed is not even locked: those who wish for several taken handles would wait in a circle.
_CLAIM_HANDLE = text("""
    INSERT INTO handles AS h (handle, user_id)
    SELECT CAST(:handle AS text), CAST(:user AS bigint) WHERE NOT EXISTS (
        SELECT FROM handles t WHERE t.handle = :handle AND (t.freed_at IS NULL OR t.user_id <> :user
            AND t.freed_at > clock_timestamp() - make_interval(secs => :hold))
    )
    ON CONFLICT (handle) DO UPDATE SET user_id = excluded.user_id, freed_at = NULL
    WHERE h.freed_at IS NOT NULL
      AND (h.user_id = excluded.user_id OR h.freed_at <= clock_timestamp() - make_interval(secs => :hold))
""")
_RELEASE_HANDLE = text("UPDATE handles SET freed_at = clock_timestamp() WHERE handle = :handle AND user_id = :user")
_MOST_HELD = 3
"""So many of the handles that a user has freed are held for them, the newest: nobody hoards handles by renaming."""
_FORGET_HANDLES = text(f"""
    DELETE FROM handles WHERE handle IN (
        SELECT handle FROM handles WHERE user_id = :user AND freed_at IS NOT NULL
        ORDER BY freed_at DESC OFFSET {_MOST_HELD}
    )
""")  # noqa: S608 - constants
_INSERT = text("""
    INSERT INTO users (user_id, handle, display_name, avatar_url) VALUES (:user, :handle, :display_name, :avatar_url)
""")
_LOCK = text(f"SELECT {_COLUMNS} FROM users WHERE user_id = :user FOR UPDATE")  # noqa: S608 - constants
_UPDATE = text("""
    UPDATE users SET handle = :handle, display_name = :display_name, avatar_url = :avatar_url, bio = :bio,
                     version = version + 1
    WHERE user_id = :user
""")

Identity = tuple[str, str]
"""A token's issuer and subject."""


async def by_id(postgres: Postgres, ids: Sequence[int]) -> dict[int, UserRow]:
    """Profiles of the ids that exist."""
    rows = await postgres.read(_BY_ID, ids=list(ids))
    return {row.user_id: UserRow(*row) for row in rows}


async def by_handle(postgres: Postgres, handles: Sequence[str]) -> dict[str, int]:
    """Who holds each handle."""
    return dict(await postgres.read(_BY_HANDLE, handles=list(handles)))


async def holding(transaction: Transaction, handles: Sequence[str]) -> dict[str, int]:
    """The same, within a transaction."""
    rows = await transaction.execute(_BY_HANDLE, handles=list(handles))
    return {row.handle: row.user_id for row in rows}


async def by_identity(postgres: Postgres, identities: Sequence[Identity]) -> dict[Identity, int]:
    """Which user each identity is."""
    rows = await postgres.read(_BY_IDENTITY, issuers=[i for i, _ in identities], subjects=[s for _, s in identities])
    return {(issuer, subject): user for issuer, subject, user in rows}


async def subject_of(postgres: Postgres, issuer: str, user_id: int) -> str | None:
    """A user's subject at an issuer. Reads the whole table: for tools, not for requests."""
    rows = await postgres.read(_SUBJECT, user=user_id, issuer=issuer)
    return rows[0].subject if rows else None


async def claim_identity(transaction: Transaction, identity: Identity, user_id: int) -> bool:
    """Makes the identity this user's; False when it is somebody's already."""
    issuer, subject = identity
    return await transaction.changed(_CLAIM_IDENTITY, issuer=issuer, subject=subject, user=user_id) == 1


async def claim_handle(transaction: Transaction, handle: str, user_id: int, hold: float) -> bool:
    """Makes the handle this user's; False when it is somebody's, or was another's `hold` seconds ago."""
    return await transaction.changed(_CLAIM_HANDLE, handle=handle, user=user_id, hold=hold) == 1


async def rename(transaction: Transaction, user_id: int, before: str, after: str, hold: float) -> bool:
    """Claims a handle and frees the one before, which is held for the user; False where the claim fails."""
    if not await claim_handle(transaction, after, user_id, hold):
        return False
    await transaction.execute(_RELEASE_HANDLE, handle=before, user=user_id)
    await transaction.execute(_FORGET_HANDLES, user=user_id)
    return True


async def insert(
    transaction: Transaction, user_id: int, handle: str, display_name: str, avatar_url: str | None
) -> None:
    """A new profile."""
    await transaction.execute(_INSERT, user=user_id, handle=handle, display_name=display_name, avatar_url=avatar_url)


async def lock(transaction: Transaction, user_id: int) -> UserRow | None:
    """The profile, kept from others until the transaction ends."""
    rows = await transaction.execute(_LOCK, user=user_id)
    return UserRow(*rows[0]) if rows else None


async def update(transaction: Transaction, user: UserRow) -> None:
    """Writes a profile back; its version grows."""
    await transaction.execute(
        _UPDATE,
        user=user.user_id,
        handle=user.handle,
        display_name=user.display_name,
        avatar_url=user.avatar_url,
        bio=user.bio,
    )


def encode(user: UserRow | None) -> Cached:
    """A profile for the cache; None is remembered too."""
    return Cached(user.version if user else 0, orjson.dumps(user and asdict(user)), format=_FORMAT)


def decode(cached: Cached) -> UserRow | None:
    """The inverse of `encode`."""
    fields = orjson.loads(cached.body_in(_FORMAT))
    return UserRow(**fields) if fields else None


def encode_id(user_id: int | None) -> Cached:
    """A user id for the cache; None is remembered too."""
    return Cached(0, orjson.dumps(user_id))


def decode_id(cached: Cached) -> int | None:
    """The inverse of `encode_id`."""
    user_id: int | None = orjson.loads(cached.body)
    return user_id


cache_key = keys.user
"""Names the cached profile of a user."""

handle_key = keys.handle
"""Names the cached holder of a handle."""


def identity_key(identity: Identity) -> str:
    """Names the cached user of an identity."""
    return keys.identity(*identity)


async def fence_new(
    cache: Cache, transaction: Transaction, identities: Iterable[Identity], handles: Iterable[str]
) -> Lease:
    """Fences what is cached of identities and handles that get their users, as Cache.fence does."""
    return await cache.fence(transaction, [*(keys.identity(*one) for one in identities), *map(keys.handle, handles)])


async def fence_changed(cache: Cache, transaction: Transaction, before: UserRow, after: UserRow) -> Lease:
    """Fences what is cached of a profile that changes, as Cache.fence does."""
    stale = {keys.user(after.user_id), keys.handle(before.handle), keys.handle(after.handle)}
    return await cache.fence(transaction, sorted(stale))
