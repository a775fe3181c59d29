"""The uploaded files that posts and comments show, and the deletion of those that nothing shows any more."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import orjson
from sqlalchemy import Row, text

from models.attachments import Attachment, from_plain
from store.postgres.client import Transaction
from store.uploads import Key, UploadStore

_SHOWN = [
    text(f"""
        SELECT images::text FROM {table} WHERE images <> '[]' AND images @> ANY(CAST(CAST(:forms AS text[]) AS jsonb[]))
    """)  # noqa: S608 - constants
    for table in ("posts", "comment_contents")
]
_AVATARS = text("""
    SELECT avatar_url FROM users WHERE user_id = ANY(CAST(:users AS bigint[])) AND avatar_url IS NOT NULL
""")
_OF_COMMENTS = text("""
    SELECT images::text FROM comment_contents WHERE comment_id = ANY(CAST(:ids AS bigint[])) AND images <> '[]'
""")


async def delete_of(
    transaction: Transaction, attachments: Iterable[Attachment], uploads: UploadStore, now_ms: int
) -> None:
    """Deletes those uploaded files among these attachments that no post, no comment and not the avatar of their user
    shows, as the transaction sees them. Call this before the commit: if the process is killed, the attachments are then
    still stored, and the call is repeated. Raises Unavailable if the store of uploads does not answer.
    """
    keys = {key for one in attachments for key in _keys(uploads, one)}
    if keys:
        rows = await transaction.execute(_AVATARS, users=sorted({key.user_id for key in keys}))
        avatars = {row.avatar_url for row in rows}
        others = [key for key in keys if uploads.url_of(key) not in avatars]
        await uploads.delete(await unshown(transaction, uploads, others), now_ms)


async def of_comments(transaction: Transaction, rows: Sequence[Row[Any]]) -> list[Attachment]:
    """Returns the attachments of comments. A row has the column `comment_id`."""
    return [
        one
        for (images,) in await transaction.execute(_OF_COMMENTS, ids=[row.comment_id for row in rows])
        for one in from_plain(orjson.loads(images))
    ]


async def unshown(transaction: Transaction, uploads: UploadStore, keys: Collection[Key]) -> list[Key]:
    """Returns those of the files that no post and no comment shows, also not one that is hidden or deleted."""
    urls = [uploads.url_of(key) for key in keys]
    forms = [orjson.dumps([[one]]).decode() for url in urls for one in (url, {"poster_url": url})]
    shown = {
        key
        for statement in _SHOWN
        for (images,) in await transaction.execute(statement, forms=forms)
        for one in from_plain(orjson.loads(images))
        for key in _keys(uploads, one)
    }
    return [key for key in keys if key not in shown]


def _keys(uploads: UploadStore, attachment: Attachment) -> Iterable[Key]:
    """Returns the keys of the uploaded files of an attachment: the file, and the picture before it plays."""
    for url in (attachment.url, attachment.poster_url):
        if url and (key := _key(uploads, url)):
            yield key


def _key(uploads: UploadStore, url: str) -> Key | None:
    """Returns the key of an uploaded file; None if users uploaded no file to the URL."""
    try:
        return uploads.key_of(url)
    except ValueError:
        return None  # an import or an earlier setting
