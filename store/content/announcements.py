"""The rows of announcements: which posts announce which entities, and which of them a worker must publish, change or
delete. Each statement that changes entities marks their announcements, too (`followed`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import text

from domain.ids import born_ms
from models.announcements import MOST_PER_HOUR, author_of
from models.counters import EntityRef
from models.entities import EntityRow
from models.posts import PostRow
from store.postgres.client import Postgres, Reader, Transaction
from store.postgres.columns import columns
from store.postgres.distributed import one_shard, some_shards

HOUR_MS = 3_600_000
_RECENT = text("""
    SELECT author_id, count(*) FROM announcements
    WHERE author_id = ANY(CAST(:authors AS bigint[])) AND announced_ms > :since GROUP BY author_id
""")
_INSERT = text("""
    INSERT INTO announcements (business_id, entity_id, post_id, author_id, announced_ms, wanted, shown)
    SELECT business_id, entity_id, post_id, author_id, announced_ms, wanted, shown
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:posts AS bigint[]),
                CAST(:authors AS bigint[]), CAST(:times AS bigint[]), CAST(:wanted AS bigint[]),
                CAST(:shown AS bigint[]))
         AS n(business_id, entity_id, post_id, author_id, announced_ms, wanted, shown)
    ON CONFLICT (business_id, entity_id, post_id) DO NOTHING
""")
_LIVE = some_shards(
    """
    SELECT a.business_id, a.entity_id, a.post_id
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS w(business_id, entity_id)
    JOIN announcements a USING (business_id, entity_id) WHERE {in_shard} AND NOT a.withdrawn
    """,
    column="a.entity_id",
    parameter="entities",
)
_DUE = text("""
    SELECT business_id, entity_id, post_id, author_id, withdrawn, wanted, wanted > shown FROM announcements
    WHERE (withdrawn OR wanted > shown) AND (wanted > shown OR announced_ms < :old)
    ORDER BY announced_ms, post_id LIMIT :most
""")
# Skips rows that a registration has locked: they are due again anyway. So the two cannot wait for each other.
_DONE = one_shard(
    """
    WITH same AS MATERIALIZED (
        SELECT a.business_id, a.entity_id, a.post_id, w.wanted, w.ended
        FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:posts AS bigint[]),
                    CAST(:wanted AS bigint[]), CAST(:ended AS boolean[]))
             AS w(business_id, entity_id, post_id, wanted, ended)
        JOIN announcements a USING (business_id, entity_id, post_id)
        WHERE {in_shard} FOR UPDATE OF a SKIP LOCKED
    ), gone AS (
        DELETE FROM announcements a USING same s
        WHERE a.business_id = s.business_id AND a.entity_id = s.entity_id AND a.post_id = s.post_id AND s.ended
          AND {in_shard}
    )
    UPDATE announcements a SET shown = greatest(a.shown, s.wanted) FROM same s
    WHERE a.business_id = s.business_id AND a.entity_id = s.entity_id AND a.post_id = s.post_id AND NOT s.ended
      AND {in_shard}
    """,
    table="announcements",
    column="a.entity_id",
    parameter="entities",
)


def followed(change: str) -> str:
    """Returns SQL that runs `change`, a statement that changes entities and returns rows with their keys, `owner_id`,
    `removed` and `version`, and that marks their announcements: those of removed entities and of former owners as
    withdrawn, the others as out of date. Also requests that workers index the entities for search. Returns the rows of
    `change`.
    """
    return f"""
        WITH changed AS ({change}), marked AS (
            UPDATE announcements a
            SET wanted = c.version, withdrawn = c.removed OR c.owner_id IS DISTINCT FROM a.author_id
            FROM changed c WHERE a.business_id = c.business_id AND a.entity_id = c.entity_id AND NOT a.withdrawn
        ), asked AS (
            INSERT INTO search_due (business_id, entity_id, version)
            SELECT business_id, entity_id, version FROM changed
            ON CONFLICT (business_id, entity_id, version) DO NOTHING
        )
        SELECT * FROM changed
    """  # noqa: S608 - statements of this package


class Due(NamedTuple):
    """An announcement for which a worker has something to do."""

    business_id: int
    entity_id: int
    post_id: int
    author_id: int
    withdrawn: bool
    """Whether the post must be deleted."""
    wanted: int
    """The version of the entity that the post must show."""
    changes: bool
    """Whether the post must be published, changed or deleted. If not, it was deleted long enough ago, and the row must
    be removed.
    """

    @property
    def entity(self) -> EntityRef:
        """Returns the reference of the announced entity."""
        return EntityRef(self.business_id, self.entity_id)


async def add(
    transaction: Transaction,
    changed: Sequence[EntityRow],
    before: Mapping[EntityRef, EntityRow],
    posts: Mapping[EntityRef, int],
) -> None:
    """Adds announcements of those entities that have just become ready for one: they are new, were restored, or have
    got an owner, another owner or a title. `changed` are entities after a change, `before` before it, and `posts` has
    the id of the post that may announce each of them; entities without one are not announced.

    An entity that has an announcement gets no second one. If MOST_PER_HOUR entities of an owner were announced in the
    last hour, the others get none.
    """
    ready = [
        row for row in changed if row.ref in posts and author_of(row) not in (None, author_of(before.get(row.ref)))
    ]
    live = await of_entities(transaction, [row.ref for row in ready]) if ready else ()
    new = sorted(({row.ref: row for row in ready if row.ref not in live}).items())
    if not new:
        return
    since = min(born_ms(posts[ref]) for ref, _ in new) - HOUR_MS
    authors = sorted({row.owner_id for _, row in new if row.owner_id})
    recent = Counter(dict(await transaction.execute(_RECENT, authors=authors, since=since)))
    values = []
    for ref, row in new:
        recent[row.owner_id] += 1
        if recent[row.owner_id] <= MOST_PER_HOUR:
            values.append((*ref, posts[ref], row.owner_id, born_ms(posts[ref]), row.version, 0))
    await _insert(transaction, values)


async def adopt(transaction: Transaction, rows: Iterable[PostRow]) -> None:
    """Adds the announcements that these imported posts are. Posts that announce nothing, and deleted ones, are left
    out. Workers change these posts when their entities change next.
    """
    announcing = [(*row.announced, row.post_id, row.author_id) for row in rows if row.announced and not row.deleted]
    await _insert(transaction, [(*one, born_ms(one[2]), 0, 0) for one in sorted(announcing)])


async def _insert(transaction: Transaction, values: Sequence[tuple[int | None, ...]]) -> None:
    if values:
        names = "businesses", "entities", "posts", "authors", "times", "wanted", "shown"
        await transaction.execute(_INSERT, **columns(values, *names))


async def of_entities(source: Reader, entities: Sequence[EntityRef]) -> dict[EntityRef, int]:
    """Returns the ids of the posts that announce these entities, by entity. Entities without one are left out."""
    rows = await source.read(_LIVE, **columns(sorted(entities), "businesses", "entities")) if entities else ()
    return {EntityRef(business_id, entity_id): post_id for business_id, entity_id, post_id in rows}


async def due(postgres: Postgres, now_ms: int, most: int) -> list[Due]:
    """Returns up to `most` announcements for which there is something to do, the oldest first. The rows of deleted ones
    count for the limit of MOST_PER_HOUR, so they are due for removal an hour after the announcement.
    """
    return [Due(*row) for row in await postgres.read(_DUE, old=now_ms - HOUR_MS, most=most)]


async def done(transaction: Transaction, some: Iterable[Due]) -> None:
    """Stores that what these announcements were due for is done. What has become due since then stays due."""
    values = sorted((*one.entity, one.post_id, one.wanted, not one.changes) for one in some)
    await transaction.execute(_DONE, **columns(values, "businesses", "entities", "posts", "wanted", "ended"))
