"""The queue of posts and comments that wait for the external reviewer."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import text

from domain.digests import digest
from domain.ids import CommentId, PostId
from domain.moderation.verdicts import ModerationVerdict
from models.comments import CommentRow
from models.counters import EntityRef
from models.moderation_steps import JUDGE, judgement
from models.posts import PostRow
from settings import COMMENTS, POSTS
from store.content import comments, posts
from store.content.patches import PatchStore
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.write_log.operations import Operation, Outcome

_REVIEW = text("""
    INSERT INTO reviews AS r (business_id, entity_id, partition, content_version)
    SELECT * FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:partitions AS smallint[]),
                         CAST(:contents AS bigint[]))
    ON CONFLICT (business_id, entity_id) DO UPDATE SET content_version = excluded.content_version
""")
_DUE_REVIEWS = text("""
    SELECT business_id, entity_id, content_version FROM reviews
    WHERE partition = ANY(CAST(:partitions AS smallint[])) ORDER BY content_version LIMIT :count
""")
_CLIENTS = {
    POSTS: text("SELECT host(ip) AS ip, device FROM posts WHERE post_id = :id"),
    COMMENTS: text("SELECT host(ip) AS ip, device FROM comment_contents WHERE comment_id = :id"),
}
_REVIEWED = text("""
    DELETE FROM reviews WHERE business_id = :business AND entity_id = :entity AND content_version = :content
""")
_REMEMBERED_MS = 3_600_000
"""Milliseconds for which the first verdict on a content version is remembered: longer than storing it takes."""
ModeratedRow = PostRow | CommentRow
"""A post or a comment, which moderation approves or rejects."""

MODERATED = frozenset({PostId.business, CommentId.business})
"""The names of the businesses whose objects moderation approves or rejects: posts and comments."""


class Review(NamedTuple):
    """A post or comment that waits for the external reviewer, at one version of its content."""

    ref: EntityRef
    content_version: int


async def ask_for_review(
    transaction: Transaction, rows: Sequence[ModeratedRow], partition_of: Callable[[int], int]
) -> None:
    """Queues those of the given posts and comments that wait for the external reviewer. `rows` must be in the order of
    their ids. `partition_of` returns the journal partition of an author id.
    """
    due = [(*row.ref, partition_of(row.author_id), row.content_version) for row in rows if row.awaits_review]
    if due:
        await transaction.execute(_REVIEW, **columns(due, "businesses", "entities", "partitions", "contents"))


async def due_reviews(postgres: Postgres, partitions: Iterable[int], count: int) -> list[Review]:
    """Returns up to `count` posts and comments from the queue whose authors are in these partitions, oldest content
    first.
    """
    rows = await postgres.read(_DUE_REVIEWS, partitions=list(partitions), count=count)
    return [Review(EntityRef(business_id, entity_id), content) for business_id, entity_id, content in rows]


async def content(postgres: Postgres, ref: EntityRef) -> ModeratedRow | None:
    """Returns a post or comment as it is stored; None if there is none."""
    source = comments.by_id if ref.business_id == COMMENTS else posts.by_id
    rows: dict[int, ModeratedRow] = {**await source(postgres, [ref.entity_id])}
    return rows.get(ref.entity_id)


async def under_review(postgres: Postgres, review: Review) -> ModeratedRow | None:
    """Returns the post or comment to review; None if it has changed since it was queued, or no longer waits for the
    reviewer.
    """
    row = await content(postgres, review.ref)
    return row if row and row.awaits_review and row.content_version == review.content_version else None


async def client_of(postgres: Postgres, ref: EntityRef) -> tuple[str | None, str | None]:
    """Returns the IP address and the device id with which a post or comment was published, each None if unknown."""
    rows = await postgres.read(_CLIENTS[ref.business_id], id=ref.entity_id)
    return (rows[0].ip, rows[0].device) if rows else (None, None)


async def submit(journal: PatchStore, row: ModeratedRow, verdict: ModerationVerdict) -> Outcome:
    """Appends the external reviewer's verdict on a post or comment to the journal. Returns the outcome; if its status
    is not DONE, nothing was appended. The first verdict on a content version counts: until it is stored, the same
    verdict again has the status REPLAY, and a different verdict MISMATCH.

    Raises RedisDown if Redis does not answer, and Moved if this process has missed a change of the write mode.
    """
    name = digest("external review", f"{row.global_id} {row.content_version}")
    said = verdict.status.name, verdict.reason, *([] if verdict.match is None else [verdict.match])
    said = *said, *(f"{one.name} {one.reason}" for one in verdict.labels)
    operation = Operation(name, digest(*said), _REMEMBERED_MS)
    what = verdict.status, verdict.reason
    entry = judgement(row.author_id, row, *what, reviewer=True, match=verdict.match, labels=verdict.labels)
    return await journal.append(row.author_id, JUDGE, operation, entry)


async def reviewed(postgres: Postgres, review: Review) -> None:
    """Removes a post or comment from the queue of the external reviewer, unless its content has changed in the
    meantime.
    """
    (business, entity), content = review
    await postgres.write(_REVIEWED, business=business, entity=entity, content=content)
