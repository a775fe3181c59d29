"""Reads the rows of a user's own reactions for own sets (store/own_sets/kinds/)."""

from collections.abc import Sequence

from sqlalchemy import text

from models.counters import EntityRef
from models.likes import STATE
from models.own_sets import Member
from store.cache.lists import Item
from store.content.items import page
from store.postgres.client import Postgres, Reader

_OF_USER = text(f"""
    (SELECT entity_id, {STATE}, moment FROM reactions
     WHERE user_id = :user AND business_id = :business AND entity_id = ANY(CAST(:entities AS bigint[])) AND state <> 0)
    UNION
    (SELECT entity_id, {STATE}, moment FROM reactions
     WHERE user_id = :user AND business_id = :business AND state <> 0
     ORDER BY moment DESC, entity_id DESC LIMIT :newest)
""")  # noqa: S608 - constants
_LIKES_PAGE = text("""
    SELECT moment, entity_id FROM reactions
    WHERE user_id = :user AND business_id = :business AND state <> 0 AND state = 1
      AND (moment, entity_id) < (:moment, :member)
    ORDER BY moment DESC, entity_id DESC LIMIT :count
""")


async def own_rows(
    source: Reader, user_id: int, business_id: int, refs: Sequence[EntityRef], newest: int
) -> list[Member]:
    """Reads from Postgres a user's reactions to these entities of a business, and the user's newest reactions in the
    business, as many as `newest` says.
    """
    entities = [ref.entity_id for ref in refs]
    rows = await source.read(_OF_USER, user=user_id, business=business_id, entities=entities, newest=newest)
    return [Member(moment, EntityRef(business_id, entity), state) for entity, state, moment in rows]


async def likes_page(postgres: Postgres, user_id: int, business_id: int, before: Item | None, count: int) -> list[Item]:
    """Reads from Postgres up to `count` of a user's likes in a business, newest first: those older than `before` (None:
    the newest). Items are (moment, entity id).
    """
    return await page(postgres, _LIKES_PAGE, before, count, user=user_id, business=business_id)
