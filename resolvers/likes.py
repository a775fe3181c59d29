"""Reactions: the four verbs, who likes an entity, what a user likes."""

from collections.abc import Sequence

from commands import likes as commands
from context import Context
from errors import BadInput
from loaders.likes import user_likes
from loaders.lists import ListPage
from models.counters import EntityRef
from models.entities import EntityRow
from models.users import UserRow
from resolvers import pages
from resolvers.pages import Connection
from resolvers.payloads import Payload, payload
from store.likes import Verb
from store.lists import Item


async def react(
    context: Context, verb: Verb, target_id: str, source: str | None, idempotency_key: str | None
) -> Payload[EntityRow]:
    """like, unlike, dislike, undislike."""
    return await payload(commands.react(context, verb, target_id, source, idempotency_key))


async def likers(context: Context, entity: EntityRow, first: int, after: str | None) -> Connection[UserRow]:
    """Reactable.likers: who likes it, newest first."""

    async def items(before: Item | None, count: int) -> Sequence[Item]:
        return await context.loaders.likers.load(ListPage(entity.ref, before, count))

    scope = f"likers:{entity.business_id}:{entity.entity_id}"
    return await pages.connection(context.state.cursors, scope, first, after, items, context.loaders.users.load_many)


async def liked_by(
    context: Context, user: UserRow, business_name: str, first: int, after: str | None
) -> Connection[EntityRow]:
    """User.likes: what a user likes in one business, newest first."""
    business = context.state.businesses.get(business_name)
    if business is None:
        raise BadInput("There is no such business.")

    async def items(before: Item | None, count: int) -> Sequence[Item]:
        return await user_likes(context.state, user.user_id, business, before, count)

    async def nodes(ids: list[int]) -> Sequence[EntityRow | None]:
        return await context.loaders.entities_by_id.load_many([EntityRef(business.id, id_) for id_ in ids])

    scope = f"likes:{user.user_id}:{business.id}"
    return await pages.connection(context.state.cursors, scope, first, after, items, nodes)
