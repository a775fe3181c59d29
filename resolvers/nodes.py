"""Anything by its id."""

import asyncio
from collections.abc import Sequence

from context import Context
from errors import BadInput
from ids import EntityId, GlobalId, UserId, ViewerId, parse_id
from models.entities import EntityRow
from models.users import UserRow, ViewerRow
from store.entities import EntityKey

NodeRow = EntityRow | UserRow | ViewerRow
MOST = 100


async def by_ids(context: Context, ids: Sequence[str]) -> list[NodeRow | None]:
    """Query.node and Query.nodes. Raises BadInput for too many, or for text that is no id."""
    if len(ids) > MOST:
        raise BadInput(f"At most {MOST} at a time.")
    parsed = [parse_id(id_) for id_ in ids]
    users = [one.id for one in parsed if isinstance(one, UserId)]
    keys = {one: key for one in parsed if isinstance(one, EntityId) and (key := _key(context, one))}
    loaded_users, loaded_entities = await asyncio.gather(
        context.loaders.users.load_many(users), context.loaders.entities.load_many(list(keys.values()))
    )
    found: dict[GlobalId, NodeRow | None] = {
        **dict(zip(map(UserId, users), loaded_users, strict=True)),
        **dict(zip(keys, loaded_entities, strict=True)),
    }
    return [_viewer(context, one) if isinstance(one, ViewerId) else found.get(one) for one in parsed]


def _key(context: Context, id_: EntityId) -> EntityKey | None:
    business = context.state.businesses.get(id_.business)
    return (business.id, id_.key) if business else None


def _viewer(context: Context, id_: ViewerId) -> ViewerRow | None:
    """Nobody is another's viewer."""
    return ViewerRow(id_.id) if context.viewer and context.viewer.user_id == id_.id else None
