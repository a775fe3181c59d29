"""The likers of an entity: the cached list, and the rows."""

from sqlalchemy import text

from models.counters import EntityRef
from store import keys
from store.cache.lists import Item
from store.content.items import page
from store.postgres.client import Postgres

_LIKERS_PAGE = text("""
    SELECT moment, user_id FROM reactions
    WHERE business_id = :business AND entity_id = :entity AND state = 1 AND (moment, user_id) < (:moment, :member)
    ORDER BY moment DESC, user_id DESC LIMIT :count
""")


async def likers_from_truth(postgres: Postgres, ref: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads from Postgres up to `count` users who like an entity, newest like first: those with likes older than
    `before` (None: the newest). Items are (moment, user id).
    """
    return await page(postgres, _LIKERS_PAGE, before, count, business=ref.business_id, entity=ref.entity_id)


likers_key = keys.likers
"""Returns the key of the cached list of an entity's likers."""
