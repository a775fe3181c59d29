"""The ids that imported posts, comments and collections have in Plaudit, by their ids in the archive."""

from collections.abc import Collection, Mapping

from sqlalchemy import text

from store.postgres.client import Reader, Transaction
from store.postgres.columns import columns
from store.postgres.distributed import some_shards

_READ = some_shards(
    """
    SELECT external_id, entity_id FROM imports
    WHERE kind = :kind AND external_id = ANY(CAST(:external AS text[])) AND {in_shard}
    """,
    column="external_id",
    parameter="external",
    type_="text",
)
_CLAIM = text("""
    INSERT INTO imports (kind, external_id, entity_id)
    SELECT CAST(:kind AS text), external_id, entity_id
    FROM unnest(CAST(:external AS text[]), CAST(:internal AS bigint[])) AS w(external_id, entity_id)
    ON CONFLICT (kind, external_id) DO NOTHING
""")
_TAKEN = {
    table: text(f"SELECT {column} FROM {table} WHERE {column} = ANY(CAST(:ids AS bigint[]))")  # noqa: S608 - constants
    for table, column in (("users", "user_id"), ("posts", "post_id"), ("comment_contents", "comment_id"))
}
_TAKEN_ENTITIES = text("""
    SELECT entity_id FROM entities
    WHERE business_id = ANY(CAST(:businesses AS smallint[])) AND entity_id = ANY(CAST(:ids AS bigint[]))
""")
_HOLD = text("SELECT pg_advisory_xact_lock(:lock)")
_LOCK = 7_310_214_001
"""The number of the lock that imports take. It has no meaning of its own."""


async def read(source: Reader, kind: str, external_ids: Collection[str]) -> dict[str, int]:
    """Returns the ids of imported objects of a kind (`post`, `comment` or `collection`), by their ids in the archive.
    Leaves out those that were not imported.
    """
    rows = await source.read(_READ, kind=kind, external=sorted(external_ids)) if external_ids else ()
    return dict(rows)


async def claim(transaction: Transaction, kind: str, ids: Mapping[str, int]) -> None:
    """Stores the ids of imported objects of a kind, given by their ids in the archive. Ids that are stored already stay
    as they are.
    """
    if ids:
        await transaction.execute(_CLAIM, kind=kind, **columns(sorted(ids.items()), "external", "internal"))


async def taken(source: Reader, table: str, ids: Collection[int]) -> set[int]:
    """Returns those of these ids that a row of the table `users`, `posts` or `comment_contents` has."""
    return {id_ for (id_,) in await source.read(_TAKEN[table], ids=sorted(ids))} if ids else set()


async def taken_entities(source: Reader, businesses: Collection[int], ids: Collection[int]) -> set[int]:
    """Returns those of these ids that an entity of one of these businesses has."""
    rows = await source.read(_TAKEN_ENTITIES, businesses=sorted(businesses), ids=sorted(ids))
    return {id_ for (id_,) in rows}


async def hold(transaction: Transaction) -> None:
    """Waits until no other import chooses ids, and keeps others waiting until the transaction ends. So no two imports
    choose the same id.
    """
    await transaction.execute(_HOLD, lock=_LOCK)
