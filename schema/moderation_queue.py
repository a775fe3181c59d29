"""The moderation queue, its cases (objects that a moderator must decide about), and the mutations that assign cases."""

from datetime import datetime
from enum import Enum
from operator import attrgetter
from typing import Annotated, Any

import strawberry
from strawberry import UNSET

import resolvers.moderation_queue as resolve
from commands import assignments
from domain.moderation.reports import CaseSource
from models.reports import CaseAssignment, CaseOrder, CaseStatus
from resolvers.moderation_queue import CaseKind, Wanted
from resolvers.notices import open_notices
from schema.access import Rule, access
from schema.appeals import Appeal
from schema.connections import Connection, Edge
from schema.enums import describe_enum
from schema.fields import After, First, Info, batched, given, listed
from schema.interfaces import Node
from schema.notices import Notice
from schema.payloads import UserError, payload, user_errors
from schema.reports import Report, ReportReasonCount
from schema.scalars import Count
from schema.statements import Statement
from schema.users import User

describe_enum(
    CaseKind,
    "The kind of target of a case in the moderation queue.",
    POST="Posts.",
    COMMENT="Comments.",
    USER="Users.",
    ENTITY="Entities.",
    COLLECTION="Public collections.",
)
describe_enum(
    CaseStatus,
    "Whether the target of a case waits for a moderator.",
    OPEN="It waits for approval, or has open reports, open notices or an open appeal.",
    RESOLVED="It does not wait for a moderator any more.",
)
describe_enum(
    CaseAssignment,
    "Selects cases by the moderator to whom they are assigned.",
    MINE="The case is assigned to the viewer.",
    UNASSIGNED="The case is not assigned to another moderator.",
)
describe_enum(
    CaseOrder,
    "The order of the moderation queue.",
    OLDEST="The oldest first, by the time when the case was opened or, if it is resolved, when it was resolved.",
    NEWEST="The newest case first, by the same times as in `OLDEST`.",
    MOST_REPORTED="Cases with an open notice of a trusted flagger first, then the highest weight of open reports. "
    "Notices of others have no weight. Reports from new accounts, from reporters whose reports "
    "are mostly dismissed, and from one network weigh less.",
)


class ModerationSource(Enum):
    """A reason why an object is in the moderation queue."""

    RULES = CaseSource.RULES
    WORDS = CaseSource.WORDS
    REVIEWER = CaseSource.REVIEWER
    REPORTS = CaseSource.REPORTS
    APPEALS = CaseSource.APPEAL
    NOTICES = CaseSource.NOTICE


describe_enum(
    ModerationSource,
    "A reason why something is in the moderation queue.",
    RULES="A rule objected to the post or comment, pre-moderation applies to it, or reports hide it.",
    WORDS="A post or comment contains a word of the word list.",
    REVIEWER="The external reviewer has not decided yet, or leaves the decision to a moderator.",
    REPORTS="Users have reported it.",
    APPEALS="A user has appealed against a decision about the target: a rejection, the deletion of a comment, labels, "
    "a suspension, a warning, a rejected profile text or avatar, a collection that was made private, or the dismissal "
    "of a report.",
    NOTICES="A person, perhaps without an account, has sent a notice that it is illegal.",
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
    rejected: Count = strawberry.field(
        name="rejectedCount",
        description="The number of decisions in the moderation log that rejected a post or comment of this user.",
    )
    warned: Count = strawberry.field(name="warnedCount", description="The number of warnings of this user.")
    suspended: Count = strawberry.field(name="suspendedCount", description="The number of suspensions of this user.")


@strawberry.type(
    description="A case of the moderation queue: why its target (a post, comment, user, entity or collection) "
    "waits or has waited for a moderator."
)
class ModerationCase:
    @strawberry.field(description="The reasons why the target waits. Empty for a resolved case.")
    def sources(self: Any) -> list[ModerationSource]:
        return [source for source in ModerationSource if source.value in self.sources]

    @strawberry.field(description="Whether the target waits for a moderator.")
    def status(self: Any) -> CaseStatus:
        return CaseStatus.OPEN if self.is_open else CaseStatus.RESOLVED

    @strawberry.field(description="The time since which the target has been waiting. Null for a resolved case.")
    def opened_at(self: Any) -> datetime | None:
        return self.changed_at if self.is_open else None

    @strawberry.field(description="The time when the case was resolved. Null for an open case.")
    def resolved_at(self: Any) -> datetime | None:
        return None if self.is_open else self.changed_at

    is_blurred: bool = listed(
        resolve.blurred,
        description="Whether a tool for moderators must blur the images of the target until the moderator asks for "
        "them: the external reviewer has recognized known illegal content, and no moderator has approved the target "
        "since.",
    )
    assignee: User | None = batched(
        lambda context: context.content.kept_users,
        key=attrgetter("assignee_id"),
        description="The moderator to whom the case is assigned. Null if the case is not assigned, or if the value is "
        "temporarily unavailable.",
    )
    assigned_until: datetime | None = strawberry.field(
        description="The time when the assignment ends. Null if the case is not assigned."
    )
    appeal: Appeal | None = listed(
        resolve.open_appeals,
        description="The open appeal of the author against a rejection. Null without one, or if the value is "
        "temporarily unavailable.",
    )
    appealed_statements: list[Statement] | None = listed(
        resolve.appealed_statements,
        description="The statements of reasons about the target with an open appeal, oldest appeal first. Decide the "
        "appeals with `decideAppeal`, and those about a rejected post or comment with `moderate`. Null for tokens that "
        "are restricted to businesses, or if the value is temporarily unavailable.",
    )
    appeal_deadline: datetime | None = listed(
        resolve.appeal_deadlines,
        description="The time until which the oldest open appeal about the target should be decided, as the operator "
        "has configured it. Null without an open appeal, or if the value is temporarily unavailable.",
    )
    is_held: bool | None = listed(
        resolve.held,
        description="Whether a moderator has made the collection private, so that its owner cannot make it public. "
        "`resolveReports` with `DISMISS` ends this. False for other targets. Null if the value is temporarily "
        "unavailable.",
    )
    author: User | None = batched(
        lambda context: context.content.kept_users,
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
    notices: list[Notice] | None = listed(
        open_notices,
        description="The open notices, at most ten: those of trusted flaggers first, then the newest first. Null if "
        "the value is temporarily unavailable.",
    )


@strawberry.type(description="A post, comment, user, entity or collection in the moderation queue.")
class ModerationEdge(Edge[Node]):
    reason: str | None = strawberry.field(
        description="The reason why this post or comment was not approved automatically. Null if no reason is "
        "recorded, and for users, entities and collections."
    )

    @strawberry.field(description="Why this object is in the queue.")
    def case(self: Any) -> ModerationCase:
        return resolve.case_of(self)  # type: ignore[return-value]


@strawberry.type(
    description="A page of the moderation queue: posts and comments that are not approved or rejected yet, and "
    "everything with open reports, open notices or an open appeal; or resolved cases."
)
class ModerationConnection(Connection[Node, ModerationEdge]):
    pass


@strawberry.input(description="The input of `assign`.")
class AssignInput:
    target_id: strawberry.ID = strawberry.field(description="The id of the post, comment, user, entity or collection.")


@strawberry.input(description="The input of `release`.")
class ReleaseInput:
    target_id: strawberry.ID = strawberry.field(description="The id of the post, comment, user, entity or collection.")


@strawberry.type(description="The result of `assign` and `release`.")
class AssignmentPayload:
    subject: ModerationCase | None = strawberry.field(
        name="case", description="The case after the change. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="The moderation queue: the posts and comments with the status `PENDING`, and everything with open "
        "reports, open notices or an open appeal. With the status `RESOLVED`, lists resolved cases. Leaves out cases "
        "of the viewer's own content and profile. Also leaves out appeals against the viewer's decisions about "
        "rejected posts and comments, and about users. Requires the role `VIEWER` or higher. With a token that is "
        "restricted to `post` or `comment`, lists only cases of posts or of comments. Fails with `BAD_INPUT` if "
        "`RESOLVED` is combined with `source`, `assignment` or `MOST_REPORTED`. Null only if `errors` has an error for "
        "it.",
        metadata=access(Rule.TARGET, personal=True),
    )
    async def moderation_queue(
        self: Any,
        info: Info,
        *,
        status: Annotated[
            CaseStatus, strawberry.argument(description="Lists open or resolved cases.")
        ] = CaseStatus.OPEN,
        kind: Annotated[
            CaseKind | None, strawberry.argument(description="Lists only cases of this kind of target.")
        ] = UNSET,
        business: Annotated[
            str | None,
            strawberry.argument(
                description="`post` lists posts and comments on posts; an external business lists its entities and the "
                "comments on them. Fails with `BAD_INPUT` for an unknown business."
            ),
        ] = UNSET,
        source: Annotated[
            ModerationSource | None,
            strawberry.argument(description="Lists only open cases with this source."),
        ] = UNSET,
        assignment: Annotated[
            CaseAssignment | None, strawberry.argument(description="Lists only open cases with this assignment.")
        ] = UNSET,
        sort: Annotated[CaseOrder, strawberry.argument(description="The order of the list.")] = CaseOrder.OLDEST,
        first: First = 20,
        after: After = UNSET,
    ) -> ModerationConnection | None:
        chosen = given(source)
        wanted = Wanted(status, given(kind), given(business), chosen and chosen.value, given(assignment), sort)
        return await resolve.queue(info.context, wanted, first, given(after))  # type: ignore[return-value]


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Assigns an open case of the moderation queue to the viewer for an hour, or renews the assignment. "
        "Other moderators see the assignment, and can still decide. The assignment ends when the case is resolved. "
        "Requires the role `MODERATOR` or higher, and `LEAD` while the author appeals. User errors: "
        "`TARGET_NOT_FOUND`, `TARGET_DELETED`, `NOT_ALLOWED` if the target is the viewer or belongs to the viewer, or "
        "if the author appeals against a decision of the viewer, `SUSPENDED`, `CASE_NOT_FOUND` if there is no open "
        "case, `CASE_ASSIGNED` if the case is assigned to another moderator.",
        metadata=access(Rule.TARGET, writes="moderation"),
    )
    async def assign(self: Any, info: Info, input: AssignInput) -> AssignmentPayload | None:
        return await payload(assignments.assign(info.context, input.target_id))

    @strawberry.mutation(
        description="Ends the viewer's assignment of a case. Succeeds and changes nothing if the case is not assigned "
        "to the viewer. Requires the role `MODERATOR` or higher. User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED`, "
        "`NOT_ALLOWED` if the target is the viewer or belongs to the viewer, or if the author appeals against a "
        "decision of the viewer, `CASE_NOT_FOUND` if the target never had a case.",
        metadata=access(Rule.TARGET, writes="moderation"),
    )
    async def release(self: Any, info: Info, input: ReleaseInput) -> AssignmentPayload | None:
        return await payload(assignments.release(info.context, input.target_id))
