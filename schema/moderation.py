"""The moderation queue, and the mutations with which moderators decide."""

from datetime import datetime
from enum import Enum
from operator import attrgetter
from typing import Annotated, Any

import strawberry
from strawberry import UNSET

import resolvers.moderation as resolve
from commands.moderation import ReportResolution
from domain.moderation.reports import CaseSource
from domain.moderation.verdicts import AuditStatus
from resolvers.moderation import CaseKind
from schema.connections import Connection, Edge
from schema.enums import describe_enum
from schema.fields import PERSONAL, After, First, Info, batched, given, listed
from schema.interfaces import Node
from schema.payloads import IDEMPOTENCY_KEY, UserError, user_errors
from schema.reports import Report, ReportReasonCount
from schema.scalars import Count
from schema.users import User
from store.moderation.cases import CaseOrder


class ModerationDecision(Enum):
    """The decision of a moderator, with the moderation status that it gives to the post or comment."""

    APPROVE = AuditStatus.APPROVED
    REJECT = AuditStatus.REJECTED


describe_enum(
    ModerationDecision,
    "The decision of a moderator about a post or comment.",
    APPROVE="Approves the post or comment: all users can see it.",
    REJECT="Rejects the post or comment: only the author and moderators can see it.",
)


describe_enum(
    ReportResolution,
    "The decision of a moderator about the reports of a target.",
    DISMISS="The reports are wrong. The target stays as it is.",
    ACCEPT="The reports are right. The target stays as it is, for example because the user was suspended.",
    REMOVE="The reports are right, and the post or comment is rejected.",
)
describe_enum(
    CaseKind,
    "The kind of target of a case in the moderation queue.",
    POST="Posts.",
    COMMENT="Comments.",
    USER="Users.",
    ENTITY="Entities.",
)
describe_enum(
    CaseOrder,
    "The order of the moderation queue.",
    OLDEST="The longest waiting first.",
    NEWEST="The last opened first.",
    MOST_REPORTED="The highest weight of open reports first. Reports from new accounts, from reporters whose reports "
    "are mostly dismissed, and from one network weigh less.",
)


class ModerationSource(Enum):
    """A reason why something is in the moderation queue."""

    RULES = CaseSource.RULES
    WORDS = CaseSource.WORDS
    REVIEWER = CaseSource.REVIEWER
    REPORTS = CaseSource.REPORTS


describe_enum(
    ModerationSource,
    "A reason why something is in the moderation queue.",
    RULES="The rules about the author's behaviour objected to a post or comment.",
    WORDS="A post or comment contains a word of the word list.",
    REVIEWER="The external reviewer has not decided yet, or leaves the decision to a moderator.",
    REPORTS="Users have reported it.",
)


@strawberry.type(description="The account of a user, and the numbers of reports about and by the user.")
class ModerationRecord:
    account_created_at: datetime = strawberry.field(description="The time when the account was created.")
    received: Count = strawberry.field(
        name="reportsReceivedCount",
        description="The number of reports of this user and of the user's content. Of each reporter and target, the "
        "last report counts.",
    )
    received_accepted: Count = strawberry.field(
        name="acceptedReportsReceivedCount", description="How many of these reports moderators accepted."
    )
    made: Count = strawberry.field(
        name="reportsMadeCount",
        description="The number of reports that this user made. Of each target, the last report counts.",
    )
    made_accepted: Count = strawberry.field(
        name="acceptedReportsMadeCount", description="How many of these reports moderators accepted."
    )


@strawberry.type(description="A case in the moderation queue: why its target waits for a moderator.")
class ModerationCase:
    @strawberry.field(description="The reasons why the target is in the queue.")
    def sources(self: Any) -> list[ModerationSource]:
        return [source for source in ModerationSource if source.value in self.sources]

    opened_at: datetime = strawberry.field(description="The time since which the target has been in the queue.")
    author: User | None = batched(
        lambda loaders: loaders.kept_users,
        key=attrgetter("author_id"),
        description="The author or owner of the target, or the reported user. Null for an entity without owner, or if "
        "the value is temporarily unavailable.",
    )
    author_record: ModerationRecord | None = listed(
        resolve.records,
        description="The account of the author, and the numbers of reports about and by the author. Null for an entity "
        "without owner, for tokens that are restricted to businesses, or if the value is temporarily unavailable.",
    )
    reports: Count = strawberry.field(name="reportCount", description="The number of open reports of the target.")
    report_reasons: list[ReportReasonCount] | None = listed(
        resolve.reasons,
        description="The open reports by reason, most frequent first. Null if the value is temporarily unavailable.",
    )
    newest_reports: list[Report] | None = listed(
        resolve.newest_reports,
        description="The newest open reports, at most three. Null if the value is temporarily unavailable.",
    )


@strawberry.type(description="A post, comment, user or entity in the moderation queue.")
class ModerationEdge(Edge[Node]):
    reason: str | None = strawberry.field(
        description="The reason why this post or comment was not approved automatically. Null if no reason is "
        "recorded, and for users and entities."
    )

    @strawberry.field(description="Why this object is in the queue.")
    def case(self: Any) -> ModerationCase:
        return resolve.case_of(self)  # type: ignore[return-value]


@strawberry.type(
    description="A page of the moderation queue: posts and comments that are not approved or rejected yet, and "
    "everything with open reports."
)
class ModerationConnection(Connection[Node, ModerationEdge]):
    pass


@strawberry.input(description="The input of `resolveReports`.")
class ResolveReportsInput:
    target_id: strawberry.ID = strawberry.field(description="The id of the reported post, comment, user or entity.")
    resolution: ReportResolution = strawberry.field(description="What to do with the reports.")
    reason: str = strawberry.field(
        description="The reason of the decision, 1 to 500 characters. The reporters and, for `REMOVE`, the author are "
        "notified of it."
    )
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `resolveReports`.")
class ResolveReportsPayload:
    subject: Node | None = strawberry.field(
        name="target", description="The target after the decision. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.input(description="The input of `moderate`.")
class ModerateInput:
    target_id: strawberry.ID = strawberry.field(description="The id of the post or comment to approve or reject.")
    decision: ModerationDecision = strawberry.field(description="The decision: approve or reject.")
    reason: str = strawberry.field(
        description="The reason for the decision, 1 to 500 characters. The users who reported the target are "
        "notified of it and, if the decision is `REJECT`, the author."
    )


@strawberry.type(description="The result of `moderate`.")
class ModeratePayload:
    subject: Node | None = strawberry.field(
        name="target", description="The post or comment with its new status. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class ModerationQuery:
    @strawberry.field(
        description="The moderation queue: the posts and comments with the status `PENDING`, and everything with open "
        "reports. Requires a token with the scope `moderate`. A token that is restricted to posts or to comments "
        "lists only these. Null only if `errors` has an error for it.",
        metadata=PERSONAL,
    )
    async def moderation_queue(
        self: Any,
        info: Info,
        kind: Annotated[
            CaseKind | None, strawberry.argument(description="Lists only cases of this kind of target.")
        ] = UNSET,
        business: Annotated[
            str | None,
            strawberry.argument(
                description="Lists only posts (`post`), entities of this business, and comments on them. Fails with "
                "`BAD_INPUT` for an unknown business."
            ),
        ] = UNSET,
        source: Annotated[
            ModerationSource | None, strawberry.argument(description="Lists only cases with this source.")
        ] = UNSET,
        sort: Annotated[CaseOrder, strawberry.argument(description="The order of the list.")] = CaseOrder.OLDEST,
        first: First = 20,
        after: After = UNSET,
    ) -> ModerationConnection | None:
        chosen = given(source)
        return await resolve.queue(  # type: ignore[return-value]
            info.context, given(kind), given(business), chosen and chosen.value, sort, first, given(after)
        )


@strawberry.type
class ModerationMutation:
    @strawberry.mutation(
        description="Approves or rejects the current content of a post or comment, and replaces an earlier decision. "
        "Also dismisses or accepts its open reports. "
        "Requires a token with the scope `moderate`. User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED` if the comment "
        "is deleted, `TEXT_TOO_LONG` and `TEXT_INVALID` for the reason, and `INVALID` if the reason is empty."
    )
    async def moderate(self: Any, info: Info, input: ModerateInput) -> ModeratePayload | None:
        status = input.decision.value
        return await resolve.moderate(info.context, input.target_id, status, input.reason)  # type: ignore[return-value]

    @strawberry.mutation(
        description="Accepts or dismisses all open reports of a post, comment, user or entity. Notifies the reporters. "
        "Requires a token with the scope `moderate`. Succeeds and changes nothing if there are no open reports, except "
        "that `REMOVE` rejects the post or comment. User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED`, "
        "`TEXT_TOO_LONG` and `TEXT_INVALID` for the reason, `INVALID` if the reason is empty and for `REMOVE` of a "
        "user or an entity, `NOT_ALLOWED` for the moderator and their own content, `IDEMPOTENCY_MISMATCH`."
    )
    async def resolve_reports(self: Any, info: Info, input: ResolveReportsInput) -> ResolveReportsPayload | None:
        key = given(input.idempotency_key)
        return await resolve.resolve_reports(  # type: ignore[return-value]
            info.context, input.target_id, input.resolution, input.reason, key
        )
