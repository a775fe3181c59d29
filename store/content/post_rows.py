"""Reads, locks and writes the rows of posts in the transaction in which a worker stores a batch of changes."""

from collections.abc import Iterable, Sequence

import orjson
from sqlalchemy import text

from domain.moderation.verdicts import AuditStatus
from models.attachments import plain
from models.posts import POSTS_TABLE, PostRow
from store.content.posts import BY_ID, COLUMNS, from_columns
from store.postgres.client import Reader, Transaction
from store.postgres.columns import array_text, upsert
from store.postgres.distributed import one_shard
from store.write_log.journal import ClientTrace

_LOCK = one_shard(
    f"SELECT {COLUMNS} FROM posts WHERE post_id = ANY(CAST(:ids AS bigint[])) ORDER BY post_id FOR UPDATE",  # noqa: S608
    table="posts",
    column="post_id",
    parameter="ids",
)
_COLUMNS = POSTS_TABLE.columns.keys()
_WRITE = text(upsert(POSTS_TABLE, _COLUMNS, kept=("author_id", "moment", "ip", "device", "client")))
_HIDDEN = text(f"""
    SELECT post_id FROM posts
    WHERE post_id = ANY(CAST(:ids AS bigint[])) AND (deleted OR status <> {AuditStatus.APPROVED:d})
""")  # noqa: S608 - a constant
_UNKNOWN_CLIENT = ClientTrace()


async def read(source: Reader, ids: Sequence[int]) -> dict[int, PostRow]:
    """Reads the rows of posts by id, and locks nothing. Ids without a row are left out."""
    return {row.post_id: from_columns(row) for row in await source.read(BY_ID, ids=list(ids))}


async def lock(transaction: Transaction, ids: Iterable[int]) -> dict[int, PostRow]:
    """Locks the rows of these posts until the transaction ends. Returns the existing rows by post id."""
    rows = await transaction.execute(_LOCK, ids=sorted(ids))
    return {row.post_id: from_columns(row) for row in rows}


async def hidden(transaction: Transaction, ids: Iterable[int]) -> set[int]:
    """Returns those of the given ids whose posts exist and are not public (deleted or not approved). Locks nothing."""
    rows = await transaction.execute(_HIDDEN, ids=sorted(ids))
    return {post_id for (post_id,) in rows}


async def write(transaction: Transaction, rows: Sequence[tuple[PostRow, ClientTrace | None]]) -> None:
    """Writes the rows of posts. `rows` are pairs of a post and the client that sent it (None: unknown). The client's IP
    address, device and name are stored only for new posts.
    """
    values = [
        {
            **vars(row),
            "images": orjson.dumps(plain(row.images)).decode(),
            "mentioned": None if row.mentioned is None else orjson.dumps(row.mentioned).decode(),
            "topics": array_text(row.topic_names),
            "status": int(row.status),
            **(trace or _UNKNOWN_CLIENT)._asdict(),
        }
        for row, trace in rows
    ]
    await transaction.execute(_WRITE, **{name: [one[name] for one in values] for name in _COLUMNS})
