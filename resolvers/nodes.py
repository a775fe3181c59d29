"""Anything by its id."""

import asyncio
from collections.abc import Sequence

from context import Context
from errors import BadInput
from ids import EntityId, GlobalId, PostId, TopicId, UserId, ViewerId, parse_id
from models.counters import EntityRef
from models.entities import EntityRow
from models.posts import PostRow
from models.topics import TopicRow
from models.users import UserRow, ViewerRow
from settings import POSTS, Business
from store.entities import EntityKey

NodeRow = EntityRow | PostRow | TopicRow | UserRow | ViewerRow
MOST = 100


async def by_ids(context: Context, ids: Sequence[str]) -> list[NodeRow | None]:
    """Query.node and Query.nodes. Raises BadInput for too many, or for text that is no id."""
    if len(ids) > MOST:
        raise BadInput(f"At most {MOST} at a time.")
    parsed = [parse_id(id_) for id_ in ids]
    return await asyncio.gather(*[_load(context, one) for one in parsed])


async def targets(context: Context, business: Business, ids: Sequence[int]) -> Sequence[EntityRow | PostRow | None]:
    """What people react to in a business, by internal ids."""
    if business.id == POSTS:
        return await context.loaders.posts.load_many(ids)
    return await context.loaders.entities_by_id.load_many([EntityRef(business.id, id_) for id_ in ids])


async def _load(context: Context, id_: GlobalId) -> NodeRow | None:
    match id_:
        case UserId():
            return await context.loaders.users.load(id_.id)
        case PostId():
            return await context.loaders.posts.load(id_.id)
        case TopicId():
            return TopicRow(id_.name) if await context.loaders.topics.load(id_.name) else None
        case ViewerId():
            return _viewer(context, id_)
        case EntityId():
            key = _key(context, id_)
            return await context.loaders.entities.load(key) if key else None


def _key(context: Context, id_: EntityId) -> EntityKey | None:
    business = context.state.external.get(id_.business)
    return (business.id, id_.key) if business else None


def _viewer(context: Context, id_: ViewerId) -> ViewerRow | None:
    """Nobody is another's viewer."""
    return ViewerRow(id_.id) if context.viewer and context.viewer.user_id == id_.id else None
