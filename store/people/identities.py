"""Identities: which user has a token's issuer and subject, how a user gets an identity, and how user ids are cached."""

from collections.abc import Mapping, Sequence

import orjson
from sqlalchemy import text

from store import keys
from store.cache.values import Cached, Codec
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.postgres.distributed import some_shards

Identity = tuple[str, str]
"""The issuer and the subject of a token, which together identify who signs in."""

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
_READ_USERS = some_shards(
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
_CLAIM_ONE = text("""
    INSERT INTO identities (issuer, subject, user_id) VALUES (:issuer, :subject, :user)
    ON CONFLICT (issuer, subject) DO NOTHING
""")


async def users_of(postgres: Postgres, identities: Sequence[Identity]) -> dict[Identity, int]:
    """Returns the ids of the users who have these identities (issuer and subject). Unknown identities are left out."""
    rows = await postgres.read(_READ_USERS, **columns(identities, "issuers", "subjects"))
    return {(issuer, subject): user for issuer, subject, user in rows}


async def subject_of(postgres: Postgres, issuer: str, user_id: int) -> str | None:
    """Returns the subject that identifies a user in the tokens of an issuer; None if the user has no identity there."""
    rows = await postgres.read(_SUBJECT, user=user_id, issuer=issuer)
    return rows[0].subject if rows else None


async def claim_one(transaction: Transaction, identity: Identity, user_id: int) -> bool:
    """Stores that an identity (issuer and subject of a token) belongs to a user. Returns False if it belongs to a user
    already.
    """
    issuer, subject = identity
    return await transaction.changed(_CLAIM_ONE, issuer=issuer, subject=subject, user=user_id) == 1


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


def encode_id(user_id: int | None) -> Cached:
    """Encodes a user id for the cache. None, which means that no user has the handle or identity, is cached too."""
    return Cached(0, orjson.dumps(user_id))


def decode_id(cached: Cached) -> int | None:
    """Returns the user id that `encode_id` has encoded, or None."""
    user_id: int | None = orjson.loads(cached.body)
    return user_id


def cache_key(identity: Identity) -> str:
    """Returns the cache key of the id of the user who has an identity."""
    return keys.identity(*identity)


CODEC = Codec("identities", cache_key, encode_id, decode_id, absent=None)
"""How the ids of the users who have identities are cached."""
