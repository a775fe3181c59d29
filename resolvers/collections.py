"""Collections, the named groups of what users have saved: the lists of a user's collections, and the collection of a
save.
"""

from collections.abc import Sequence

from context import Context
from domain.errors import Unavailable
from models.collections import CollectionRow
from models.saves import DEFAULT
from models.users import UserRow, ViewerRow
from resolvers import pages
from resolvers.pages import Pages, Scope, Slice
from resolvers.saves import SavedItemRow
from store.cache.lists import Item


async def of_viewer(
    context: Context, viewers: Sequence[ViewerRow], first: int, after: str | None = None
) -> Pages[CollectionRow]:
    """Resolves Viewer.collections: a page of the viewer's collections, public or not, newest first. Raises BadInput
    unless `first` is 1 to 100.
    """
    return await _page(context, "Viewer.collections", [viewer.user_id for viewer in viewers], first, after)


async def of_users(
    context: Context, users: Sequence[UserRow], first: int, after: str | None = None
) -> Pages[CollectionRow]:
    """Resolves User.collections: a page of the public collections of each user, newest first. Raises BadInput unless
    `first` is 1 to 100.
    """
    return await _page(context, "User.collections", [user.user_id for user in users], first, after)


async def _page(
    context: Context, field: str, owners: Sequence[int], first: int, after: str | None
) -> Pages[CollectionRow]:
    name, loader = "public", context.content.public_collections
    if field == "Viewer.collections":
        name, loader = "own", context.own.collections
    rows: dict[int, CollectionRow] = {}

    async def items(slices: Sequence[Slice]) -> list[list[Item] | Exception]:
        found = await loader.ask([owners[of] for of, _, _ in slices], each=True)
        shown = [one if isinstance(one, Exception) else one.shown(context.degraded, field) for one in found]
        return [_slice(rows, one, part.before, part.most) for one, part in zip(shown, slices, strict=True)]

    async def nodes(ids: list[int]) -> Sequence[CollectionRow | None]:
        return [rows[id_] for id_ in ids]

    scopes = [Scope(f"collections:{name}:{owner}") for owner in owners]
    return await pages.connections(context.state.cursors, scopes, first, after, items, nodes)  # type: ignore[arg-type]


def _slice(
    rows: dict[int, CollectionRow], found: Sequence[CollectionRow] | Exception, before: Item | None, most: int
) -> list[Item] | Exception:
    if isinstance(found, Exception):
        return found
    rows |= {row.collection_id: row for row in found}
    newest = (Item(row.collection_id, row.collection_id) for row in found)
    return [item for item in newest if before is None or item < before][:most]


async def of_items(context: Context, items: Sequence[SavedItemRow]) -> Sequence[CollectionRow | Exception | None]:
    """Resolves SavedItem.collection: the collection of each save of the viewer. None for a save that is in no
    collection of the user's own making (the default one), and for saves of other users; Unavailable if the collections
    cannot be read.
    """
    viewer = context.viewer
    if viewer is None or all(item.save.collection_id == DEFAULT for item in items):
        return [None] * len(items)
    try:
        found = await context.own.collections.load(viewer.user_id)
    except Unavailable as error:
        return [error] * len(items)
    rows = {row.collection_id: row for row in found.shown(context.degraded, "SavedItem.collection")}
    return [rows.get(item.save.collection_id) for item in items]
