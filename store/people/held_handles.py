"""Handles: who holds a handle, how a user claims and changes one, for how long a freed handle is held, and how the ids
of holders are cached.
"""

from collections.abc import Sequence

from sqlalchemy import text

from store import keys
from store.cache.values import Codec
from store.people.identities import decode_id, encode_id
from store.postgres.client import Postgres, Transaction

_HOLDERS = text("""
    SELECT handle, user_id FROM handles WHERE handle = ANY(CAST(:handles AS text[]))
      AND (freed_at IS NULL OR freed_at > statement_timestamp() - make_interval(secs => :hold))
""")
# A handle that cannot be claimed is not locked. Otherwise users who try to claim several taken handles could deadlock.
# Citus accepts only immutable functions in ON CONFLICT, so UPDATE compares times.
_CLAIM = text("""
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
""")
_RELEASE = text("UPDATE handles SET freed_at = statement_timestamp() WHERE handle = :handle AND user_id = :user")
_MOST_HELD = 3
"""How many of a user's freed handles are held for the user: the newest. The limit keeps users from hoarding handles."""
# The conditions after the list are checked again if another user claims a handle while this statement waits.
_FORGET = text(f"""
    DELETE FROM handles WHERE user_id = :user AND freed_at IS NOT NULL AND handle IN (
        SELECT handle FROM handles WHERE user_id = :user AND freed_at IS NOT NULL
        ORDER BY freed_at DESC OFFSET {_MOST_HELD}
    )
""")  # noqa: S608 - constants


async def holders(postgres: Postgres, handles: Sequence[str], hold: float = 0) -> dict[str, int]:
    """Returns the ids of the users who have these handles, or had them less than `hold` seconds ago, by handle. Other
    handles are left out.
    """
    return dict(await postgres.read(_HOLDERS, handles=list(handles), hold=hold))


async def holders_in(transaction: Transaction, handles: Sequence[str], hold: float = 0) -> dict[str, int]:
    """Returns the ids of the users who have these handles, or had them less than `hold` seconds ago, by handle. Other
    handles are left out. Reads in the given transaction.
    """
    return dict(await transaction.execute(_HOLDERS, handles=list(handles), hold=hold))


async def claim(transaction: Transaction, handle: str, user_id: int, hold: float) -> bool:
    """Claims a handle for a user. Returns False if the handle is in use, or if another user freed it less than `hold`
    seconds ago.
    """
    return bool(await transaction.execute(_CLAIM, handle=handle, user=user_id, hold=hold))


async def change(transaction: Transaction, user_id: int, before: str, after: str, hold: float) -> bool:
    """Claims the handle `after` for a user and frees the handle `before`, which others cannot claim for `hold` seconds.
    Only a user's three handles that were freed last are held. Returns False and changes nothing if the claim fails (see
    `claim`).
    """
    if not await claim(transaction, after, user_id, hold):
        return False
    await transaction.execute(_RELEASE, handle=before, user=user_id)
    await transaction.execute(_FORGET, user=user_id)
    return True


cache_key = keys.handle
"""Returns the cache key of the id of the user who has a handle."""

CODEC = Codec("handles", cache_key, encode_id, decode_id, absent=None)
"""How the ids of the users who have handles are cached."""
