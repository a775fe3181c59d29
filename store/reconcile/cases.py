"""Comparison of the moderation queue with the posts and comments that wait for approval, with open reports, and with
open appeals.
"""

from collections.abc import Sequence

from sqlalchemy import text

from domain.moderation.appeals import AppealStatus
from domain.moderation.reports import ReportStatus
from domain.moderation.verdicts import AuditStatus
from models.counters import EntityRef
from settings import COMMENTS, POSTS
from store.moderation.reports import Closing
from store.postgres.client import Transaction
from store.postgres.columns import columns
from store.reconcile.batches import Keyset

_WAITS = f"""
    CASE business_id
    WHEN {POSTS} THEN EXISTS (SELECT FROM posts WHERE post_id = entity_id AND status = 0 AND NOT deleted)
    WHEN {COMMENTS} THEN
        EXISTS (SELECT FROM comment_contents WHERE comment_id = entity_id AND status = 0 AND NOT deleted)
    ELSE false END
"""  # noqa: S608 - constants
_DELETED = f"""
    CASE business_id
    WHEN {POSTS} THEN EXISTS (SELECT FROM posts WHERE post_id = entity_id AND deleted)
    WHEN {COMMENTS} THEN EXISTS (SELECT FROM comment_contents WHERE comment_id = entity_id AND deleted)
    ELSE false END
"""  # noqa: S608 - constants
_APPEALED = """
    EXISTS (SELECT FROM appeals a WHERE a.business_id = c.business_id AND a.entity_id = c.entity_id AND a.status = 0)
"""
_APPEAL_IS_RIGHT = f"""
    CASE a.business_id
    WHEN {POSTS} THEN EXISTS (
        SELECT FROM posts p WHERE p.post_id = a.entity_id AND p.status = {AuditStatus.REJECTED:d} AND NOT p.deleted
            AND p.content_version = a.content_version)
    ELSE EXISTS (
        SELECT FROM comment_contents p WHERE p.comment_id = a.entity_id AND p.status = {AuditStatus.REJECTED:d}
            AND NOT p.deleted AND p.content_version = a.content_version)
    END
"""  # noqa: S608 - constants
_OPEN = """
    SELECT count(*) AS reports, coalesce(sum(weight), 0) AS weight FROM reports r
    WHERE r.business_id = c.business_id AND r.entity_id = c.entity_id AND r.status = 0
"""
CASES = Keyset(
    text(f"""
        SELECT c.business_id, c.entity_id, (c.sources & 7 <> 0) <> ({_WAITS}) OR (c.sources & 8 <> 0) <> (c.reports > 0)
            OR (c.reports, c.weight) <> (truth.reports, truth.weight) OR (c.sources & 16 <> 0) <> {_APPEALED}
        FROM (SELECT * FROM cases WHERE (business_id, entity_id) > (:business, :entity)
              ORDER BY business_id, entity_id LIMIT :count) AS c
        CROSS JOIN LATERAL ({_OPEN}) AS truth
        ORDER BY c.business_id, c.entity_id
    """),  # noqa: S608 - constants
    ("business", "entity"),
)
"""Reads all cases in batches. A case drifts if it differs from its post or comment, its reports or its appeal."""

_MISSING = """
    SELECT {business}, t.id, NOT EXISTS (SELECT FROM cases WHERE business_id = {business} AND entity_id = t.id)
    FROM (SELECT {id} AS id FROM {table} WHERE status = 0 AND NOT deleted AND :business <= {business} AND {id} > :entity
          ORDER BY {id} LIMIT :count) AS t
    ORDER BY t.id
"""
WAITING_POSTS = Keyset(text(_MISSING.format(business=POSTS, id="post_id", table="posts")), ("business", "entity"))
"""Reads all posts that wait for approval. A post drifts if it has no case."""
WAITING_COMMENTS = Keyset(
    text(_MISSING.format(business=COMMENTS, id="comment_id", table="comment_contents")), ("business", "entity")
)
"""Reads all comments that wait for approval. A comment drifts if it has no case."""
REPORTED = Keyset(
    text(f"""
        SELECT r.business_id, r.entity_id, ({_DELETED})
            OR NOT EXISTS (SELECT FROM cases c WHERE c.business_id = r.business_id AND c.entity_id = r.entity_id)
        FROM (SELECT DISTINCT business_id, entity_id FROM reports
              WHERE status = 0 AND (business_id, entity_id) > (:business, :entity)
              ORDER BY business_id, entity_id LIMIT :count) AS r
        ORDER BY r.business_id, r.entity_id
    """),  # noqa: S608 - constants
    ("business", "entity"),
)
"""Reads all targets with open reports. A target drifts if it has no case, or is deleted."""
APPEALED = Keyset(
    text(f"""
        SELECT a.business_id, a.entity_id, NOT ({_APPEAL_IS_RIGHT})
            OR NOT EXISTS (SELECT FROM cases c WHERE c.business_id = a.business_id AND c.entity_id = a.entity_id)
        FROM (SELECT * FROM appeals WHERE status = 0 AND (business_id, entity_id) > (:business, :entity)
              ORDER BY business_id, entity_id LIMIT :count) AS a
        ORDER BY a.business_id, a.entity_id
    """),  # noqa: S608 - constants
    ("business", "entity"),
)
"""Reads all open appeals. An appeal drifts if it has no case, or if its content is not rejected any more."""

_LOCK_POSTS, _LOCK_COMMENTS = (
    text(f"""
        SELECT FROM {table}
        WHERE {key} IN (
            SELECT entity_id FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]))
                AS w(business_id, entity_id) JOIN appeals USING (business_id, entity_id)
            WHERE business_id = {business} AND status = 0
        )
        ORDER BY {key} FOR UPDATE
    """)  # noqa: S608 - constants
    for table, key, business in (("posts", "post_id", POSTS), ("comment_contents", "comment_id", COMMENTS))
)
_CLOSE_APPEALS = text(f"""
    UPDATE appeals a SET status = {AppealStatus.MOOT:d}
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS w(business_id, entity_id)
    WHERE (a.business_id, a.entity_id) = (w.business_id, w.entity_id) AND a.status = 0 AND NOT ({_APPEAL_IS_RIGHT})
""")  # noqa: S608 - constants
_ADD = text(f"""
    INSERT INTO cases (business_id, entity_id, about, author_id, moment, sources, reports, weight)
    SELECT business_id, entity_id, coalesce(c.subject_business, business_id),
           coalesce(p.author_id, c.author_id, (
               SELECT r.author_id FROM reports r WHERE (r.business_id, r.entity_id) = (w.business_id, w.entity_id)
               ORDER BY r.version DESC LIMIT 1
           )), coalesce(CASE WHEN coalesce(p.status, c.status) = 0 THEN coalesce(p.moment, c.moment) END, (
               SELECT ((min(r.version) >> 20) << 10) | least(min(r.version) & 1048575, 1023) FROM reports r
               WHERE (r.business_id, r.entity_id) = (w.business_id, w.entity_id) AND r.status = 0
           ), (
               SELECT ((a.version >> 20) << 10) | least(a.version & 1048575, 1023) FROM appeals a
               WHERE (a.business_id, a.entity_id) = (w.business_id, w.entity_id) AND a.status = 0
           ), 0), 0, 0, 0
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS w(business_id, entity_id)
    LEFT JOIN posts p ON business_id = {POSTS} AND p.post_id = entity_id
    LEFT JOIN comment_contents c ON business_id = {COMMENTS} AND c.comment_id = entity_id
    ORDER BY business_id, entity_id
    ON CONFLICT DO NOTHING
""")  # noqa: S608 - constants
_LOCK = text("""
    SELECT FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS w(business_id, entity_id)
    JOIN cases c USING (business_id, entity_id) ORDER BY business_id, entity_id FOR UPDATE OF c
""")
_CLOSE = text(f"""
    UPDATE reports r SET status = {ReportStatus.MOOT:d}
    FROM (
        SELECT business_id, entity_id, coalesce(p.content_version, c.content_version) AS version
        FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS w(business_id, entity_id)
        LEFT JOIN posts p ON business_id = {POSTS} AND p.post_id = entity_id AND p.deleted
        LEFT JOIN comment_contents c ON business_id = {COMMENTS} AND c.comment_id = entity_id AND c.deleted
    ) AS gone
    WHERE (r.business_id, r.entity_id) = (gone.business_id, gone.entity_id) AND r.status = 0
      AND gone.version IS NOT NULL
    RETURNING r.business_id, r.entity_id, r.reporter_id, gone.version
""")  # noqa: S608 - constants
_REPAIR = text(f"""
    UPDATE cases c SET
        reports = truth.reports, weight = truth.weight,
        sources = CASE WHEN NOT truth.waits THEN 0 WHEN c.sources & 7 = 0 THEN 1 ELSE c.sources & 7 END
            | CASE WHEN truth.reports > 0 THEN 8 ELSE 0 END | CASE WHEN truth.appealed THEN 16 ELSE 0 END
    FROM (
        SELECT c.business_id, c.entity_id, ({_WAITS}) AS waits, {_APPEALED} AS appealed, one.reports, one.weight
        FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS c(business_id, entity_id)
        CROSS JOIN LATERAL ({_OPEN}) AS one
    ) AS truth
    WHERE (c.business_id, c.entity_id) = (truth.business_id, truth.entity_id)
""")  # noqa: S608 - constants


async def repair(transaction: Transaction, refs: Sequence[EntityRef]) -> list[tuple[int, Closing]]:
    """Writes these cases as their posts, comments, reports and appeals say. Closes the open reports of deleted content,
    and the open appeals about content that is not rejected any more. A batch that changes one of the cases waits
    meanwhile. Returns the reporters of closed reports, each with the deletion.
    """
    places = columns(sorted(refs), "businesses", "entities")
    for statement in (_LOCK_POSTS, _LOCK_COMMENTS, _CLOSE_APPEALS, _ADD, _LOCK):
        await transaction.execute(statement, **places)
    closed = await transaction.execute(_CLOSE, **places)
    await transaction.execute(_REPAIR, **places)
    return [
        (reporter_id, Closing(EntityRef(business, entity), version, ReportStatus.MOOT))
        for business, entity, reporter_id, version in closed
    ]
