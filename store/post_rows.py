"""Rows of posts: locked and written by the transaction of a batch; what moderation is to do about them."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import orjson
from sqlalchemy import text

from models.notifications import NotificationKind
from models.posts import PostRow, plain
from settings import POSTS
from store.journal import Trace
from store.lists import Item
from store.postgres import Postgres, Transaction
from store.posts import COLUMNS, from_columns

_LOCK = text(f"""
    SELECT {COLUMNS} FROM posts WHERE post_id = ANY(CAST(:ids AS bigint[])) ORDER BY post_id FOR UPDATE
""")  # noqa: S608 - constants
_WRITE = text("""
    INSERT INTO posts AS p (post_id, author_id, moment, text, images, topics, status, reason, deleted, edited_ms,
                            content_version, audit_version, version, ip, device, client)
    SELECT post_id, author_id, moment, text, CAST(images AS jsonb), CAST(topics AS text[]), status, reason, deleted,
           edited_ms, content_version, audit_version, version, CAST(ip AS inet), device, client
    FROM unnest(CAST(:posts AS bigint[]), CAST(:authors AS bigint[]), CAST(:moments AS bigint[]),
                CAST(:texts AS text[]), CAST(:images AS text[]), CAST(:topics AS text[]), CAST(:statuses AS smallint[]),
                CAST(:reasons AS text[]), CAST(:deleted AS boolean[]), CAST(:edited AS bigint[]),
                CAST(:contents AS bigint[]), CAST(:audits AS bigint[]), CAST(:versions AS bigint[]),
                CAST(:ips AS text[]), CAST(:devices AS text[]), CAST(:clients AS text[]))
         AS w(post_id, author_id, moment, text, images, topics, status, reason, deleted, edited_ms, content_version,
              audit_version, version, ip, device, client)
    ON CONFLICT (post_id) DO UPDATE SET
        text = excluded.text, images = excluded.images, topics = excluded.topics, status = excluded.status,
        reason = excluded.reason, deleted = excluded.deleted, edited_ms = excluded.edited_ms,
        content_version = excluded.content_version, audit_version = excluded.audit_version, version = excluded.version
""")
_REVIEW = text("""
    INSERT INTO reviews AS r (post_id, partition, content_version)
    SELECT * FROM unnest(CAST(:posts AS bigint[]), CAST(:partitions AS smallint[]), CAST(:contents AS bigint[]))
    ON CONFLICT (post_id) DO UPDATE SET content_version = excluded.content_version
""")
_DUE_REVIEWS = text("""
    SELECT post_id, content_version FROM reviews WHERE partition = ANY(CAST(:partitions AS smallint[]))
    ORDER BY content_version LIMIT :count
""")
_REVIEWED = text("DELETE FROM reviews WHERE post_id = :post AND content_version = :content")
_WAITING = text(f"""
    SELECT {COLUMNS} FROM posts WHERE status = 0 AND NOT deleted AND (moment, post_id) > (:moment, :post)
    ORDER BY moment, post_id LIMIT :count
""")  # noqa: S608 - constants
_TELL = text(f"""
    INSERT INTO notifications (user_id, kind, business_id, entity_id, version, message)
    SELECT user_id, {NotificationKind.MODERATION:d}, {POSTS}, post_id, version, message
    FROM unnest(CAST(:authors AS bigint[]), CAST(:posts AS bigint[]), CAST(:versions AS bigint[]),
                CAST(:messages AS text[])) AS t(user_id, post_id, version, message)
    ON CONFLICT DO NOTHING
""")  # noqa: S608 - constants
_NOWHERE = Trace()


async def lock(transaction: Transaction, ids: Iterable[int]) -> dict[int, PostRow]:
    """Those of the posts that have rows, kept from others until the transaction ends."""
    rows = await transaction.execute(_LOCK, ids=sorted(ids))
    return {row.post_id: from_columns(row) for row in rows}


async def write(transaction: Transaction, rows: Sequence[tuple[PostRow, Trace | None]]) -> None:
    """Rows as they are to be; where they came from is kept of new ones."""
    posts, traces = [row for row, _ in rows], [trace or _NOWHERE for _, trace in rows]
    await transaction.execute(
        _WRITE,
        posts=[row.post_id for row in posts],
        authors=[row.author_id for row in posts],
        moments=[row.moment for row in posts],
        texts=[row.text for row in posts],
        images=[orjson.dumps(plain(row.images)).decode() for row in posts],
        topics=[_array(row.topic_names) for row in posts],
        statuses=[int(row.status) for row in posts],
        reasons=[row.reason for row in posts],
        deleted=[row.deleted for row in posts],
        edited=[row.edited_ms for row in posts],
        contents=[row.content_version for row in posts],
        audits=[row.audit_version for row in posts],
        versions=[row.version for row in posts],
        ips=[trace.ip for trace in traces],
        devices=[trace.device for trace in traces],
        clients=[trace.client for trace in traces],
    )


def _array(names: Sequence[str]) -> str:
    """Topics as Postgres writes arrays: they have neither quotes nor backslashes."""
    quoted = ",".join(f'"{name}"' for name in names)
    return f"{{{quoted}}}"


class Review(NamedTuple):
    """A post that waits for the external reviewer, as it was in that version."""

    post_id: int
    content_version: int


async def ask_for_review(transaction: Transaction, rows: Sequence[PostRow], partition_of: Callable[[int], int]) -> None:
    """Posts that the external reviewer is to see, as they are now."""
    if rows:
        await transaction.execute(
            _REVIEW,
            posts=[row.post_id for row in rows],
            partitions=[partition_of(row.author_id) for row in rows],
            contents=[row.content_version for row in rows],
        )


async def due_reviews(postgres: Postgres, partitions: Iterable[int], count: int) -> list[Review]:
    """So many of the authors of these partitions, the oldest first."""
    return [Review(*row) for row in await postgres.read(_DUE_REVIEWS, partitions=list(partitions), count=count)]


async def reviewed(postgres: Postgres, review: Review) -> None:
    """It waits no longer, unless it has changed meanwhile."""
    async with postgres.transaction() as transaction:
        await transaction.execute(_REVIEWED, post=review.post_id, content=review.content_version)


async def waiting(postgres: Postgres, after: Item | None, count: int) -> list[PostRow]:
    """What waits for approval, the oldest first, younger than `after`."""
    moment, post = after or (0, 0)
    return [from_columns(row) for row in await postgres.read(_WAITING, moment=moment, post=post, count=count)]


async def tell_authors(transaction: Transaction, rejected: Sequence[tuple[PostRow, int]]) -> None:
    """That posts were rejected, each by the change of a version."""
    if rejected:
        await transaction.execute(
            _TELL,
            authors=[row.author_id for row, _ in rejected],
            posts=[row.post_id for row, _ in rejected],
            versions=[version for _, version in rejected],
            messages=[f"Your post was rejected: {row.reason or 'against the rules'}" for row, _ in rejected],
        )
