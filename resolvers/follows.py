"""Follows: the lists of followers, followed users, friends (who follow each other) and follow requests."""

from collections.abc import Sequence

from context import Context
from loaders.lists import ListPage
from loaders.loader import Loader
from models.counters import EntityRef
from models.users import UserRow, ViewerRow
from resolvers import timelines
from resolvers.pages import Pages, Scope, Slice
from settings import USERS
from store.cache.lists import Item

Users = Sequence[UserRow]


async def followers(context: Context, users: Users, first: int, after: str | None = None) -> Pages[UserRow]:
    """Resolves User.followers: a page of the followers of each user, newest follow first. The page of a user whose
    lists are hidden from the viewer is empty. Raises BadInput unless `first` is 1 to 100; Unavailable if it cannot be
    read whose lists are hidden.
    """
    return await _people(context, users, "followers", context.own.seen_followers, first, after)


async def following(context: Context, users: Users, first: int, after: str | None = None) -> Pages[UserRow]:
    """Resolves User.following: a page of the users whom each user follows, newest follow first. The page of a user
    whose lists are hidden from the viewer is empty. Raises BadInput unless `first` is 1 to 100; Unavailable if it
    cannot be read whose lists are hidden.
    """
    return await _people(context, users, "following", context.lists.following, first, after)


async def friends(context: Context, users: Users, first: int, after: str | None = None) -> Pages[UserRow]:
    """Resolves User.friends: a page of the friends of each user, newest friendship first. The page of a user whose
    lists are hidden from the viewer is empty. Raises BadInput unless `first` is 1 to 100; Unavailable if it cannot be
    read whose lists are hidden.
    """
    return await _people(context, users, "friends", context.own.seen_friends, first, after)


async def requests(
    context: Context, viewers: Sequence[ViewerRow], first: int, after: str | None = None
) -> Pages[UserRow]:
    """Resolves Viewer.followRequests: a page of the users who have asked to follow the viewer, newest request first.
    There is one viewer per request. Raises BadInput unless `first` is 1 to 100.
    """

    async def items(slices: Sequence[Slice]) -> Sequence[Sequence[Item]]:
        wanted = [ListPage(EntityRef(USERS, viewers[of].user_id), before, count) for of, before, count in slices]
        return await context.lists.follow_requests.ask(wanted, each=True)

    scopes = [Scope(f"follow_requests:{viewer.user_id}") for viewer in viewers]
    return await timelines.people(context, scopes, first, after, items, context.content.users)


async def _people(
    context: Context, users: Users, name: str, loader: Loader[ListPage, list[Item]], first: int, after: str | None
) -> Pages[UserRow]:
    async def items(slices: Sequence[Slice]) -> Sequence[Sequence[Item]]:
        wanted = [ListPage(users[of].ref, before, count) for of, before, count in slices]
        reading = loader.ask(wanted, each=True)
        closed = await context.content.closed_among(users)
        found = await reading
        return [() if page.of.entity_id in closed else read for page, read in zip(wanted, found, strict=True)]

    own, depth = context.account_id, context.state.settings.people.others_list_depth
    scopes = [Scope(f"{name}:{user.user_id}", None if user.user_id == own else depth) for user in users]
    return await timelines.people(context, scopes, first, after, items, context.content.users)
