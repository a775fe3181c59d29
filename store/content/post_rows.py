"""Reads, locks and writes the rows of posts in the transaction in which a worker stores a batch of changes."""

from collections.abc import Iterable, Sequence

import orjson
from sqlalchemy import text

from domain.moderation.verdicts import AuditStatus
from models.images import plain
from models.posts import PostRow
from store.content.posts import BY_ID, COLUMNS, from_columns
from store.postgres.client import Reader, Transaction
from store.postgres.columns import columns
from store.postgres.distributed import one_shard
from store.write_log.journal import ClientTrace

_LOCK = one_shard(
    f"SELECT {COLUMNS} FROM posts WHERE post_id = ANY(CAST(:ids AS bigint[])) ORDER BY post_id FOR UPDATE",  # noqa: S608
    table="posts",
    column="post_id",
    parameter="ids",
)
_WRITE = text("""
    INSERT INTO posts AS p (post_id, author_id, moment, text, images, topics, status, reason, deleted, edited_ms,
                            content_version, audit_version, version, custom, ip, device, client)
    SELECT post_id, author_id, moment, text, CAST(images AS jsonb), CAST(topics AS text[]), status, reason, deleted,
           edited_ms, content_version, audit_version, version, custom, CAST(ip AS inet), device, client
    FROM unnest(CAST(:posts AS bigint[]), CAST(:authors AS bigint[]), CAST(:moments AS bigint[]),
                CAST(:texts AS text[]), CAST(:images AS text[]), CAST(:topics AS text[]), CAST(:statuses AS smallint[]),
                CAST(:reasons AS text[]), CAST(:deleted AS boolean[]), CAST(:edited AS bigint[]),
                CAST(:contents AS bigint[]), CAST(:audits AS bigint[]), CAST(:versions AS bigint[]),
                CAST(:customs AS text[]), CAST(:ips AS text[]), CAST(:devices AS text[]), CAST(:clients AS text[]))
         AS w(post_id, author_id, moment, text, images, topics, status, reason, deleted, edited_ms, content_version,
              audit_version, version, custom, ip, device, client)
    ON CONFLICT (post_id) DO UPDATE SET
        text = excluded.text, images = excluded.images, topics = excluded.topics, status = excluded.status,
        reason = excluded.reason, deleted = excluded.deleted, edited_ms = excluded.edited_ms,
        content_version = excluded.content_version, audit_version = excluded.audit_version, version = excluded.version,
        custom = excluded.custom
""")
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
        (
            *(row.post_id, row.author_id, row.moment, row.text, orjson.dumps(plain(row.images)).decode()),
            *(_array(row.topic_names), int(row.status), row.reason, row.deleted, row.edited_ms),
            *(row.content_version, row.audit_version, row.version, row.custom, trace.ip, trace.device, trace.client),
        )
        for row, trace in ((row, trace or _UNKNOWN_CLIENT) for row, trace in rows)
    ]
    names = "posts", "authors", "moments", "texts", "images", "topics", "statuses", "reasons", "deleted", "edited"
    versions, clients = ("contents", "audits", "versions", "customs"), ("ips", "devices", "clients")
    await transaction.execute(_WRITE, **columns(values, *names, *versions, *clients))


def _array(names: Sequence[str]) -> str:
    """Returns topic names as a Postgres array literal. The names contain no quotes or backslashes."""
    quoted = ",".join(f'"{name}"' for name in names)
    return f"{{{quoted}}}"
