"""Compares the cases of the moderation queue with the posts and comments that wait for approval, with open reports and
notices, and with open appeals, and corrects the cases.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import text

from domain.moderation.appeals import AppealStatus
from domain.moderation.reports import CaseSource, ReportStatus
from domain.moderation.statements import Restriction
from domain.moderation.verdicts import AuditStatus
from domain.versions import moment_of
from models.appeals import AppealRow
from models.comments import CommentRow
from models.counters import EntityRef
from models.posts import PostRow
from models.reports import CONTENT, TRUSTED_WEIGHT, CaseRow
from settings import COMMENTS, POSTS
from store.content import comment_rows, post_rows
from store.moderation import appeals, cases, statements
from store.moderation.cases import Target
from store.moderation.reports import Closing
from store.moderation.statements import ContentAppeal
from store.postgres.client import Transaction
from store.postgres.columns import columns
from store.reconcile.batches import Comparison, compared

_KEY = "business_id, entity_id"
_NAMES = "business", "entity"
_BATCH = f"""
    SELECT {{columns}} FROM {{table}} WHERE {{condition}} AND ({_KEY}) > (:business, :entity)
    ORDER BY {_KEY} LIMIT :count
"""  # noqa: S608 - constants
_APPEALED = f"appeal_status = 0 AND restriction <> {Restriction.REJECTED:d}"
# The posts and comments of a batch that satisfy a condition.
_CONTENTS = f"""
    SELECT b.business_id, b.entity_id FROM batch b JOIN posts p ON p.post_id = b.entity_id
    WHERE b.business_id = {POSTS} AND {{condition}}
    UNION ALL SELECT b.business_id, b.entity_id FROM batch b JOIN comment_contents p ON p.comment_id = b.entity_id
    WHERE b.business_id = {COMMENTS} AND {{condition}}
"""  # noqa: S608 - constants
_WITH_CASE = f"SELECT {_KEY} FROM batch JOIN cases USING ({_KEY})"  # noqa: S608 - constants
_OF_BATCH = f"""
    waiting AS MATERIALIZED ({_CONTENTS.format(condition="p.status = 0 AND NOT p.deleted")}),
    reported AS MATERIALIZED (
        SELECT {_KEY}, count(*) AS reports, sum(r.weight) AS weight
        FROM batch JOIN reports r USING ({_KEY}) WHERE r.status = 0 GROUP BY {_KEY}
    ), noticed AS MATERIALIZED (
        SELECT {_KEY}, sum(CASE WHEN n.trusted THEN {TRUSTED_WEIGHT} ELSE 0 END) AS weight
        FROM batch JOIN notices n USING ({_KEY}) WHERE n.status = 0 GROUP BY {_KEY}
    ), appealed AS MATERIALIZED (
        SELECT {_KEY} FROM batch JOIN appeals a USING ({_KEY}) WHERE a.status = 0
        UNION SELECT {_KEY} FROM batch JOIN statements s USING ({_KEY}) WHERE {_APPEALED}
    ),
"""  # noqa: S608 - constants
CASES = compared(
    _KEY,
    _NAMES,
    _BATCH.format(columns=f"{_KEY}, sources, reports, weight", table="cases", condition="true"),
    f"""SELECT {_KEY} FROM batch c LEFT JOIN waiting w USING ({_KEY}) LEFT JOIN reported r USING ({_KEY})
            LEFT JOIN noticed n USING ({_KEY}) LEFT JOIN appealed a USING ({_KEY})
        WHERE (c.sources & 7 <> 0) = (w.entity_id IS NOT NULL) AND (c.sources & 8 <> 0) = (c.reports > 0)
          AND (c.reports, c.weight) = (coalesce(r.reports, 0), coalesce(r.weight, 0) + coalesce(n.weight, 0))
          AND (c.sources & 16 <> 0) = (a.entity_id IS NOT NULL)
          AND (c.sources & 32 <> 0) = (n.entity_id IS NOT NULL)""",  # noqa: S608 - constants
    _OF_BATCH,
)
"""Compares all cases. A case drifts if it disagrees with its post or comment, its reports, notices or appeal."""


def _waiting(business: int, table: str, id_: str) -> Comparison:
    """Returns the comparison of the posts or comments that wait for approval. One drifts if it has no case."""
    batch = f"""SELECT CAST({business} AS smallint) AS business_id, {id_} AS entity_id FROM {table}
        WHERE status = 0 AND NOT deleted AND :business <= {business} AND {id_} > :entity
        ORDER BY {id_} LIMIT :count"""  # noqa: S608 - constants
    return compared(_KEY, _NAMES, batch, _WITH_CASE)


WAITING_POSTS = _waiting(POSTS, "posts", "post_id")
"""Compares all posts that wait for approval. A post drifts if it has no case."""
WAITING_COMMENTS = _waiting(COMMENTS, "comment_contents", "comment_id")
"""Compares all comments that wait for approval. A comment drifts if it has no case."""


def _open(table: str) -> Comparison:
    """Returns the comparison of the targets with open reports or notices. A target drifts if it has no case, or is
    deleted.
    """
    return compared(
        _KEY,
        _NAMES,
        _BATCH.format(columns=f"DISTINCT {_KEY}", table=table, condition="status = 0"),
        f"{_WITH_CASE} EXCEPT SELECT {_KEY} FROM gone",  # noqa: S608 - constants
        f"gone AS MATERIALIZED ({_CONTENTS.format(condition='p.deleted')}),",
    )


REPORTED = _open("reports")
"""Compares all targets with open reports."""
NOTICED = _open("notices")
"""Compares all targets with open notices."""
_IS_REJECTED = f"p.status = {AuditStatus.REJECTED:d} AND NOT p.deleted AND p.content_version = b.content_version"
APPEALED = compared(
    _KEY,
    _NAMES,
    _BATCH.format(columns=f"{_KEY}, content_version", table="appeals", condition="status = 0"),
    f"SELECT {_KEY} FROM rejected JOIN cases USING ({_KEY})",  # noqa: S608 - constants
    f"rejected AS MATERIALIZED ({_CONTENTS.format(condition=_IS_REJECTED)}),",
)
"""Compares all open appeals. An appeal drifts if it has no case, or if its content is not rejected any more."""
APPEALED_STATEMENTS = compared(
    _KEY, _NAMES, _BATCH.format(columns=f"DISTINCT {_KEY}", table="statements", condition=_APPEALED), _WITH_CASE
)
"""Compares all targets of statements with an open appeal, except rejections. A target drifts if it has no case."""

_CLOSE = text(f"""
    UPDATE reports r SET status = {ReportStatus.MOOT:d}
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS w(business_id, entity_id)
    WHERE (r.business_id, r.entity_id) = (w.business_id, w.entity_id) AND r.status = 0
    RETURNING r.business_id, r.entity_id, r.reporter_id
""")  # noqa: S608 - a constant
_CLOSE_NOTICES = text(f"""
    UPDATE notices n SET status = {ReportStatus.MOOT:d}, decided = w.moment
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:moments AS bigint[]))
         AS w(business_id, entity_id, moment)
    WHERE (n.business_id, n.entity_id) = (w.business_id, w.entity_id) AND n.status = 0
""")  # noqa: S608 - a constant
_OPEN_NOTICES = text(f"""
    SELECT business_id, entity_id, sum(CASE WHEN trusted THEN {TRUSTED_WEIGHT} ELSE 0 END)::bigint, min(version)
    FROM notices
    WHERE business_id = ANY(CAST(:businesses AS smallint[])) AND entity_id = ANY(CAST(:entities AS bigint[]))
      AND status = 0
    GROUP BY business_id, entity_id
""")  # noqa: S608 - a constant
_OPEN_REPORTS = text("""
    SELECT business_id, entity_id, count(*), sum(weight), min(version), (array_agg(author_id ORDER BY version DESC))[1]
    FROM reports
    WHERE business_id = ANY(CAST(:businesses AS smallint[])) AND entity_id = ANY(CAST(:entities AS bigint[]))
      AND status = 0
    GROUP BY business_id, entity_id
""")
Content = PostRow | CommentRow
OpenReports = tuple[int, int, int, int | None]
"""The open reports of a target: (number, total weight, version of the oldest, author of the target in the newest)."""
_NO_REPORTS: OpenReports = (0, 0, 0, None)
OpenNotices = tuple[int, int]
"""The open notices about a target: (total weight, version of the oldest)."""


async def repair(transaction: Transaction, refs: Sequence[EntityRef]) -> list[tuple[int, Closing]]:
    """Corrects the cases of these targets, so that they agree with their posts, comments, reports, notices and appeals.
    Closes the open reports and notices of deleted content, and the open appeals about content that is not rejected any
    more. No outgoing event says that a notice was closed here. Returns, for each closed report, the id of the reporter
    and the deletion that closes the report.

    Until the transaction ends, a worker's batch that changes one of the cases waits.
    """
    contents = await _contents(transaction, refs)
    open_appeals = await _open_appeals(transaction, refs, contents)
    stored = await cases.lock(transaction, {ref: _target(ref, contents.get(ref)) for ref in refs})
    closed = await _close_reports(transaction, [one for ref in refs if (one := contents.get(ref)) and one.deleted])
    rows = await transaction.execute(_OPEN_REPORTS, **columns(sorted(refs), "businesses", "entities"))
    found: dict[EntityRef, OpenReports] = {EntityRef(business, entity): tuple(rest) for business, entity, *rest in rows}
    rows = await transaction.execute(_OPEN_NOTICES, **columns(sorted(refs), "businesses", "entities"))
    noticed = {EntityRef(business, entity): (weight, oldest) for business, entity, weight, oldest in rows}
    appealed = {ref: appeal.version for ref, appeal in open_appeals.items()}
    for row in await statements.appealed(transaction, refs):
        if row.appeal and row.restriction is not Restriction.REJECTED:
            appealed[row.ref] = min(row.appeal.version, appealed.get(row.ref, row.appeal.version))
    right = [
        _right(case, contents.get(ref), found.get(ref, _NO_REPORTS), appealed.get(ref), noticed.get(ref))
        for ref, case in stored.items()
    ]
    await cases.write(transaction, [case for case in right if case != stored[case.ref]])
    return closed


async def _contents(transaction: Transaction, refs: Sequence[EntityRef]) -> dict[EntityRef, Content]:
    """Locks and returns these posts and comments. The locks are in the same order as in workers' batches, to avoid
    deadlocks.
    """
    posts = await post_rows.lock(transaction, [ref.entity_id for ref in refs if ref.business_id == POSTS])
    comments = await comment_rows.lock(transaction, [ref.entity_id for ref in refs if ref.business_id == COMMENTS])
    rows: list[Content] = [*posts.values(), *comments.values()]
    return {row.ref: row for row in rows}


async def _open_appeals(
    transaction: Transaction, refs: Sequence[EntityRef], contents: Mapping[EntityRef, Content]
) -> dict[EntityRef, AppealRow]:
    """Returns the open appeals about content that is still rejected. Closes the other open appeals of `refs`."""
    found = {appeal.ref: appeal for appeal in await appeals.open_in(transaction, refs)}
    right = {ref: appeal for ref, appeal in found.items() if _is_about(appeal, contents.get(ref))}
    wrong = [appeal for ref, appeal in found.items() if ref not in right]
    await appeals.close(transaction, {appeal.ref: AppealStatus.MOOT for appeal in wrong})
    mirrored = [ContentAppeal(appeal.author_id, appeal.ref, appeal.version) for appeal in wrong]
    await statements.close_content(transaction, [(one, AppealStatus.MOOT) for one in mirrored])
    return right


def _is_about(appeal: AppealRow, row: Content | None) -> bool:
    """Returns whether the post or comment `row` is rejected and still has the content that the appeal is about."""
    if row is None or row.deleted:
        return False
    return row.status is AuditStatus.REJECTED and row.content_version == appeal.content_version


def _target(ref: EntityRef, row: Content | None) -> Target:
    about = row.subject_business if isinstance(row, CommentRow) else ref.business_id
    return Target(about, row.author_id if row else None, needs_case=True)


async def _close_reports(transaction: Transaction, deleted: Sequence[Content]) -> list[tuple[int, Closing]]:
    """Closes the open reports and notices of deleted content. Returns (reporter id, deletion) for each report."""
    deletions = {row.ref: Closing(row.ref, row.content_version, ReportStatus.MOOT) for row in deleted}
    moments = [(*ref, moment_of(deletion.version)) for ref, deletion in sorted(deletions.items())]
    await transaction.execute(_CLOSE_NOTICES, **columns(moments, "businesses", "entities", "moments"))
    rows = await transaction.execute(_CLOSE, **columns(sorted(deletions), "businesses", "entities"))
    return [(reporter_id, deletions[EntityRef(business, entity)]) for business, entity, reporter_id in rows]


def _right(
    case: CaseRow, row: Content | None, found: OpenReports, appealed: int | None, noticed: OpenNotices | None
) -> CaseRow:
    """Returns the corrected case, computed from its post or comment, its open reports and notices, and the version of
    its oldest open appeal (None: none). A case that was missing gets the moment at which it should have been opened.
    """
    reports, weight, oldest, author_id = found
    content, opened = CaseSource(0), moment_of(oldest or appealed or (noticed[1] if noticed else 0))
    if row and row.status is AuditStatus.PENDING and not row.deleted:
        content, opened = case.sources & CONTENT or CaseSource.RULES, row.moment
    return case.changed(
        case.moment or opened,
        case.author_id or author_id,
        content=content,
        has_appeal=appealed is not None,
        has_notice=noticed is not None,
        reports=reports - case.reports,
        weight=weight + (noticed[0] if noticed else 0) - case.weight,
    )
