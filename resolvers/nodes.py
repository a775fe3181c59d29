"""Anything by its id."""

import asyncio
from collections.abc import Sequence

from context import Context
from errors import BadInput
from ids import EntityId, GlobalId, UserId, ViewerId, parse_id
from models.entities import EntityRow
from models.users import UserRow, ViewerRow

NodeRow = EntityRow | UserRow | ViewerRow
MOST = 100


async def by_ids(context: Context, ids: Sequence[str]) -> list[NodeRow | None]:
    """Query.node and Query.nodes. Raises BadInput for too many, or for text that is no id."""
    if len(ids) > MOST:
        raise BadInput(f"At most {MOST} at a time.")
    parsed = [parse_id(id_) for id_ in ids]
    return list(await asyncio.gather(*[_load(context, one) for one in parsed]))


async def _load(context: Context, id_: GlobalId) -> NodeRow | None:
    match id_:
        case UserId(number):
            return await context.loaders.users.load(number)
        case ViewerId(number):
            return ViewerRow(number) if context.viewer and context.viewer.user_id == number else None
        case EntityId(name, key):
            business = context.state.businesses.get(name)
            return await context.loaders.entities.load((business.id, key)) if business else None
