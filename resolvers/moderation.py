"""Moderation: the queue and its cases, and the mutations that decide."""

from collections import ChainMap
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from commands import moderation as commands
from commands.moderation import ReportResolution
from commands.targets import ReportTarget
from context import MODERATE, Context
from domain.errors import BadInput, Forbidden
from domain.ids import CommentId, PostId, born_ms
from domain.moderation.reports import CaseSource, ReportReason, ReportStatus
from domain.moderation.verdicts import AuditStatus
from models.base import at
from models.counters import EntityRef
from models.reports import CaseRow, ReportRow
from resolvers.pages import Connection, Edge, Scope, check_first, position
from resolvers.payloads import Payload, payload
from settings import COMMENTS, FIRST_EXTERNAL, POSTS, USERS
from store.content import comments, posts
from store.gather import gather_all
from store.groups import grouped
from store.moderation import cases, reports
from store.moderation.cases import ANY_SOURCE, CaseFilter, CaseOrder
from store.moderation.reviews import ModeratedRow

_NEWEST = 3
"""The number of newest reports that are shown of a case."""


class CaseKind(Enum):
    """The kind of target of a case."""

    POST = POSTS
    COMMENT = COMMENTS
    USER = USERS
    ENTITY = FIRST_EXTERNAL


@dataclass(slots=True)
class CasePage(Connection[ReportTarget]):
    """A page of the moderation queue: the targets, and their cases by the same ids."""

    cases: dict[int, CaseRow] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModerationRecord:
    """The numbers of reports about a user and by a user."""

    user_id: int
    received: int
    received_accepted: int
    made: int
    made_accepted: int

    @property
    def account_created_at(self) -> datetime:
        """Returns when the account was created."""
        return at(born_ms(self.user_id))


async def moderate(context: Context, target_id: str, status: AuditStatus, reason: str) -> Payload[ModeratedRow]:
    """Resolves Mutation.moderate."""
    return await payload(commands.moderate(context, target_id, status, reason))


async def resolve_reports(
    context: Context, target_id: str, resolution: ReportResolution, reason: str, idempotency_key: str | None
) -> Payload[ReportTarget]:
    """Resolves Mutation.resolveReports."""
    return await payload(commands.resolve_reports(context, target_id, resolution, reason, idempotency_key))


async def queue(
    context: Context,
    kind: CaseKind | None,
    business: str | None,
    source: CaseSource | None,
    order: CaseOrder,
    first: int,
    after: str | None,
) -> Connection[ReportTarget]:
    """Resolves Query.moderationQueue: a page of open cases with their targets, from Postgres.

    Raises Forbidden if the token lacks the scope to moderate or is restricted to other businesses, BadCursor for an
    invalid cursor, and BadInput for a bad `first` or an unknown business.
    """
    context.require_scope(MODERATE)
    state = context.state
    if business is not None and business not in state.businesses:
        raise BadInput("There is no business with this name.")
    about = None if business is None else state.businesses[business].id
    moderator_id = context.require_viewer().user_id
    wanted = CaseFilter(_businesses(context, kind), about, source or ANY_SOURCE, moderator_id)
    scope = f"moderation {kind} {business} {source} {order.value}"
    before, passed = position(state.cursors, Scope(scope), after)
    rows = await cases.page(state.postgres, wanted, order, before, check_first(first) + 1)
    items = [cases.item_of(row, order) for row in rows]
    targets = await targets_of(context, [row.ref for row in rows[:first]])
    by_id = {row.ref.entity_id: row for row in rows}
    more = len(items) > first
    return CasePage(
        *(state.cursors, scope, items[:first], passed, targets, more, after is not None),
        reasons={row.entity_id: row.reason for row in targets.values() if isinstance(row, ModeratedRow)},
        cases=by_id,
    )


def _businesses(context: Context, kind: CaseKind | None) -> list[int]:
    """Returns the businesses whose cases the moderator may see, of one kind or of all kinds. Restricted tokens see
    posts and comments only.
    """
    moderated = context.moderates
    allowed = {CaseKind.POST: [POSTS] if PostId.business in moderated else []}
    allowed[CaseKind.COMMENT] = [COMMENTS] if CommentId.business in moderated else []
    allowed[CaseKind.USER] = [USERS] if context.account_id is not None else []
    allowed[CaseKind.ENTITY] = [one.id for one in context.state.external.values()] if allowed[CaseKind.USER] else []
    if not any(allowed.values()):
        raise Forbidden("This token is restricted to other businesses.")
    return [one for of, some in allowed.items() if kind in (None, of) for one in some]


async def targets_of(context: Context, refs: Sequence[EntityRef]) -> dict[int, ReportTarget | None]:
    """Returns the posts, comments, users and entities with these references, by id, also deleted and hidden ones. Posts
    and comments are read from Postgres, so that moderators see the newest decisions.
    """
    postgres, loaders = context.state.postgres, context.loaders
    ids = grouped((ref.business_id, ref.entity_id) for ref in refs)
    entities = sorted({ref for ref in refs if ref.business_id >= FIRST_EXTERNAL})
    users = ids.get(USERS, [])
    reads: list[Awaitable[Mapping[int, ReportTarget | None]]] = [
        posts.by_id(postgres, ids.get(POSTS, [])),
        comments.by_id(postgres, ids.get(COMMENTS, [])),
        _by_id(users, loaders.kept_users.load_many(users)),
        _by_id([ref.entity_id for ref in entities], loaders.entities_by_id.load_many(entities)),
    ]
    found = ChainMap(*map(dict, await gather_all(*reads)))
    return {ref.entity_id: found.get(ref.entity_id) for ref in refs}


async def _by_id(
    ids: Sequence[int], reading: Awaitable[Sequence[ReportTarget | None]]
) -> Mapping[int, ReportTarget | None]:
    return dict(zip(ids, await reading, strict=True))


def case_of(edge: Edge[ReportTarget]) -> CaseRow:
    """Resolves ModerationEdge.case."""
    assert isinstance(edge.page, CasePage)
    return edge.page.cases[edge.item.member]


async def reasons(context: Context, rows: Sequence[CaseRow]) -> Sequence[list[tuple[ReportReason, int]]]:
    """Resolves ModerationCase.reportReasons: the open reports of each case by reason, most frequent first."""
    found = await reports.reasons(context.state.postgres, [row.ref for row in rows])
    return [found.get(row.ref, []) for row in rows]


async def newest_reports(context: Context, rows: Sequence[CaseRow]) -> Sequence[list[ReportRow]]:
    """Resolves ModerationCase.newestReports."""
    found = await reports.newest(context.state.postgres, [row.ref for row in rows], _NEWEST)
    return [found.get(row.ref, []) for row in rows]


async def records(context: Context, rows: Sequence[CaseRow]) -> Sequence[ModerationRecord | None]:
    """Resolves ModerationCase.authorRecord. It is about all businesses, so restricted tokens do not see it."""
    if context.account_id is None:
        return [None] * len(rows)
    users = sorted({row.author_id for row in rows if row.author_id})
    made, received = await gather_all(
        reports.made(context.state.postgres, users), reports.received(context.state.postgres, users)
    )

    def record(user: int) -> ModerationRecord:
        by_user, about_user = made.get(user, {}), received.get(user, {})
        accepted = ReportStatus.ACCEPTED
        return ModerationRecord(
            *(user, sum(about_user.values()), about_user.get(accepted, 0)),
            *(sum(by_user.values()), by_user.get(accepted, 0)),
        )

    return [record(row.author_id) if row.author_id else None for row in rows]
