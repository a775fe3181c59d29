"""Writes new users in bulk: their profiles and handles."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import text

from models.users import UserRow
from store.content import user_terms
from store.postgres.client import Transaction
from store.postgres.columns import columns

_CLAIM = text("""
    INSERT INTO handles (handle, user_id)
    SELECT * FROM unnest(CAST(:handles AS text[]), CAST(:users AS bigint[]))
    ON CONFLICT (handle) DO NOTHING RETURNING handle
""")
_HOLD = text("""
    INSERT INTO handles (handle, user_id, freed_at)
    SELECT * FROM unnest(CAST(:handles AS text[]), CAST(:users AS bigint[]), CAST(:freed AS timestamptz[]))
    ON CONFLICT (handle) DO NOTHING
""")
_INSERT = text("""
    INSERT INTO users (user_id, handle, display_name, avatar_url, bio, is_private, custom, age_band,
                       suspended, suspended_until_ms, suspension_reason, language)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:handles AS text[]), CAST(:names AS text[]),
                         CAST(:avatars AS text[]), CAST(:bios AS text[]), CAST(:privates AS boolean[]),
                         CAST(:customs AS text[]), CAST(:bands AS text[]), CAST(:suspended AS smallint[]),
                         CAST(:untils AS bigint[]), CAST(:reasons AS text[]), CAST(:languages AS text[]))
""")


async def claim_handles(transaction: Transaction, wanted: Sequence[tuple[str, int]]) -> set[str]:
    """Claims handles that nobody has had before, given as (handle, user). Returns those that were claimed. `wanted` has
    each handle at most once.
    """
    rows = await transaction.execute(_CLAIM, **columns(sorted(wanted), "handles", "users")) if wanted else ()
    return {handle for (handle,) in rows}


async def hold_handles(transaction: Transaction, former: Sequence[tuple[str, int, datetime]]) -> None:
    """Stores handles that users have given up, as (handle, user, time). Handles that somebody has, or had, stay as they
    are.
    """
    if former:
        await transaction.execute(_HOLD, **columns(sorted(former), "handles", "users", "freed"))


async def insert(transaction: Transaction, users: Iterable[UserRow]) -> None:
    """Inserts new profiles, with their suspensions and the terms by which searches find them."""
    users = list(users)
    rows = [
        (
            *(user.user_id, user.handle, user.display_name, user.avatar_url, user.bio, user.is_private, user.custom),
            *(user.age_band, user.suspended, user.suspended_until_ms, user.suspension_reason, user.language),
        )
        for user in users
    ]
    profile = "users", "handles", "names", "avatars", "bios", "privates", "customs", "bands"
    await transaction.execute(_INSERT, **columns(rows, *profile, "suspended", "untils", "reasons", "languages"))
    await user_terms.write(transaction, users)
