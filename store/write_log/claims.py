"""Claims: which post or comment was published under which idempotency key (T2). Old claims are removed by their age."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import text

from models.counters import EntityRef
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns

_NAMES = ("authors", "businesses", "keys")
# Returns the rows, because Citus counts those that it leaves out as inserted.
_CLAIM = text("""
    INSERT INTO claims (author_id, business_id, key, fingerprint, entity_id)
    SELECT * FROM unnest(CAST(:authors AS bigint[]), CAST(:businesses AS smallint[]), CAST(:keys AS text[]),
                         CAST(:fingerprints AS text[]), CAST(:entities AS bigint[]))
    ON CONFLICT (author_id, business_id, key) DO NOTHING
    RETURNING entity_id
""")
_FIND = text("""
    SELECT author_id, business_id, key, fingerprint, entity_id
    FROM unnest(CAST(:authors AS bigint[]), CAST(:businesses AS smallint[]), CAST(:keys AS text[]))
         AS wanted(author_id, business_id, key)
    JOIN claims USING (author_id, business_id, key)
""")


class Name(NamedTuple):
    """The name of a claim: the author, the business (posts or comments), and a digest of the idempotency key."""

    author_id: int
    business_id: int
    key: str


class Claim(NamedTuple):
    """A post or comment that was published under an idempotency key. The fingerprint of the input shows whether a later
    request under the same key has the same input.
    """

    name: Name
    fingerprint: str
    entity_id: int

    @property
    def ref(self) -> EntityRef:
        """Returns the address of the post or comment that was published."""
        return EntityRef(self.name.business_id, self.entity_id)


async def claim(transaction: Transaction, claims: Sequence[Claim]) -> set[EntityRef]:
    """Claims idempotency keys for posts and comments. Returns the posts and comments that own their key, now or since
    an earlier claim. A post or comment that is not returned repeats one that was published before under the same key.

    Give the claims in the order in which they were acknowledged: if several have the same key, the first one gets it.
    """
    if not claims:
        return set()
    ordered, wanted = sorted(claims, key=attrgetter("name")), {one.ref for one in claims}
    rows = [(*one.name, one.fingerprint, one.entity_id) for one in ordered]
    if len(await transaction.execute(_CLAIM, **columns(rows, *_NAMES, "fingerprints", "entities"))) == len(claims):
        return wanted
    found = await transaction.execute(_FIND, **columns([one.name for one in ordered], *_NAMES))
    return {_claim(row).ref for row in found} & wanted


async def find(postgres: Postgres, names: Sequence[Name]) -> dict[Name, Claim]:
    """Returns the claims with these names, by name. Leaves out names that have no claim in Postgres."""
    found = map(_claim, await postgres.read(_FIND, **columns(names, *_NAMES)))
    return {one.name: one for one in found}


def _claim(row: Sequence[Any]) -> Claim:
    return Claim(Name(*row[:3]), *row[3:])
