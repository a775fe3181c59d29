"""The rows of users' collections, the lists into which users save objects (store/own_sets/kinds/)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Row, text

from domain.versions import moment_of
from models.collections import CollectionRow
from models.counters import EntityRef
from models.own_sets import Member
from store.groups import grouped
from store.postgres.client import Postgres, Reader, Transaction
from store.postgres.columns import columns
from store.postgres.distributed import one_shard, some_shards

_OF_USERS = text("""
    SELECT user_id, collection_id, name, is_public, version FROM collections
    WHERE user_id = ANY(CAST(:users AS bigint[])) AND NOT deleted
""")
_AMONG = text("""
    SELECT user_id, collection_id, name, is_public, version FROM collections
    WHERE user_id = :user AND collection_id = ANY(CAST(:collections AS bigint[])) AND NOT deleted
""")
_COUNT = text("SELECT count(*) FROM collections WHERE user_id = :user AND NOT deleted")
_WRITE = text("""
    INSERT INTO collections AS c (user_id, collection_id, name, is_public, deleted, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:collections AS bigint[]), CAST(:names AS text[]),
                         CAST(:publics AS boolean[]), CAST(:deletions AS boolean[]), CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, collection_id) DO UPDATE SET
        name = excluded.name, is_public = excluded.is_public AND NOT c.held, deleted = excluded.deleted,
        version = excluded.version
    WHERE c.version < excluded.version
    RETURNING user_id, collection_id, is_public AND NOT deleted AS is_shown, version
""")
_WANTED = """
    FROM collections
    WHERE user_id = ANY(CAST(:users AS bigint[])) AND collection_id = ANY(CAST(:collections AS bigint[]))
      AND {in_shard}
"""
"""SQL that selects collections. No two users have a collection with the same number."""
_LOCK = one_shard(
    f"""
    SELECT user_id, collection_id, is_public, held, judged, deleted {_WANTED}
    ORDER BY user_id, collection_id FOR UPDATE
    """,
    table="collections",
    column="user_id",
    parameter="users",
)
_JUDGE = text("""
    UPDATE collections c SET held = w.held, judged = w.judged, is_public = c.is_public AND NOT w.held
    FROM unnest(CAST(:users AS bigint[]), CAST(:collections AS bigint[]), CAST(:holds AS boolean[]),
                CAST(:versions AS bigint[])) AS w(user_id, collection_id, held, judged)
    WHERE (c.user_id, c.collection_id) = (w.user_id, w.collection_id)
""")
_JUDGED = some_shards(
    f"SELECT user_id, collection_id, held, deleted {_WANTED} AND (held OR deleted)",
    column="user_id",
    parameter="users",
)

_LEAVING = text("""
    SELECT user_id, collection_id FROM (
        SELECT DISTINCT ON (user_id) user_id, collection_id FROM collections WHERE deleted AND NOT emptied
        ORDER BY user_id, collection_id LIMIT 1000
    ) AS first_of_each_user
    ORDER BY random() LIMIT :count
""")
_EMPTIED = text("""
    UPDATE collections SET emptied = true
    WHERE user_id = :user AND collection_id = :collection AND deleted
      AND NOT EXISTS (SELECT FROM saves WHERE user_id = :user AND collection_id = :collection AND collection_id > 1)
""")

Place = tuple[int, int]
"""The key of a collection: the user, and the number of the collection."""


class Judged(NamedTuple):
    """What moderators have decided about a collection, and its state. `version` is that of the last decision."""

    is_public: bool
    held: bool
    version: int
    deleted: bool


StoredCollection = tuple[int, int, str, bool, bool, int]
"""A row: user, collection, name, whether others may see it, whether it is deleted, version."""


async def of_users(source: Reader, users: Sequence[int]) -> dict[int, list[Member]]:
    """Reads all collections of each user from rows, except deleted ones. The list of a user without any is empty."""
    rows_of = grouped((row.user_id, _member(row)) for row in await source.read(_OF_USERS, users=list(users)))
    return {user: rows_of.get(user, []) for user in users}


async def own_rows(source: Reader, user_id: int, _: int, refs: Sequence[EntityRef], newest: int) -> list[Member]:
    """Reads from Postgres those of the collections `refs` that a user has; all collections of the user if `newest` is
    not 0.
    """
    if newest:
        return (await of_users(source, [user_id]))[user_id]
    return [
        _member(row) for row in await source.read(_AMONG, user=user_id, collections=[ref.entity_id for ref in refs])
    ]


async def count(source: Reader, user_id: int, _: int) -> int:
    """Returns how many collections a user has, without deleted ones. The last argument is ignored."""
    return int((await source.read(_COUNT, user=user_id))[0][0])


def _member(row: Row[Any]) -> Member:
    collection = CollectionRow(row.user_id, row.collection_id, row.name, row.is_public)
    return Member(moment_of(row.version), collection.ref, 1, collection.text)


async def leaving(postgres: Postgres, count: int) -> list[tuple[int, int]]:
    """Returns up to `count` deleted collections from which saves may still have to be removed, as (user, collection):
    at most one of each user. The users are chosen at random among the first thousand, so that each has its turn, and a
    long backlog is not read whole.
    """
    return [(user, collection) for user, collection in await postgres.read(_LEAVING, count=count)]


async def mark_emptied(transaction: Transaction, user_id: int, collection_id: int) -> None:
    """Records that nothing is saved in a deleted collection any more. Does nothing if something is."""
    await transaction.execute(_EMPTIED, user=user_id, collection=collection_id)


async def write(transaction: Transaction, rows: Sequence[StoredCollection]) -> list[tuple[int, int, int]]:
    """Writes collections, except those whose stored rows have the same or a higher version. `rows` have each collection
    at most once. Returns those of the written collections that others may see, each as its user, its number and its
    version.
    """
    names = "users", "collections", "names", "publics", "deletions", "versions"
    written = await transaction.execute(_WRITE, **columns(sorted(rows), *names))
    return [(user, collection, version) for user, collection, is_shown, version in written if is_shown]


async def lock(transaction: Transaction, places: Iterable[Place]) -> dict[Place, Judged]:
    """Locks the rows of these collections until the transaction ends. Returns what moderators have decided about each;
    leaves out collections without a row.
    """
    rows = await transaction.execute(_LOCK, **columns(sorted(places), "users", "collections"))
    return {(user, collection): Judged(*rest) for user, collection, *rest in rows}


async def judge(transaction: Transaction, decisions: Mapping[Place, Judged]) -> None:
    """Writes decisions of moderators about collections, whose rows must be locked. Held collections become private."""
    rows = [(*place, one.held, one.version) for place, one in sorted(decisions.items())]
    await transaction.execute(_JUDGE, **columns(rows, "users", "collections", "holds", "versions"))


async def held_among(source: Reader, places: Iterable[Place]) -> set[Place]:
    """Returns those of these collections that moderators have made private, without deleted ones."""
    return {place for place, held, deleted in await _among(source, places) if held and not deleted}


async def deleted_among(source: Reader, places: Iterable[Place]) -> set[Place]:
    """Returns those of these collections that are deleted."""
    return {place for place, _, deleted in await _among(source, places) if deleted}


async def _among(source: Reader, places: Iterable[Place]) -> list[tuple[Place, bool, bool]]:
    rows = await source.read(_JUDGED, **columns(sorted(places), "users", "collections"))
    return [((user, collection), held, deleted) for user, collection, held, deleted in rows]
