"""Full lists of followers and likers for services: pages of rows, including users whom the API hides from readers."""

from collections.abc import Awaitable, Callable

from context import Context
from domain.errors import BadInput
from domain.ids import CommentId, EntityId, PostId, UserId, parse_id
from models.counters import EntityRef
from models.users import UserRow
from resolvers import pages
from resolvers.pages import Connection, Scope
from store.cache.lists import Item
from store.people import follows
from store.reactions.likers import likers_from_truth

MOST = 1000
SCOPE = "lists:read"
"""The scope of a token that may read full lists."""

Read = Callable[[Item | None, int], Awaitable[list[Item]]]
"""Reads a part of a list from rows: up to a number of items that follow an item, or the first ones if this item is
None.
"""


async def followers(context: Context, user_id: str, first: int, after: str | None) -> Connection[UserRow] | None:
    """Resolves Query.allFollowers: a page of all followers of a user, newest follow first. None if there is no such
    user.

    Raises Unauthenticated without a token, Forbidden if the token lacks the scope, BadInput for a malformed id or
    unless `first` is 1 to 1000, BadCursor for an invalid cursor; Unavailable if Postgres is down.
    """
    context.require_scope(SCOPE)
    parsed = parse_id(user_id)
    user = await context.content.kept_users.load(parsed.id) if isinstance(parsed, UserId) else None
    if user is None:
        return None
    ref, postgres = user.ref, context.state.postgres
    return await _page(
        context,
        f"all_followers:{ref.entity_id}",
        lambda before, count: follows.followers_page(postgres, ref, before, count),
        first,
        after,
    )


async def likers(context: Context, target_id: str, first: int, after: str | None) -> Connection[UserRow] | None:
    """Resolves Query.allLikers: a page of all users who like an object, newest like first, even if the caller may not
    see the object or the users. None if the object does not exist, was deleted, or cannot be liked, such as a user.
    Raises the errors of `followers`.
    """
    context.require_scope(SCOPE)
    ref = await _liked(context, target_id)
    if ref is None:
        return None
    postgres = context.state.postgres
    return await _page(
        context,
        f"all_likers:{ref.business_id}:{ref.entity_id}",
        lambda before, count: likers_from_truth(postgres, ref, before, count),
        first,
        after,
    )


async def _liked(context: Context, target_id: str) -> EntityRef | None:
    """Returns the reference of the post, comment or entity with this id, without a check of visibility. None if it does
    not exist, or was deleted or removed.
    """
    parsed, content = parse_id(target_id), context.content
    if isinstance(parsed, PostId):
        post = await content.kept_posts.load(parsed.id)
        return None if post is None or post.deleted else post.reactions_ref
    if isinstance(parsed, CommentId):
        comment = await content.kept_comments.load(parsed.id)
        return None if comment is None or comment.global_id != target_id else comment.reactions_ref
    if isinstance(parsed, EntityId) and (business := context.state.external.get(parsed.business)):
        entity = await content.entities.load((business.id, parsed.key))
        return entity.ref if entity else None
    return None


async def _page(context: Context, name: str, read: Read, first: int, after: str | None) -> Connection[UserRow]:
    """Returns a page of the list of users that `read` reads from Postgres. `name` is the name of the list in its
    cursors. Users who do not exist any more are left out. Raises BadInput unless `first` is 1 to 1000, and BadCursor.
    """
    if not 1 <= first <= MOST:
        raise BadInput(f"first must be 1 to {MOST}.")
    before, passed = pages.position(context.state.cursors, Scope(name), after)
    items = await read(before, first + 1)
    page = items[:first]
    ids = [item.member for item in page]
    users = dict(zip(ids, await context.content.kept_users.ask(ids), strict=True))
    return Connection(context.state.cursors, name, page, passed, users, len(items) > first, after is not None)
