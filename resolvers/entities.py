"""Entities, the objects of other systems that are registered here: lookup by key."""

from collections.abc import Sequence

from context import Context
from domain import texts
from domain.errors import BadInput
from domain.ids import KEY
from models.entities import EntityRow
from resolvers.nodes import answered

MOST = 100


async def by_keys(context: Context, business_name: str, keys: Sequence[str]) -> list[EntityRow | None]:
    """Resolves Query.entity and Query.entities: the entity of each key (the id in the business's own system), or None.
    The result has an exception in place of an entity that cannot be read. If no entity can be read, raises the first
    exception.

    Raises BadInput for more than 100 keys, an unknown business or a malformed key.
    """
    if len(keys) > MOST:
        raise BadInput(f"Pass at most {MOST} keys.")
    business = context.state.external.get(business_name)
    if business is None:
        raise BadInput(texts.no_business(business_name))
    if not all(KEY.fullmatch(key) for key in keys):
        raise BadInput("A key is 1 to 64 of the characters A-Z a-z 0-9 . _ ~ -")
    rows = answered(await context.content.entities.ask([(business.id, key) for key in keys], each=True))
    if len(keys) == 1:
        context.own.require_exact(row.ref for row in rows if row)
    return rows
