"""The moderation queue: one case for each post, comment, user, entity or collection that has ever waited for a
moderator.

A case has sources (`CaseSource`): the reasons why its target waits, such as reports or an appeal. A case is open while
it has a source, and resolved without one.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import text

from domain.moderation.reports import CaseSource
from domain.moderation.verdicts import AuditStatus
from models.counters import EntityRef
from models.reports import CONTENT, TRUSTED_WEIGHT, CaseAssignment, CaseOrder, CaseRow, CaseStatus
from settings import COMMENTS, POSTS, USERS
from store.cache.lists import Item
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns

_AT_ONCE = 100
_COLUMNS = (
    "business_id, entity_id, about, author_id, moment, sources, reports, weight, assignee_id, assigned_until_ms, "
    "held_moment"
)
# The conflict with an existing case locks it. The update changes nothing.
_LOCK = text(f"""
    INSERT INTO cases AS c (business_id, entity_id, about, author_id, moment, sources, reports, weight)
    SELECT business_id, entity_id, about, author_id, 0, 0, 0, 0
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:about AS smallint[]),
                CAST(:authors AS bigint[]), CAST(:needed AS boolean[]))
         AS w(business_id, entity_id, about, author_id, needed)
    WHERE needed OR (business_id, entity_id) IN (
        SELECT business_id, entity_id FROM cases
        WHERE business_id = ANY(CAST(:businesses AS smallint[])) AND entity_id = ANY(CAST(:entities AS bigint[]))
    )
    ORDER BY business_id, entity_id
    ON CONFLICT (business_id, entity_id) DO UPDATE SET about = c.about
    RETURNING {_COLUMNS}
""")  # noqa: S608 - constants
_UPDATE = text("""
    UPDATE cases c SET author_id = w.author_id, moment = w.moment, sources = w.sources, reports = w.reports,
                       weight = w.weight, held_moment = w.held,
                       assignee_id = CASE WHEN w.sources <> 0 THEN c.assignee_id END
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:authors AS bigint[]),
                CAST(:moments AS bigint[]), CAST(:sources AS smallint[]), CAST(:reports AS integer[]),
                CAST(:weights AS bigint[]), CAST(:helds AS bigint[]))
         AS w(business_id, entity_id, author_id, moment, sources, reports, weight, held)
    WHERE (c.business_id, c.entity_id) = (w.business_id, w.entity_id)
""")
_PAGE = f"""
    SELECT {_COLUMNS} FROM cases c
    WHERE {{status}} AND business_id = ANY(CAST(:businesses AS smallint[]))
      AND about = coalesce(CAST(:about AS smallint), about)
      AND author_id IS DISTINCT FROM CAST(:moderator AS bigint)
      AND ({{place}}, entity_id) {{passed}} (:place, :member)
      AND NOT (sources & {CaseSource.APPEAL} <> 0 AND EXISTS (
          SELECT FROM appeals a WHERE (a.business_id, a.entity_id) = (c.business_id, c.entity_id)
              AND a.moderator_id = :moderator))
      AND NOT (sources = {CaseSource.APPEAL} AND business_id = {USERS} AND NOT EXISTS (
          SELECT FROM statements s WHERE s.user_id = c.entity_id
              AND (s.business_id, s.entity_id) = (c.business_id, c.entity_id) AND s.appeal_status = 0
              AND s.actor_id IS DISTINCT FROM CAST(:moderator AS bigint)))
      AND (CAST(:assignee AS bigint) IS NULL OR (assignee_id = :assignee AND assigned_until_ms > :now))
      AND NOT (:unassigned AND coalesce(assignee_id <> :moderator AND assigned_until_ms > :now, false))
    ORDER BY {{place}} {{direction}}, entity_id {{direction}} LIMIT :count
"""  # noqa: S608 - constants
_ASSIGN = text("""
    UPDATE cases SET assignee_id = :moderator, assigned_until_ms = :until
    WHERE (business_id, entity_id) = (:business, :entity) AND sources <> 0
      AND (assignee_id IS NULL OR assignee_id = :moderator OR assigned_until_ms <= :now)
""")
_RELEASE = text("""
    UPDATE cases SET assignee_id = NULL
    WHERE (business_id, entity_id) = (:business, :entity) AND assignee_id = :moderator
""")
_TO_HIDE = [
    text(f"""
        SELECT c.business_id, c.entity_id
        FROM unnest(CAST(:abouts AS smallint[]), CAST(:weights AS bigint[])) AS w(about, weight)
        JOIN cases c ON c.about = w.about AND c.weight >= w.weight
        JOIN {table} t ON t.{key} = c.entity_id
        WHERE c.business_id = {business} AND c.sources <> 0 AND c.sources & 7 = 0 AND c.weight >= :least
            AND c.weight % {TRUSTED_WEIGHT} >= w.weight
            AND t.status = {AuditStatus.APPROVED:d} AND NOT t.deleted AND t.audit_version <= t.content_version
        ORDER BY c.weight DESC LIMIT {_AT_ONCE}
    """)  # noqa: S608 - constants
    for business, table, key in ((POSTS, "posts", "post_id"), (COMMENTS, "comment_contents", "comment_id"))
]
_REPORTED = text("""
    SELECT business_id, entity_id FROM cases
    WHERE business_id = ANY(CAST(:businesses AS smallint[])) AND entity_id = ANY(CAST(:entities AS bigint[]))
      AND reports > 0
""")
_SINCE = "coalesce(held_moment, moment)"  # workers of versions without this column leave it null
_HELD = text(f"""
    SELECT {_COLUMNS} FROM cases
    WHERE sources & {CONTENT:d} <> 0 AND {_SINCE} < :before AND ({_SINCE}, entity_id) > (:moment, :member)
    ORDER BY {_SINCE}, entity_id LIMIT :count
""")  # noqa: S608 - constants
_WAITING = text("SELECT sources, count(*), min(moment) FROM cases WHERE sources <> 0 GROUP BY sources")
_BY_REF = text(f"""
    SELECT {_COLUMNS} FROM cases WHERE (business_id, entity_id) = (:business, :entity)
""")  # noqa: S608 - constants
_LAST = (1 << 63) - 1


_STATUSES = {CaseStatus.OPEN: "sources <> 0 AND sources & :sources <> 0", CaseStatus.RESOLVED: "sources = 0"}
_ORDERS = {
    CaseOrder.OLDEST: (Item(0, 0), {"place": "moment", "passed": ">", "direction": "ASC"}),
    CaseOrder.NEWEST: (Item(_LAST, _LAST), {"place": "moment", "passed": "<", "direction": "DESC"}),
    CaseOrder.MOST_REPORTED: (Item(_LAST, _LAST), {"place": "weight", "passed": "<", "direction": "DESC"}),
}
"""For each order: the item before the first page, and the parts of the statement that reads a page."""
_PAGES = {
    (status, order): text(_PAGE.format(status=condition, **parts))
    for status, condition in _STATUSES.items()
    for order, (_, parts) in _ORDERS.items()
}


class CaseFilter(NamedTuple):
    """Selects cases of the moderation queue for one moderator: by business, status, source and assignment."""

    businesses: Collection[int]
    """The numbers of the businesses of targets. Posts, comments and users are each a business; entities belong to the
    businesses that the deployment defines.
    """
    about: int | None
    """The business that the targets are about (`Target.about`); None for all."""
    moderator: int
    """The id of the moderator who looks at the queue. Leaves out the cases of this user's own content and profile, and
    appeals against this user's decisions.
    """
    status: CaseStatus = CaseStatus.OPEN
    source: CaseSource | None = None
    """Selects only open cases that have this source; None for all. Has no effect on resolved cases, which have no
    source.
    """
    assignment: CaseAssignment | None = None


class Target(NamedTuple):
    """The facts about the target of a case (a post, comment, user, entity or collection) that the case stores: the
    business that the target is about, and its author or owner (None: unknown).
    """

    about: int
    """For a comment, the business of the post or entity that it is on; otherwise the business of the target."""
    author_id: int | None
    needs_case: bool
    """Whether `lock` adds a case for the target if it has none."""


async def lock(transaction: Transaction, targets: Mapping[EntityRef, Target]) -> dict[EntityRef, CaseRow]:
    """Locks the cases of these targets until the transaction ends, and returns them by target. If a target has no case
    but `needs_case`, adds a resolved case, which has no source. Leaves out the other targets without a case.

    To avoid deadlocks, all transactions lock posts, then comments, then cases, each in the order of their ids. Lock the
    cases of targets before reading their reports in order to change them: reports have no lock of their own.
    """
    values = [(*ref, *target) for ref, target in sorted(targets.items())]
    names = "businesses", "entities", "about", "authors", "needed"
    rows = await transaction.execute(_LOCK, **columns(values, *names))
    return {row.ref: row for row in map(_row, rows)}


async def write(transaction: Transaction, rows: Iterable[CaseRow]) -> None:
    """Stores these cases, which `lock` must have locked. Ends a case's assignment to a moderator if the case has no
    source any more, because it is then resolved.
    """
    values = [
        (*row.ref, row.author_id, row.moment, int(row.sources), row.reports, row.weight, row.held_moment)
        for row in sorted(rows)
    ]
    names = "businesses", "entities", "authors", "moments", "sources", "reports", "weights", "helds"
    await transaction.execute(_UPDATE, **columns(values, *names))


async def page(
    postgres: Postgres, wanted: CaseFilter, order: CaseOrder, after: Item | None, count: int, now_ms: int
) -> list[CaseRow]:
    """Returns up to `count` cases that `wanted` selects, in this order, beginning after the item `after`; None: with
    the first case. `now_ms` is the current time, in milliseconds since the Unix epoch: assignments that have ended by
    then do not count.
    """
    place, member = after or _ORDERS[order][0]
    sources = {"sources": int(wanted.source or ~CaseSource(0))} if wanted.status is CaseStatus.OPEN else {}
    rows = await postgres.read(
        _PAGES[wanted.status, order],
        place=place,
        member=member,
        count=count,
        about=wanted.about,
        businesses=sorted(wanted.businesses),
        moderator=wanted.moderator,
        assignee=wanted.moderator if wanted.assignment is CaseAssignment.MINE else None,
        unassigned=wanted.assignment is CaseAssignment.UNASSIGNED,
        now=now_ms,
        **sources,
    )
    return list(map(_row, rows))


async def assign(postgres: Postgres, ref: EntityRef, moderator_id: int, now_ms: int, until_ms: int) -> bool:
    """Assigns an open case to a moderator until `until_ms`, in milliseconds since the Unix epoch. Returns False if the
    case is not open, or is assigned to another moderator at `now_ms`, the current time.
    """
    place = {"business": ref.business_id, "entity": ref.entity_id, "moderator": moderator_id}
    return await postgres.write(_ASSIGN, **place, now=now_ms, until=until_ms) > 0


async def release(postgres: Postgres, ref: EntityRef, moderator_id: int) -> None:
    """Ends the assignment of a case to this moderator, if there is one."""
    await postgres.write(_RELEASE, business=ref.business_id, entity=ref.entity_id, moderator=moderator_id)


async def by_ref(postgres: Postgres, ref: EntityRef) -> CaseRow | None:
    """Returns the case of a target; None if it never had one."""
    rows = await postgres.read(_BY_REF, business=ref.business_id, entity=ref.entity_id)
    return next(map(_row, rows), None)


async def to_hide(postgres: Postgres, weights: Mapping[int, int]) -> list[EntityRef]:
    """Returns approved posts and comments whose open reports weigh so much that they should be hidden: up to 100 posts
    and up to 100 comments. `weights` has the total weight from which this is so, by the number of the business that the
    post or comment is about. `weights` must not be empty.

    Leaves out posts and comments whose current content a moderator has approved, and those about businesses that are
    not in `weights`. Notices hide nothing, because everybody can send them.
    """
    given = columns(sorted(weights.items()), "abouts", "weights")
    found = [await postgres.read(statement, least=min(weights.values()), **given) for statement in _TO_HIDE]
    return [EntityRef(*row) for rows in found for row in rows]


async def held(postgres: Postgres, before: int, after: CaseRow | None, count: int) -> list[CaseRow]:
    """Returns up to `count` cases of posts and comments that have waited for approval since before the moment `before`,
    longest first, beginning after the case `after`; None: with the one that has waited longest.
    """
    moment, member = (after.held_moment or after.moment, after.ref.entity_id) if after else (0, 0)
    return list(map(_row, await postgres.read(_HELD, before=before, moment=moment, member=member, count=count)))


async def reported_among(transaction: Transaction, refs: Iterable[EntityRef]) -> set[EntityRef]:
    """Returns the given targets that have open reports."""
    rows = await transaction.execute(_REPORTED, **columns(sorted(refs), "businesses", "entities"))
    return {EntityRef(*row) for row in rows}


async def waiting(postgres: Postgres) -> list[tuple[CaseSource, int, int]]:
    """Returns how many cases are open: for each set of sources that open cases have, (the set, the number of cases, the
    moment at which the oldest of them was opened).
    """
    return [(CaseSource(sources), count, oldest) for sources, count, oldest in await postgres.read(_WAITING)]


def item_of(row: CaseRow, order: CaseOrder) -> Item:
    """Returns the position of a case in this order, to pass to `page` as `after`."""
    return Item(row.weight if order is CaseOrder.MOST_REPORTED else row.moment, row.ref.entity_id)


def _row(row: Iterable[Any]) -> CaseRow:
    business, entity, about, author, moment, sources, *rest = row
    return CaseRow(EntityRef(business, entity), about, author, moment, CaseSource(sources), *rest)
