"""The rows of bookmarks."""

from collections.abc import Sequence

from sqlalchemy import text

from models.counters import EntityRef
from models.own_sets import Member
from store.cache.lists import Item
from store.content.items import page
from store.postgres.client import Postgres, Reader, Rows, Transaction
from store.postgres.columns import columns

_OF_USER = text("""
    (SELECT moment, entity_id FROM bookmarks
     WHERE user_id = :user AND business_id = :business AND entity_id = ANY(CAST(:entities AS bigint[])) AND stands)
    UNION
    (SELECT moment, entity_id FROM bookmarks WHERE user_id = :user AND business_id = :business AND stands
     ORDER BY moment DESC, entity_id DESC LIMIT :newest)
""")
_PAGE = text("""
    SELECT moment, entity_id FROM bookmarks
    WHERE user_id = :user AND business_id = :business AND stands AND (moment, entity_id) < (:moment, :member)
    ORDER BY moment DESC, entity_id DESC LIMIT :count
""")
_UPSERT = text("""
    INSERT INTO bookmarks AS b (user_id, business_id, entity_id, stands, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                         CAST(:stands AS boolean[]), CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, business_id, entity_id) DO UPDATE SET
        was = b.stands, stands = excluded.stands, version = excluded.version
    WHERE b.version < excluded.version
    RETURNING user_id, business_id, entity_id, was
""")


async def own_rows(
    source: Reader, user_id: int, business_id: int, refs: Sequence[EntityRef], newest: int
) -> list[Member]:
    """Reads a user's bookmarks of these objects of a business, and as many of the newest ones."""
    entities = [ref.entity_id for ref in refs]
    rows = await source.read(_OF_USER, user=user_id, business=business_id, entities=entities, newest=newest)
    return [Member(moment, EntityRef(business_id, entity), 1) for moment, entity in rows]


async def marked_page(postgres: Postgres, user_id: int, business_id: int, before: Item, count: int) -> list[Item]:
    """Reads up to `count` bookmarks of a user in a business that are older than `before`, newest first."""
    return await page(postgres, _PAGE, before, count, user=user_id, business=business_id)


async def write(transaction: Transaction, rows: Sequence[tuple[int, int, int, bool, int]]) -> Rows:
    """Writes bookmarks: user, business, entity, whether the bookmark stands, version. Returns the rows that changed:
    user, business, entity, whether the bookmark stood before.
    """
    return await transaction.execute(_UPSERT, **columns(rows, "users", "businesses", "entities", "stands", "versions"))
