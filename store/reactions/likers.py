"""The likers of an entity, and the users who gave it a kind of reaction: the cached lists, and the rows."""

from sqlalchemy import text

from models.counters import EntityRef
from models.likes import Reaction, bit_of
from store import keys
from store.cache.lists import Item
from store.content.items import page
from store.postgres.client import Postgres

_LIKERS_PAGE = text("""
    SELECT moment, user_id FROM reactions
    WHERE business_id = :business AND entity_id = :entity AND state = 1 AND (moment, user_id) < (:moment, :member)
    ORDER BY moment DESC, user_id DESC LIMIT :count
""")
_REACTORS_PAGE = text("""
    SELECT moment, user_id FROM reactions
    WHERE business_id = :business AND entity_id = :entity AND kinds IS NOT NULL
      AND kinds & CAST(:bit AS bigint) <> 0 AND (moment, user_id) < (:moment, :member)
    ORDER BY moment DESC, user_id DESC LIMIT :count
""")
# The users who count as likers only because of other kinds are left out.
_LIKE_PAGE = text("""
    SELECT moment, user_id FROM reactions
    WHERE business_id = :business AND entity_id = :entity AND state = 1 AND coalesce(kinds, 1) & 1 = 1
      AND (moment, user_id) < (:moment, :member)
    ORDER BY moment DESC, user_id DESC LIMIT :count
""")


async def likers_from_truth(postgres: Postgres, ref: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads from Postgres up to `count` users who like an entity, newest like first: those with likes older than
    `before` (None: the newest). Items are (moment, user id).
    """
    return await page(postgres, _LIKERS_PAGE, before, count, business=ref.business_id, entity=ref.entity_id)


async def reactors_from_truth(
    postgres: Postgres, ref: EntityRef, kind: int, before: Item | None, count: int
) -> list[Item]:
    """Reads from Postgres up to `count` users who have given an entity the kind of reaction with the id `kind`, newest
    change of their reactions first: those with changes older than `before` (None: the newest). Items are (moment, user
    id). `kind` must not be that of dislikes.
    """
    of = {"business": ref.business_id, "entity": ref.entity_id}
    if kind == Reaction.LIKE:
        return await page(postgres, _LIKE_PAGE, before, count, **of)
    return await page(postgres, _REACTORS_PAGE, before, count, **of, bit=bit_of(kind))


likers_key = keys.likers
"""Returns the key of the cached list of an entity's likers."""
reactors_key = keys.reactors
"""Returns the key of the cached list of the users who have given an entity a kind of reaction."""
