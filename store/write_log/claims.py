"""Claims: what somebody published under an idempotency key, for ever (T2)."""

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from sqlalchemy import text

from models.counters import EntityRef
from store.postgres.client import Postgres, Transaction

_CLAIM = text("""
    INSERT INTO claims (author_id, business_id, key, fingerprint, entity_id)
    SELECT * FROM unnest(CAST(:authors AS bigint[]), CAST(:businesses AS smallint[]), CAST(:keys AS text[]),
                         CAST(:fingerprints AS text[]), CAST(:entities AS bigint[]))
    ON CONFLICT (author_id, business_id, key) DO NOTHING
""")
_UNDER = text("""
    SELECT author_id, business_id, key, fingerprint, entity_id
    FROM unnest(CAST(:authors AS bigint[]), CAST(:businesses AS smallint[]), CAST(:keys AS text[]))
         AS wanted(author_id, business_id, key)
    JOIN claims USING (author_id, business_id, key)
""")


class Name(NamedTuple):
    """An idempotency key: whose, for things of which business, and a digest of it."""

    author_id: int
    business_id: int
    key: str


class Claim(NamedTuple):
    """That a key is that of something published, with a fingerprint of the input, which tells another one apart."""

    name: Name
    fingerprint: str
    entity_id: int

    @property
    def ref(self) -> EntityRef:
        """What was published."""
        return EntityRef(self.name.business_id, self.entity_id)


async def claim(transaction: Transaction, claims: Sequence[Claim]) -> set[EntityRef]:
    """What has its key, from now on or already; what else was published under a key was one too many.

    Of several under one key the first has it: claims are in the order in which they were acknowledged.
    """
    if not claims:
        return set()
    ordered = sorted(claims, key=attrgetter("name"))
    names = _columns([one.name for one in ordered])
    entities, fingerprints = [one.entity_id for one in ordered], [one.fingerprint for one in ordered]
    wanted = {one.ref for one in claims}
    if await transaction.changed(_CLAIM, **names, entities=entities, fingerprints=fingerprints) == len(claims):
        return wanted
    return {_claim(*row).ref for row in await transaction.execute(_UNDER, **names)} & wanted


async def under(postgres: Postgres, names: Sequence[Name]) -> dict[Name, Claim]:
    """Returns the claims with these names, of any age. Names that have no claim in Postgres are left out."""
    found = [_claim(*row) for row in await postgres.read(_UNDER, **_columns(names))]
    return {one.name: one for one in found}


def _columns(names: Sequence[Name]) -> dict[str, list[int] | list[str]]:
    authors, businesses = [name.author_id for name in names], [name.business_id for name in names]
    return {"authors": authors, "businesses": businesses, "keys": [name.key for name in names]}


def _claim(author_id: int, business_id: int, key: str, fingerprint: str, entity_id: int) -> Claim:
    return Claim(Name(author_id, business_id, key), fingerprint, entity_id)
