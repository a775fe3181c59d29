"""Pages of the objects in users' own sets. An own set has what a user likes, for example."""

from collections.abc import Sequence

from commands.targets import ReactableRow
from context import Context
from domain import texts
from domain.errors import BadCursor, BadInput
from loaders.own_lists import OwnList
from models.comments import CommentRow
from models.users import UserRow, ViewerRow
from resolvers import pages, timelines
from resolvers.nodes import targets
from resolvers.pages import Connection, Pages
from store.cache.lists import Item


async def of_users(
    context: Context,
    field: str,
    kind: str,
    users: Sequence[UserRow | ViewerRow],
    business: str,
    first: int,
    after: str | None,
) -> Pages[ReactableRow]:
    """Returns a page for each user: the objects of one business (a kind of content) in the user's own set of this kind,
    such as the videos that the user likes, last change first. `field` is the schema coordinate of the list. An
    exception is in the place of a page that cannot be read.

    Deleted and hidden objects are replaced by older ones. The page of a user whose lists are hidden is empty. Raises
    BadInput for an unknown business, and unless `first` is 1 to 100.
    """
    of_business = context.state.businesses.get(business)
    if of_business is None:
        raise BadInput(texts.no_business(business))
    pages.check_first(first)
    profiles = [user for user in users if isinstance(user, UserRow)]

    async def load(ids: Sequence[int]) -> Sequence[ReactableRow | None]:
        rows = await context.content.unmuted(await targets(context, of_business, ids))
        return [None if isinstance(row, CommentRow) and row.deleted else row for row in rows]

    async def page(user: UserRow | ViewerRow) -> Connection[ReactableRow] | BadCursor:
        async def listed(before: Item | None, count: int) -> list[Item]:
            mine = OwnList(context.state, kind, user.user_id, of_business)
            items = await mine.page(context.degraded, field, before, count)
            return [] if user.user_id in await context.content.closed_among(profiles) else items

        scope = f"{kind}:{user.user_id}:{of_business.id}"
        return await timelines.page(context, scope, load, [listed], first, after)

    return await pages.each(page, users)
