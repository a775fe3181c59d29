"""Entities by key, and their registration."""

from collections.abc import Sequence

from commands import entities as commands
from commands.entities import EntityWish
from context import Context
from domain.errors import BadInput
from domain.ids import KEY
from models.entities import EntityRow
from resolvers.nodes import answered
from resolvers.payloads import Payload, payload

MOST = 100


async def by_keys(context: Context, business_name: str, keys: Sequence[str]) -> list[EntityRow | None]:
    """Query.entity and Query.entities: as of `nodes.by_ids`.

    Raises BadInput for a business nobody configured or a key that is none.
    """
    if len(keys) > MOST:
        raise BadInput(f"At most {MOST} at a time.")
    business = context.state.external.get(business_name)
    if business is None:
        raise BadInput("There is no such business.")
    if not all(KEY.fullmatch(key) for key in keys):
        raise BadInput("A key is 1 to 64 letters, digits and . _ ~ -")
    rows = answered(await context.loaders.entities.ask([(business.id, key) for key in keys], each=True))
    if len(keys) == 1:
        context.loaders.require_exact(row.ref for row in rows if row)
    return rows


async def register(context: Context, wishes: Sequence[EntityWish]) -> Payload[list[EntityRow]]:
    """registerEntities."""
    return await payload(commands.register(context, wishes))
