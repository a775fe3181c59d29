"""The uploaded files that posts and comments show, and the deletion of those that nothing shows.

The table `uploads` has the files that may be unused: a row for each upload, and for each edit that removes a file. When
a row is `unused_upload_days` old, workers delete the file unless something shows it, and remove the row. At this time,
a post that shows the file may still wait in a journal. So posts and comments may show a file of nearly this age only if
`is_kept` is true. Workers delete files only while no change has waited for `models.uploads.STORED_WITHIN_MS`.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import orjson
from sqlalchemy import Row, TextClause, text

from domain.moderation.verdicts import AuditStatus
from models.attachments import Attachment, from_plain
from models.deletions import without_hold
from models.uploads import UPLOADS_TABLE
from store.postgres.client import Postgres, Reader, Transaction
from store.postgres.columns import columns, upsert
from store.postgres.distributed import on_citus
from store.uploads import Key, UploadStore

BATCH = 10
"""The most unused files that are deleted at once. Their rows stay locked meanwhile."""


def _showing(condition: str, *tables: str) -> list[TextClause]:
    """Returns the statements that read the attachments in rows of these tables with one of the files `forms`."""
    return [
        text(f"""
            SELECT images::text FROM {table}
            WHERE images <> '[]' AND images @> ANY(CAST(CAST(:forms AS text[]) AS jsonb[])) AND {condition}
        """)  # noqa: S608 - constants
        for table in tables or ("posts", "comment_contents")
    ]


_EDITS = _showing("true", "edits")
_SHOWN = [*_showing("true"), *_EDITS]
_KEPT = _showing(f"NOT deleted AND status <> {AuditStatus.REJECTED:d}")
_AVATARS = text("""
    SELECT avatar_url FROM users WHERE user_id = ANY(CAST(:users AS bigint[])) AND avatar_url IS NOT NULL
""")
_OF_COMMENTS = text("""
    SELECT images::text FROM comment_contents WHERE comment_id = ANY(CAST(:ids AS bigint[])) AND images <> '[]'
""")

_WRITE = text(upsert(UPLOADS_TABLE, UPLOADS_TABLE.columns.keys(), kept=()))
UNUSED = "uploads WHERE since_ms < :before AND " + without_hold("user_id")
_DUE = f"SELECT user_id, key FROM {UNUSED} ORDER BY since_ms LIMIT {BATCH}"  # noqa: S608 - constants
_LOCK_DUE = on_citus(text(f"{_DUE} FOR UPDATE OF uploads SKIP LOCKED"), text(_DUE))
_REMOVE = text("""
    DELETE FROM uploads u USING unnest(CAST(:users AS bigint[]), CAST(:keys AS text[])) AS old(user_id, key)
    WHERE (u.user_id, u.key) = (old.user_id, old.key) AND u.since_ms < :before
""")
_SINCE = text("SELECT since_ms FROM uploads WHERE user_id = :user AND key = :key")


async def remember(transaction: Transaction, keys: Collection[Key], since_ms: int) -> None:
    """Stores that these files may be unused since a time, in milliseconds since the Unix epoch. Workers then delete
    those that nothing shows.
    """
    texts = sorted({(key.user_id, key.text) for key in keys})
    users, names = [user for user, _ in texts], [name for _, name in texts]
    await transaction.execute(_WRITE, user_id=users, key=names, since_ms=[since_ms] * len(texts))


def keys_of(uploads: UploadStore, attachments: Iterable[Attachment]) -> set[Key]:
    """Returns the keys of the uploaded files among attachments."""
    return {key for one in attachments for key in _keys(uploads, one)}


async def is_kept(postgres: Postgres, uploads: UploadStore, key: Key, before_ms: int) -> bool:
    """Returns whether workers keep a file for now: a post or comment that is neither deleted nor rejected, or the
    avatar of its user shows it, or it may be unused only since `before_ms` or later, in milliseconds since the Unix
    epoch. Raises PostgresDown.
    """
    since = await postgres.read(_SINCE, user=key.user_id, key=key.text)
    if since and since[0].since_ms >= before_ms:
        return True
    avatars = await _avatars(postgres, [key])
    return uploads.url_of(key) in avatars or not await _unshown(postgres, uploads, [key], _KEPT)


async def delete_unused(transaction: Transaction, before: int, uploads: UploadStore, now_ms: int) -> tuple[int, bool]:
    """Looks at up to BATCH files that may be unused since before the time `before`. Deletes those that nothing shows,
    and removes the rows. The rows of avatars and of files in earlier versions of posts and comments stay, and later
    calls check them again. Times are in milliseconds since
    the Unix epoch. Returns the number of rows, and whether others may be left. Raises Unavailable if the store of
    uploads does not answer.
    """
    rows = await transaction.execute(_LOCK_DUE, before=before)
    if not rows:
        return 0, False
    keys = [key for row in rows if (key := uploads.named(row.key))]
    avatars = await _avatars(transaction, keys)
    not_in_edits = await _unshown(transaction, uploads, keys, _EDITS)
    shown_later = [key for key in keys if uploads.url_of(key) in avatars or key not in not_in_edits]
    unshown = await _unshown(transaction, uploads, [key for key in keys if key not in shown_later], _SHOWN)
    await uploads.delete(unshown, now_ms)
    await remember(transaction, shown_later, now_ms)
    await transaction.execute(_REMOVE, **columns(rows, "users", "keys"), before=before)
    return len(rows), len(rows) == BATCH


async def delete_of(
    transaction: Transaction, attachments: Iterable[Attachment], uploads: UploadStore, now_ms: int
) -> None:
    """Deletes those uploaded files among these attachments that no post, no comment, no earlier version of one and not
    the avatar of their user shows, as the transaction sees them. Call this before the commit: if the process is killed,
    the attachments are then still stored, and the call is repeated. Raises Unavailable if the store of uploads does not
    answer.
    """
    if keys := keys_of(uploads, attachments):
        avatars = await _avatars(transaction, keys)
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
    return await _unshown(transaction, uploads, keys, _SHOWN)


async def _unshown(
    source: Reader, uploads: UploadStore, keys: Collection[Key], statements: Iterable[TextClause]
) -> list[Key]:
    """Returns the files that are in none of the rows that these statements (`_showing`) read."""
    urls = [uploads.url_of(key) for key in keys]
    forms = [orjson.dumps([[one]]).decode() for url in urls for one in (url, {"poster_url": url})]
    shown = {
        key
        for statement in statements
        for (images,) in await source.read(statement, forms=forms)
        for key in keys_of(uploads, from_plain(orjson.loads(images)))
    }
    return [key for key in keys if key not in shown]


async def _avatars(source: Reader, keys: Iterable[Key]) -> set[str]:
    """Returns the URLs of the avatars of the users who uploaded these files."""
    return {row.avatar_url for row in await source.read(_AVATARS, users=sorted({key.user_id for key in keys}))}


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
