"""Post.editHistory and Comment.editHistory: the earlier versions of a post or comment."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

from context import Context
from domain.errors import BadCursor, Unavailable
from models.comments import CommentRow
from models.edits import EditRow
from models.patches import Patch
from models.posts import PostRow
from resolvers.pages import Connection, Scope, check_first, position
from settings import POSTS
from store.cache.lists import Item
from store.content import edits
from store.content.edits import Wanted

Row = PostRow | CommentRow
Page = Connection[EditRow] | Unavailable | BadCursor | None


async def of_rows(context: Context, rows: Sequence[Row], first: int, after: str | None = None) -> list[Page]:
    """Returns a page of the earlier versions of each post or comment, newest first. All rows are posts, or all are
    comments. In the place of a page is None if the row is deleted or the viewer may not read its versions, BadCursor if
    `after` is not a cursor of the list, and Unavailable if the versions cannot be read. Without edited rows, reads
    nothing. Raises BadInput unless `first` is 1 to 100.
    """
    check_first(first)
    starts = [_start(context, row, after) for row in rows]
    asked = {
        row.entity_id: (row, Wanted(row.entity_id, _reads_all(context, row), start[0] and start[0].score))
        for row, start in zip(rows, starts, strict=True)
        if isinstance(start, tuple) and row.edited_ms is not None
    }
    found: Mapping[int, list[EditRow]] | Unavailable = {}
    if asked:
        try:
            found = await _versions(context, asked, first + 1)
        except Unavailable as error:
            found = error
    return [_page(context, *one, first, found) for one in zip(rows, starts, strict=True)]


def _start(context: Context, row: Row, after: str | None) -> tuple[Item | None, int] | BadCursor | None:
    """Returns the last version of the previous page, and the number of versions up to it. Returns None if the viewer
    may not read the earlier versions, and BadCursor if `after` is not a cursor of the list.
    """
    if row.deleted or not (_reads_all(context, row) or _is_open(context, row)):
        return None
    try:
        return position(context.state.cursors, _scope(row), after)
    except BadCursor as error:
        return error


def _scope(row: Row) -> Scope:
    return Scope(f"edits:{row.business_id}:{row.entity_id}")


def _reads_all(context: Context, row: Row) -> bool:
    """Tells whether the viewer is the author or a moderator, who also read versions that were never approved."""
    reader = context.content.reader
    return row.business_id in reader.moderates or row.author_id == reader.viewer_in(row.business_id)


def _is_open(context: Context, row: Row) -> bool:
    """Tells whether all who see the post or comment may read its earlier versions."""
    about = row.subject_business if isinstance(row, CommentRow) else POSTS
    business = context.state.businesses_by_id.get(about)
    return business is not None and business.edit_history == "public"


async def _versions(
    context: Context, asked: Mapping[int, tuple[Row, Wanted]], count: int
) -> Mapping[int, list[EditRow]]:
    """Returns up to `count` earlier versions of each row, newest first, by the id of the row. Raises Unavailable."""
    business_id = next(iter(asked.values()))[0].business_id
    pending = await _pending(context, business_id, [row for row, _ in asked.values()])
    found = await edits.page(context.state.postgres, business_id, [wanted for _, wanted in asked.values()], count)
    for id_, new in pending.items():
        before = asked[id_][1].before
        known = {one.version: one for one in (*new, *found.get(id_, ())) if before is None or one.version < before}
        found[id_] = [known[version] for version in sorted(known, reverse=True)][:count]
    return found


async def _pending(context: Context, business_id: int, rows: Sequence[Row]) -> dict[int, list[EditRow]]:
    """Returns the versions that the viewer's latest edits replace, if workers may not have stored the edits yet, by the
    id of the post or comment. Raises Unavailable.
    """
    viewer = context.content.reader.viewer_in(business_id)
    if viewer is None or all(row.author_id != viewer for row in rows):
        return {}
    patches = await context.own.patched_in(business_id).patches()
    own: Mapping[int, Sequence[Patch[Any]]] = patches.posts if business_id == POSTS else patches.comments
    ids = [row.entity_id for row in rows if row.author_id == viewer and row.entity_id in own]
    if not ids:
        return {}
    shared: Any = context.content.shared.posts if business_id == POSTS else context.content.shared.comments
    stored = await shared.get_each(ids, local=False)
    return {id_: _replaced(id_, viewer, row, own[id_]) for id_, row in zip(ids, stored, strict=True)}


def _replaced(id_: int, viewer: int, row: Row | Exception | None, patches: Sequence[Patch[Any]]) -> list[EditRow]:
    """Returns the versions of a post or comment that these patches replace. `row` is the stored row; None if the first
    patch publishes the post or comment. Raises the exception in place of the row.
    """
    if isinstance(row, Exception):
        raise row
    versions = []
    for patch in sorted(patches, key=attrgetter("version")):
        if row is None:
            row = patch.born(id_, viewer) if patch.publishes else None
        elif patch.is_news_to(row):
            changed: Row = patch.applied(row)
            if changed is not row and not (patch.deletes or patch.publishes or patch.detaches):
                versions.append(EditRow(row.content_version, row.text, row.images))
            row = changed
    return versions


def _page(
    context: Context,
    row: Row,
    start: tuple[Item | None, int] | BadCursor | None,
    first: int,
    found: Mapping[int, list[EditRow]] | Unavailable,
) -> Page:
    if not isinstance(start, tuple):
        return start
    if isinstance(found, Unavailable):
        return found if row.edited_ms is not None else _connection(context, row, start, first, [])
    return _connection(context, row, start, first, found.get(row.entity_id, []))


def _connection(
    context: Context, row: Row, start: tuple[Item | None, int], first: int, found: Sequence[EditRow]
) -> Connection[EditRow]:
    """Returns a page. `found` has up to `first` + 1 versions from the start of the page on."""
    before, passed = start
    shown = {one.version: one for one in found[:first]}
    items = [Item(version, version) for version in shown]
    cursors, scope = context.state.cursors, _scope(row).name
    return Connection(cursors, scope, items, passed, shown, len(found) > first, before is not None)
