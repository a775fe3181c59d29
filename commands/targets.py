"""Resolving what a write is about."""

from collections.abc import Sequence

from context import Context
from errors import Forbidden, Refused, UserErrorCode
from ids import EntityId, GlobalId, PostId, UserId, parse_id
from models.entities import EntityRow
from models.posts import PostRow
from models.users import UserRow

Target = EntityRow | PostRow
"""What people react to, view and share."""


async def reactable(context: Context, target_id: str, *field: str) -> Target:
    """What an id names, if the viewer may see it.

    Raises BadInput for what is no id, Forbidden for a token that is for other businesses, Refused for an id that names
    nothing of the kind.
    """
    return (await reactables(context, [target_id], *field))[0]


async def post(context: Context, post_id: str, *field: str) -> PostRow:
    """The post an id names.

    Raises BadInput for what is no id, Forbidden for a token that is for other businesses, Refused for what the viewer
    may not see, or is none.
    """
    check_business(context, PostId.business)
    parsed = parse_id(post_id)
    row = await context.loaders.posts.load(parsed.id) if isinstance(parsed, PostId) else None
    if row is None:
        raise Refused.because(UserErrorCode.TARGET_NOT_FOUND, "There is no post with this id.", *field)
    return row


async def user(context: Context, user_id: str, *field: str) -> UserRow:
    """The user an id names. Raises BadInput for what is no id, Refused for an id that names no user."""
    parsed = parse_id(user_id)
    row = await context.loaders.users.load(parsed.id) if isinstance(parsed, UserId) else None
    if row is None:
        raise Refused.because(UserErrorCode.TARGET_NOT_FOUND, "There is no user with this id.", *field)
    return row


async def reactables(context: Context, target_ids: Sequence[str], *field: str) -> list[Target]:
    """The same for many, in order and in one trip."""
    parsed = [parse_id(target_id) for target_id in target_ids]
    for one in parsed:
        if isinstance(one, EntityId | PostId):
            check_business(context, one.business)
    keys = {one: key for one in parsed if isinstance(one, EntityId) and (key := _key(context, one))}
    posts = [one.id for one in parsed if isinstance(one, PostId)]
    coming = context.loaders.posts.ask(posts), context.loaders.entities.ask(list(keys.values()))
    found: dict[GlobalId, Target | None] = dict(zip(map(PostId, posts), await coming[0], strict=True))
    found |= dict(zip(keys, await coming[1], strict=True))
    rows = [found.get(one) for one in parsed]
    if None in rows:
        raise Refused.because(UserErrorCode.TARGET_NOT_FOUND, "There is nothing with this id to react to.", *field)
    return [row for row in rows if row]


def check_business(context: Context, business: str) -> None:
    """Raises Forbidden where the viewer's token is for other businesses."""
    if not context.is_for(business):
        raise Forbidden("This token is for other businesses.")


def _key(context: Context, entity_id: EntityId) -> tuple[int, str] | None:
    business = context.state.external.get(entity_id.business)
    return (business.id, entity_id.key) if business else None
