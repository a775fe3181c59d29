"""Likes: the users who like an object, and the objects that a user likes."""

from collections.abc import Sequence

from commands.targets import ReactableRow
from context import Context
from loaders.lists import ListPage
from models.counters import EntityRef
from models.likes import REACT
from models.users import UserRow
from resolvers import own_lists, timelines
from resolvers.pages import Connection, Pages, Scope, Slice
from store.cache.lists import Item


async def likers(
    context: Context, entities: Sequence[ReactableRow], first: int, after: str | None = None
) -> list[Connection[UserRow] | Exception | None]:
    """Resolves Reactable.likers: a page of the users who like each post, comment or entity, newest like first; None for
    a deleted comment, an exception for a page that cannot be read. Leaves out users whose likes are hidden from the
    viewer. Raises BadInput unless `first` is 1 to 100.
    """
    refs = [entity.reactions_ref for entity in entities]
    pages = iter(await _likers(context, [ref for ref in refs if ref], first, after))
    return [next(pages) if ref else None for ref in refs]


async def _likers(context: Context, refs: Sequence[EntityRef], first: int, after: str | None) -> Pages[UserRow]:

    async def items(slices: Sequence[Slice]) -> Sequence[Sequence[Item]]:
        wanted = [ListPage(refs[of], before, count) for of, before, count in slices]
        return await context.own.seen_likers.ask(wanted, each=True)

    scopes = [Scope(f"likers:{ref.business_id}:{ref.entity_id}") for ref in refs]
    return await timelines.people(context, scopes, first, after, items, context.content.likers_shown)


async def liked_by(
    context: Context, users: Sequence[UserRow], business: str, first: int, after: str | None = None
) -> Pages[ReactableRow]:
    """Resolves User.likes: for each user, a page of what the user likes in one business (a kind of content), newest
    like first. The page of a user whose likes are hidden from the viewer is empty.

    Objects that are deleted or hidden are left out, and the page is filled up. Raises BadInput for an unknown business,
    and unless `first` is 1 to 100.
    """
    return await own_lists.of_users(context, "User.likes", REACT, users, business, first, after)
