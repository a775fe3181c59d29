"""Follows: the two verbs, and who follows whom."""

from collections.abc import Sequence

from aiodataloader import DataLoader

from commands import follows as commands
from context import Context
from loaders.lists import ListPage
from models.users import UserRow
from resolvers import pages
from resolvers.pages import Connection
from resolvers.payloads import Payload, payload
from store.lists import Item


async def follow(context: Context, follows: bool, user_id: str, idempotency_key: str | None) -> Payload[UserRow]:
    """follow, unfollow."""
    return await payload(commands.follow(context, follows, user_id, idempotency_key))


async def followers(context: Context, user: UserRow, first: int, after: str | None) -> Connection[UserRow]:
    """User.followers: newest first."""
    return await _people(context, user, "followers", context.loaders.followers, first, after)


async def following(context: Context, user: UserRow, first: int, after: str | None) -> Connection[UserRow]:
    """User.following: newest first."""
    return await _people(context, user, "following", context.loaders.following, first, after)


async def friends(context: Context, user: UserRow, first: int, after: str | None) -> Connection[UserRow]:
    """User.friends: newest friends first."""
    return await _people(context, user, "friends", context.loaders.friends, first, after)


async def _people(
    context: Context,
    user: UserRow,
    name: str,
    loader: DataLoader[ListPage, list[Item]],
    first: int,
    after: str | None,
) -> Connection[UserRow]:
    async def items(before: Item | None, count: int) -> Sequence[Item]:
        return await loader.load(ListPage(user.ref, before, count))

    own = context.viewer is not None and context.viewer.user_id == user.user_id
    depth = None if own else context.state.settings.strangers_depth
    scope, nodes = f"{name}:{user.user_id}", context.loaders.users.load_many
    return await pages.connection(context.state.cursors, scope, first, after, items, nodes, depth=depth)
