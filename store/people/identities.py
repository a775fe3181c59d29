"""Claims the identities (the issuer and subject of a token) of many users, in the transaction that creates or updates
these users.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import text

from models.users import UserRow
from store.people.users import COLUMNS, Identity
from store.postgres.client import Transaction
from store.postgres.columns import columns

# Identities are claimed in order, so that two concurrent upserts cannot deadlock.
_CLAIM = text("""
    INSERT INTO identities (issuer, subject, user_id)
    SELECT issuer, subject, user_id
    FROM unnest(CAST(:issuers AS text[]), CAST(:subjects AS text[]), CAST(:users AS bigint[]))
         AS new(issuer, subject, user_id)
    ON CONFLICT (issuer, subject) DO NOTHING
""")
_USERS = text("""
    SELECT i.issuer, i.subject, i.user_id
    FROM unnest(CAST(:issuers AS text[]), CAST(:subjects AS text[])) AS wanted(issuer, subject)
    JOIN identities i USING (issuer, subject)
""")
_RELEASE = text("DELETE FROM identities WHERE issuer = :issuer AND subject = :subject AND user_id = :user")
_READ = text(f"SELECT {COLUMNS} FROM users WHERE user_id = ANY(CAST(:ids AS bigint[]))")  # noqa: S608 - constants


async def claim(transaction: Transaction, new_ids: Mapping[Identity, int]) -> dict[Identity, int]:
    """Claims each identity in `new_ids` for the user id that is given with it, unless a user has the identity already.
    Returns, by identity, the id of the user who has it now.
    """
    wanted = sorted(new_ids)
    rows = [(*identity, new_ids[identity]) for identity in wanted]
    await transaction.execute(_CLAIM, **columns(rows, "issuers", "subjects", "users"))
    found = await transaction.execute(_USERS, **columns(wanted, "issuers", "subjects"))
    return {(issuer, subject): user_id for issuer, subject, user_id in found}


async def release(transaction: Transaction, identity: Identity, user_id: int) -> None:
    """Takes back a claim that this transaction has made, because the user is not created after all."""
    issuer, subject = identity
    await transaction.execute(_RELEASE, issuer=issuer, subject=subject, user=user_id)


async def read_users(transaction: Transaction, ids: Sequence[int]) -> dict[int, UserRow]:
    """Reads profiles by user id, in a transaction. Ids without a user are left out."""
    rows = await transaction.execute(_READ, ids=list(ids))
    return {row.user_id: UserRow(*row) for row in rows}
