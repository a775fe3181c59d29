"""Empties posts and comments that were deleted or rejected long ago: removes texts, content warnings, earlier versions,
images, topics, custom data and references to entities. The rows stay, with the ids, times and decisions. The uploaded
files that nothing else shows are deleted.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from sqlalchemy import text

from domain.moderation.verdicts import AuditStatus
from models.attachments import Attachment
from models.authored import HAS_REMOVED_TEXT, NEWEST
from models.comments import CommentRow
from models.deletions import without_hold
from models.posts import PostRow
from settings import COMMENTS, POSTS
from store.content import comment_rows, edits, post_rows
from store.postgres.client import Transaction

BATCH = 100
"""The most posts or comments that are emptied at once. Their rows are locked, and their texts are read."""
WITH_FILES = 10
"""The most posts or comments that are emptied at once if users upload files. Their rows stay locked while the files are
deleted from the store.
"""
DeleteFiles = Callable[[Transaction, Iterable[Attachment]], Awaitable[None]]
"""Deletes the uploaded files among attachments that nothing shows any more."""
Row = TypeVar("Row", PostRow, CommentRow)


def _overdue(table: str, key: str, business_id: int) -> str:
    """Returns SQL that begins after FROM and selects the rows to empty. Content with an open case is kept as evidence,
    and so is the content of users under a legal hold. An open appeal opens a case.
    """
    return f"""
        {table} WHERE {HAS_REMOVED_TEXT} AND {NEWEST} < :before AND {without_hold("author_id")} AND NOT EXISTS (
            SELECT FROM cases c WHERE c.business_id = {business_id} AND c.entity_id = {table}.{key} AND c.sources <> 0
        )
    """


OVERDUE_POSTS = _overdue("posts", "post_id", POSTS)
OVERDUE_COMMENTS = _overdue("comment_contents", "comment_id", COMMENTS)
_POSTS = text(f"SELECT post_id FROM {OVERDUE_POSTS} ORDER BY {NEWEST} LIMIT :count")  # noqa: S608 - constants
_COMMENTS = text(f"SELECT comment_id FROM {OVERDUE_COMMENTS} ORDER BY {NEWEST} LIMIT :count")  # noqa: S608 - constants


async def empty_posts(
    transaction: Transaction, before: int, delete_files: DeleteFiles | None = None
) -> tuple[list[PostRow], bool]:
    """Empties a batch of posts that were deleted or rejected, and have not changed since the version `before`. Returns
    the emptied posts, and whether others may be left. Pass `delete_files` if users upload files; the errors are those
    of this function.
    """
    count = WITH_FILES if delete_files else BATCH
    ids = [post_id for (post_id,) in await transaction.execute(_POSTS, before=before, count=count)]
    found = await post_rows.lock(transaction, ids) if ids else {}
    nothing: dict[str, Any] = {"topic_names": (), "about_business": None, "about_id": None, "announces": None}
    rows = [replace(row, **nothing) for row in _emptied(found, ids, before)]
    if rows:
        await post_rows.write(transaction, [(row, None) for row in rows])
        await edits.remove_of(transaction, POSTS, [row.post_id for row in rows])
        await _delete_files(transaction, [found[row.post_id] for row in rows], delete_files)
    return rows, len(rows) == count


async def empty_comments(
    transaction: Transaction, before: int, delete_files: DeleteFiles | None = None
) -> tuple[list[CommentRow], bool]:
    """Empties a batch of comments, as `empty_posts` does with posts."""
    count = WITH_FILES if delete_files else BATCH
    ids = [comment_id for (comment_id,) in await transaction.execute(_COMMENTS, before=before, count=count)]
    found = await comment_rows.lock(transaction, ids) if ids else {}
    rows = _emptied(found, ids, before)
    if rows:
        await comment_rows.write(transaction, [(row, None) for row in rows])
        await edits.remove_of(transaction, COMMENTS, [row.comment_id for row in rows])
        await _delete_files(transaction, [found[row.comment_id] for row in rows], delete_files)
    return rows, len(rows) == count


async def _delete_files(
    transaction: Transaction, full: Sequence[PostRow | CommentRow], delete_files: DeleteFiles | None
) -> None:
    """Deletes the files of emptied posts or comments. `full` are the rows as they were before."""
    if delete_files:
        await delete_files(transaction, [one for row in full for one in row.images])


def _emptied(found: Mapping[int, Row], ids: Sequence[int], before: int) -> list[Row]:
    """Returns those of the locked rows that are still to be emptied, without content, in the order of their ids. The
    version of each row grows, so that copies with the content are older.
    """
    return [
        replace(row, text="", images=(), custom=None, mentioned=None, content_warning=None, version=row.version + 1)
        for id_, row in sorted(found.items())
        if id_ in ids and _is_removed(row) and row.newest < before
    ]


def _is_removed(row: PostRow | CommentRow) -> bool:
    return row.deleted or row.status is AuditStatus.REJECTED
