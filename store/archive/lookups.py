"""Reads what an export needs in addition to the rows of a page: identities of users, keys of entities, subjects of
comments, pins, and the ids of imported objects.
"""

from collections.abc import Collection, Iterable

from sqlalchemy import text

from models.counters import EntityRef
from store.groups import grouped
from store.people.identities import Identity
from store.postgres.client import Postgres, Rows
from store.postgres.columns import columns
from store.postgres.distributed import some_shards

_IDENTITIES = text("""
    SELECT DISTINCT ON (user_id) user_id, issuer, subject FROM identities
    WHERE user_id = ANY(CAST(:ids AS bigint[])) ORDER BY user_id, issuer, subject
""")
_FORMER_HANDLES = text("""
    SELECT user_id, handle, freed_at FROM handles
    WHERE user_id = ANY(CAST(:ids AS bigint[])) AND freed_at IS NOT NULL ORDER BY user_id, freed_at, handle
""")
_KEYS = some_shards(
    """
    SELECT e.business_id, e.entity_id, e.key
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS wanted(business_id, entity_id)
    JOIN entities e USING (business_id, entity_id) WHERE {in_shard} AND (NOT e.erased OR CAST(:erased AS boolean))
    """,
    column="e.entity_id",
    parameter="entities",
)
_SUBJECTS = text("""
    SELECT comment_id, subject_business, subject_id FROM comment_contents
    WHERE comment_id = ANY(CAST(:ids AS bigint[]))
""")
_IMPORTED = text("""
    SELECT entity_id, external_id FROM imports
    WHERE kind = :kind AND entity_id = ANY(CAST(:ids AS bigint[])) ORDER BY external_id DESC
""")
_PINS = text("""
    SELECT post_id, version FROM pinned_posts
    WHERE user_id = ANY(CAST(:users AS bigint[])) AND post_id = ANY(CAST(:posts AS bigint[])) AND pinned
""")


async def identities(postgres: Postgres, users: Collection[int]) -> dict[int, Identity]:
    """Returns the identity (issuer and subject) of each of these users: of several, the first in alphabetical order.
    Users without an identity are left out.
    """
    rows = await postgres.read(_IDENTITIES, ids=sorted(users)) if users else ()
    return {row.user_id: (row.issuer, row.subject) for row in rows}


async def former_handles(postgres: Postgres, users: Collection[int]) -> dict[int, Rows]:
    """Returns the handles that these users gave up (columns `handle` and `freed_at`), by user, oldest first."""
    rows = await postgres.read(_FORMER_HANDLES, ids=sorted(users))
    return dict(grouped((row.user_id, row) for row in rows))


async def entity_keys(postgres: Postgres, refs: Collection[EntityRef], *, erased: bool) -> dict[EntityRef, str]:
    """Returns the keys of these entities. Leaves out those that are being erased or were erased, unless `erased` is
    true.
    """
    given = columns(sorted(refs), "businesses", "entities")
    rows = await postgres.read(_KEYS, **given, erased=erased) if refs else ()
    return {EntityRef(row.business_id, row.entity_id): row.key for row in rows}


async def subjects(postgres: Postgres, comments: Collection[int]) -> dict[int, EntityRef]:
    """Returns the subjects of these comments, by comment."""
    rows = await postgres.read(_SUBJECTS, ids=sorted(comments)) if comments else ()
    return {row.comment_id: EntityRef(row.subject_business, row.subject_id) for row in rows}


async def imported(postgres: Postgres, kind: str, ids: Collection[int]) -> dict[int, str]:
    """Returns the ids that imported objects of a kind (`post`, `comment` or `collection`) had in the archive, by id:
    of several, the first in alphabetical order. Objects that were not imported are left out.
    """
    rows = await postgres.read(_IMPORTED, kind=kind, ids=sorted(ids)) if ids else ()
    return {row.entity_id: row.external_id for row in rows}


async def pins(postgres: Postgres, posts: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Returns the version of the change that pinned each of these posts, by post. `posts` are pairs of author and post.
    Posts that are not pinned are left out.
    """
    rows = await postgres.read(_PINS, **columns(sorted(posts), "users", "posts"))
    return {row.post_id: row.version for row in rows}
