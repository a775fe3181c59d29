"""Saves: the lists of what a user has saved, all of it or one collection (a named group of saves)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from commands.targets import ReactableRow
from context import Context
from domain.errors import BadCursor, Unavailable
from domain.ids import CommentId, PostId
from domain.versions import moment_ms
from loaders import saves
from models.base import at
from models.collections import CollectionRow
from models.comments import CommentRow
from models.counters import EntityRef
from models.saves import NOT_SAVED, SAVE, Save, SavedKind
from models.users import ViewerRow
from resolvers import nodes, pages
from resolvers.pages import Connection, Pages
from settings import COMMENTS, FIRST_EXTERNAL, POSTS
from store.cache.lists import Item
from store.reactions.saves import NEWEST, SavesPage, Which


@dataclass(frozen=True, slots=True)
class SavedItemRow:
    """A save with its target, the saved object. `target` is None if the target is deleted or hidden from the viewer.
    `target_id` is the target's id for clients. It is None only if `target` is, and the save is another user's or the
    target's business (kind of content) is not configured any more.
    """

    save: Save
    target: ReactableRow | None
    target_id: str | None

    @property
    def saved_at(self) -> datetime:
        """Returns when the target was saved, or moved into its collection."""
        return at(moment_ms(self.save.moment))


async def of_viewer(
    context: Context, viewers: Sequence[ViewerRow], first: int, after: str | None = None, kind: SavedKind | None = None
) -> Pages[SavedItemRow]:
    """Resolves Viewer.saved: a page of what the viewer has saved, newest save first; with `kind`, only targets of this
    kind. There is one viewer per request. Raises BadInput unless `first` is 1 to 100.
    """
    owned = [(viewer.user_id, Which(kind)) for viewer in viewers]
    return await _pages(context, "Viewer.saved", owned, first, after)


async def in_collections(
    context: Context,
    collections: Sequence[CollectionRow],
    first: int,
    after: str | None = None,
    kind: SavedKind | None = None,
) -> Pages[SavedItemRow]:
    """Resolves Collection.items: a page of what is saved in each collection, newest save first; with `kind`, only
    targets of this kind. Raises BadInput unless `first` is 1 to 100.
    """
    owned = [(one.owner_id, Which(kind, one.collection_id)) for one in collections]
    return await _pages(context, "Collection.items", owned, first, after)


async def _pages(
    context: Context, field: str, owned: Sequence[tuple[int, Which]], first: int, after: str | None
) -> Pages[SavedItemRow]:
    """Returns a page for each pair in `owned`: a user's id, and which of the user's saves to list. `field` is the
    schema coordinate of the list. Tells the loader of states about the viewer's own saves, so that they are not looked
    up again.
    """
    pages.check_first(first)

    async def page(one: tuple[int, Which]) -> Connection[SavedItemRow] | BadCursor:
        owner_id, which = one
        scope = f"saved:{owner_id}:{which.kind.value if which.kind else 0}:{which.collection_id or 0}"
        try:
            before = _position(context, scope, after)
        except BadCursor as error:
            return error
        is_own = context.account_id == owner_id
        cached, older = context.lists.cached_saves if is_own else None, context.lists.older_saves
        wanted = SavesPage(owner_id, which, before, first + 1)
        found, is_whole = await saves.page(cached, older, context.degraded, field, wanted)
        if is_own and is_whole:
            context.own.states(SAVE).prime((save.ref, save.collection_id) for save in found)
        items = await _items(context, found[:first], is_own)
        return _connection(context, scope, items, len(found) > first, after)

    return await pages.each(page, owned)


def _position(context: Context, scope: str, after: str | None) -> Save:
    """Returns the save after which the page starts; NEWEST for the first page. Raises BadCursor if `after` is not a
    cursor of the list.
    """
    if after is None:
        return NEWEST
    moment, business_id, entity_id = context.state.cursors.open(scope, after)
    return Save(moment, business_id, entity_id, NOT_SAVED)


def _connection(
    context: Context, scope: str, items: Sequence[SavedItemRow], more: bool, after: str | None
) -> Connection[SavedItemRow]:
    return Connection(
        context.state.cursors,
        scope,
        [Item(item.save.moment, at) for at, item in enumerate(items)],
        0,
        dict(enumerate(items)),
        more,
        after is not None,
        places=lambda at: items[at].save[:3],
    )


async def _items(context: Context, found: Sequence[Save], is_own: bool) -> list[SavedItemRow]:
    """Returns saves with their targets. `is_own` says that they are the viewer's. The target is None if it is deleted,
    hidden from the viewer, or of a business that is not configured any more. Raises Unavailable if a target cannot be
    read.
    """
    known = [save.ref for save in found if save.business_id in context.state.businesses_by_id]
    rows = dict(zip(known, await _targets(context, known), strict=True))
    kept = await _kept(context, [ref for ref in known if rows[ref] is None]) if is_own else {}
    shown = ((save, rows.get(save.ref)) for save in found)
    return [SavedItemRow(save, row, row.global_id if row else kept.get(save.ref)) for save, row in shown]


async def _targets(context: Context, refs: Sequence[EntityRef]) -> list[ReactableRow | None]:
    """Returns the saved objects: None for one that is deleted or that the viewer may not see. Raises Unavailable if one
    cannot be read.
    """
    rows = await nodes.by_refs(context, refs)
    if error := next((row for row in rows if isinstance(row, Exception)), None):
        raise error if isinstance(error, Unavailable) else Unavailable from error
    return [None if isinstance(row, CommentRow) and row.deleted else row for row in rows]  # type: ignore[misc]


async def _kept(context: Context, refs: Sequence[EntityRef]) -> dict[EntityRef, str]:
    """Returns the ids for clients of saved objects that the viewer may not see any more, by reference."""
    comments = [ref for ref in refs if ref.business_id == COMMENTS]
    entities = [ref for ref in refs if ref.business_id >= FIRST_EXTERNAL]
    asked = context.content.kept_comments.ask([ref.entity_id for ref in comments])
    found = dict(zip(entities, await context.content.kept_entities_by_id.ask(entities), strict=True))
    kept = {ref: row.global_id for ref, row in found.items() if row}
    for ref, comment in zip(comments, await asked, strict=True):
        kept[ref] = comment.global_id if comment else CommentId.text(POSTS, ref.entity_id)
    return kept | {ref: PostId.text(ref.entity_id) for ref in refs if ref.business_id == POSTS}
