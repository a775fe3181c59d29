"""Resolving what a write is about."""

from collections.abc import Sequence

from context import Context
from errors import Forbidden, Refused, UserErrorCode
from ids import EntityId, UserId, parse_id
from models.entities import EntityRow
from models.users import UserRow


async def entity(context: Context, target_id: str, *field: str) -> EntityRow:
    """The entity an id names.

    Raises BadInput for what is no id, Forbidden for a token that is for other businesses, Refused for an id that names
    nothing of the kind.
    """
    return (await entities(context, [target_id], *field))[0]


async def user(context: Context, user_id: str, *field: str) -> UserRow:
    """The user an id names. Raises BadInput for what is no id, Refused for an id that names no user."""
    parsed = parse_id(user_id)
    row = await context.loaders.users.load(parsed.id) if isinstance(parsed, UserId) else None
    if row is None:
        raise Refused.because(UserErrorCode.TARGET_NOT_FOUND, "There is no user with this id.", *field)
    return row


async def entities(context: Context, target_ids: Sequence[str], *field: str) -> list[EntityRow]:
    """The same for many, in order and in one trip."""
    parsed = [parse_id(target_id) for target_id in target_ids]
    for one in parsed:
        if isinstance(one, EntityId):
            _check_business(context, one.business)
    keys = [_key(context, one) if isinstance(one, EntityId) else None for one in parsed]
    rows = await context.loaders.entities.load_many([key for key in keys if key])
    if None in keys or None in rows:
        raise Refused.because(UserErrorCode.TARGET_NOT_FOUND, "There is nothing with this id to react to.", *field)
    return [row for row in rows if row]


def _check_business(context: Context, business: str) -> None:
    allowed = context.viewer.businesses if context.viewer else None
    if allowed is not None and business not in allowed:
        raise Forbidden("This token is for other businesses.")


def _key(context: Context, entity_id: EntityId) -> tuple[int, str] | None:
    business = context.state.businesses.get(entity_id.business)
    return (business.id, entity_id.key) if business else None
