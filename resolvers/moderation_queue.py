"""The moderation queue: pages of cases with their targets, and the fields of a case. A case is opened for a target (a
post, comment, user, entity or collection) that a moderator must decide about, for example because it was reported.
"""

from collections import ChainMap
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from typing import NamedTuple

from commands.targets import ReportTarget
from context import Context
from domain import texts
from domain.errors import BadInput, Forbidden
from domain.ids import CommentId, PostId, born_ms
from domain.moderation.reports import CaseSource, ReportReason, ReportStatus
from identity.permissions import ModeratorRole
from models.appeals import AppealRow
from models.base import at
from models.comments import CommentRow
from models.counters import EntityRef
from models.moderation_log import ModerationAction
from models.posts import PostRow
from models.reports import CaseAssignment, CaseOrder, CaseRow, CaseStatus, ReportRow
from models.statements import StatementRow
from resolvers.pages import Connection, Edge, Scope, check_first, position
from settings import COLLECTIONS, COMMENTS, FIRST_EXTERNAL, POSTS, USERS
from store.content import comments, posts
from store.gather import gather_all
from store.groups import grouped
from store.moderation import appeals, cases, log, reports, statements
from store.moderation.cases import CaseFilter
from store.moderation.reviews import ModeratedRow
from store.reactions.collections import held_among

_RECORDED = ModerationAction.REJECTED, ModerationAction.WARNED, ModerationAction.SUSPENDED
_NEWEST = 3
"""How many of the newest reports of a case are shown."""


class CaseKind(Enum):
    """The kind of object that a case is about."""

    POST = POSTS
    COMMENT = COMMENTS
    USER = USERS
    ENTITY = FIRST_EXTERNAL
    COLLECTION = COLLECTIONS


@dataclass(slots=True)
class CasePage(Connection[ReportTarget]):
    """A page of the moderation queue. The items are the targets. `cases` has the case of each target, by the target's
    internal id.
    """

    cases: dict[int, CaseRow] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModerationRecord:
    """The moderation record of a user, as numbers: reports about the user (`received`) and by the user (`made`), how
    many of each moderators accepted, and rejections, warnings and suspensions of the user.
    """

    user_id: int
    received: int
    received_accepted: int
    made: int
    made_accepted: int
    rejected: int
    warned: int
    suspended: int

    @property
    def account_created_at(self) -> datetime:
        """Returns when the account was created."""
        return at(born_ms(self.user_id))


class Wanted(NamedTuple):
    """The arguments of Query.moderationQueue that select and order cases. None selects all."""

    status: CaseStatus
    kind: CaseKind | None
    business: str | None
    source: CaseSource | None
    assignment: CaseAssignment | None
    order: CaseOrder


async def queue(context: Context, asked: Wanted, first: int, after: str | None) -> Connection[ReportTarget]:
    """Resolves Query.moderationQueue: a page of cases with their targets, read from Postgres.

    Raises Unauthenticated without a token, Forbidden below the role VIEWER or is restricted to other
    businesses, BadCursor for an invalid cursor. Raises BadInput for an unknown business, unless `first` is 1 to 100,
    and if resolved cases are asked for with a filter or an order that only open cases have.
    """
    context.require_role(ModeratorRole.VIEWER)
    state = context.state
    if asked.business is not None and asked.business not in state.businesses:
        raise BadInput(texts.no_business(asked.business))
    only_open = asked.source or asked.assignment or asked.order is CaseOrder.MOST_REPORTED
    if asked.status is CaseStatus.RESOLVED and only_open:
        raise BadInput("Resolved cases have no source, no assignment and no open reports.")
    about = None if asked.business is None else state.businesses[asked.business].id
    moderator_id, businesses = context.require_viewer().user_id, _businesses(context, asked.kind)
    wanted = CaseFilter(businesses, about, moderator_id, asked.status, asked.source, asked.assignment)
    scope = f"moderation {asked}"
    before, passed = position(state.cursors, Scope(scope), after)
    rows = await cases.page(state.postgres, wanted, asked.order, before, check_first(first) + 1, state.now_ms())
    items = [cases.item_of(row, asked.order) for row in rows]
    targets = await targets_of(context, [(row.ref, row.author_id) for row in rows[:first]])
    by_id = {row.ref.entity_id: row.at_time(state.now_ms()) for row in rows}
    more = len(items) > first
    return CasePage(
        *(state.cursors, scope, items[:first], passed, targets, more, after is not None),
        reasons={row.entity_id: row.reason for row in targets.values() if isinstance(row, ModeratedRow)},
        cases=by_id,
    )


def _businesses(context: Context, kind: CaseKind | None) -> list[int]:
    """Returns the ids of the businesses whose cases the moderator may see; only those of one kind of target unless
    `kind` is None. With a restricted token these are posts and comments at most. Raises Forbidden if the token is for
    neither.
    """
    moderated = context.moderates
    allowed = {CaseKind.POST: [POSTS] if PostId.business in moderated else []}
    allowed[CaseKind.COMMENT] = [COMMENTS] if CommentId.business in moderated else []
    allowed[CaseKind.USER] = [USERS] if context.account_id is not None else []
    allowed[CaseKind.ENTITY] = [one.id for one in context.state.external.values()] if allowed[CaseKind.USER] else []
    allowed[CaseKind.COLLECTION] = [COLLECTIONS] if allowed[CaseKind.USER] else []
    if not any(allowed.values()):
        raise Forbidden("This token is restricted to other businesses.")
    return [one for of, some in allowed.items() if kind in (None, of) for one in some]


async def targets_of(context: Context, owned: Sequence[tuple[EntityRef, int | None]]) -> dict[int, ReportTarget | None]:
    """Returns the posts, comments, users, entities and collections with these references, by internal id, also hidden
    ones. Each reference comes with the author or owner. The value is None for a deleted post or collection, and the
    tombstone (without text and author) of a deleted comment. Posts and comments are read from Postgres, so that
    moderators see the newest decisions.
    """
    postgres, content, refs = context.state.postgres, context.content, [ref for ref, _ in owned]
    ids = grouped((ref.business_id, ref.entity_id) for ref in refs)
    entities = sorted({ref for ref in refs if ref.business_id >= FIRST_EXTERNAL})
    users = ids.get(USERS, [])
    owners = sorted({owner for ref, owner in owned if ref.business_id == COLLECTIONS and owner})
    reads: list[Awaitable[Mapping[int, ReportTarget | None]]] = [
        posts.by_id(postgres, ids.get(POSTS, [])),
        comments.by_id(postgres, ids.get(COMMENTS, [])),
        _by_id(users, content.kept_users.ask(users)),
        _by_id([ref.entity_id for ref in entities], content.kept_entities_by_id.ask(entities)),
        _collections(context, owners),
    ]
    found = ChainMap(*map(dict, await gather_all(*reads)))
    return {ref.entity_id: _undeleted(found.get(ref.entity_id)) for ref in refs}


def _undeleted(target: ReportTarget | None) -> ReportTarget | None:
    if isinstance(target, CommentRow) and target.deleted:
        return target.masked
    return None if isinstance(target, PostRow) and target.deleted else target


async def _collections(context: Context, owners: Sequence[int]) -> Mapping[int, ReportTarget | None]:
    """Returns all collections of these users, by internal id."""
    found = await context.own.collections.ask(owners) if owners else []
    return {row.collection_id: row for one in found for row in one.rows}


async def _by_id(
    ids: Sequence[int], reading: Awaitable[Sequence[ReportTarget | None]]
) -> Mapping[int, ReportTarget | None]:
    return dict(zip(ids, await reading, strict=True))


def case_of(edge: Edge[ReportTarget]) -> CaseRow:
    """Resolves ModerationEdge.case: the case of the edge's target."""
    assert isinstance(edge.page, CasePage)
    return edge.page.cases[edge.item.member]


async def reasons(context: Context, rows: Sequence[CaseRow]) -> Sequence[list[tuple[ReportReason, int]]]:
    """Resolves ModerationCase.reportReasons: for each case, the reasons of its open reports, each with the number of
    reports, most frequent first.
    """
    found = await reports.reasons(context.state.postgres, [row.ref for row in rows])
    return [found.get(row.ref, []) for row in rows]


async def newest_reports(context: Context, rows: Sequence[CaseRow]) -> Sequence[list[ReportRow]]:
    """Resolves ModerationCase.newestReports: at most three open reports of each case, newest first."""
    found = await reports.newest(context.state.postgres, [row.ref for row in rows], _NEWEST)
    return [found.get(row.ref, []) for row in rows]


async def open_appeals(context: Context, rows: Sequence[CaseRow]) -> Sequence[AppealRow | None]:
    """Resolves ModerationCase.appeal: for each case, the author's appeal that no moderator has decided yet; None
    without one.
    """
    refs = [row.ref for row in rows if row.sources & CaseSource.APPEAL]
    found = await appeals.open_among(context.state.postgres, refs) if refs else {}
    return [found.get(row.ref) for row in rows]


async def appealed_statements(context: Context, rows: Sequence[CaseRow]) -> Sequence[list[StatementRow] | None]:
    """Resolves ModerationCase.appealedStatements: for each case, the statements of reasons about its target with an
    open appeal, oldest appeal first; None for restricted tokens, which may not read statements.
    """
    if context.account_id is None:
        return [None] * len(rows)
    return await _appealed(context, rows)


async def _appealed(context: Context, rows: Sequence[CaseRow]) -> list[list[StatementRow]]:
    refs = [row.ref for row in rows if row.sources & CaseSource.APPEAL]
    found = await statements.appealed_among(context.state.postgres, refs) if refs else {}
    return [found.get(row.ref, []) for row in rows]


async def appeal_deadlines(context: Context, rows: Sequence[CaseRow]) -> Sequence[datetime | None]:
    """Resolves ModerationCase.appealDeadline: for each case, until when its oldest open appeal should be decided; None
    without one.
    """
    opened, appealed = await open_appeals(context, rows), await _appealed(context, rows)
    allowed = timedelta(days=context.state.settings.moderation.appeal_answer_days)
    found: list[datetime | None] = []
    for appeal, explained in zip(opened, appealed, strict=True):
        times = [row.appeal.created_at for row in explained if row.appeal]
        times += [appeal.created_at] if appeal else []
        found.append(min(times) + allowed if times else None)
    return found


async def blurred(context: Context, rows: Sequence[CaseRow]) -> list[bool]:
    """Resolves ModerationCase.isBlurred: whether the external reviewer has recognized the target of each case as known
    illegal content.
    """
    found = await log.matched(context.state.postgres, [row.ref for row in rows])
    return [row.ref in found for row in rows]


async def held(context: Context, rows: Sequence[CaseRow]) -> list[bool]:
    """Resolves ModerationCase.isHeld: whether the target of each case is a collection that a moderator has made
    private.
    """
    places = [(row.author_id or 0, row.ref.entity_id) for row in rows if row.ref.business_id == COLLECTIONS]
    found = await held_among(context.state.postgres, places) if places else set()
    return [row.ref.business_id == COLLECTIONS and (row.author_id or 0, row.ref.entity_id) in found for row in rows]


async def records(context: Context, rows: Sequence[CaseRow]) -> Sequence[ModerationRecord | None]:
    """Resolves ModerationCase.authorRecord: what moderation has recorded about the author of the target of each case;
    None without an author. A record is about all businesses, so restricted tokens get None.
    """
    if context.account_id is None:
        return [None] * len(rows)
    users = sorted({row.author_id for row in rows if row.author_id})
    postgres = context.state.postgres
    made, received = await gather_all(reports.made(postgres, users), reports.received(postgres, users))
    decided = await log.totals(postgres, users)

    def record(user: int) -> ModerationRecord:
        by_user, about_user = made.get(user, {}), received.get(user, {})
        accepted = ReportStatus.ACCEPTED
        return ModerationRecord(
            *(user, sum(about_user.values()), about_user.get(accepted, 0)),
            *(sum(by_user.values()), by_user.get(accepted, 0)),
            *(decided.get(user, {}).get(action, 0) for action in _RECORDED),
        )

    return [record(row.author_id) if row.author_id else None for row in rows]
