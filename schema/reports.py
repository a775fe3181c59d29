"""Reports, and the mutation with which users report something to the moderators."""

from datetime import datetime
from operator import attrgetter
from typing import Any

import strawberry
from strawberry import UNSET

from commands import reports as commands
from commands.targets import unless_missing
from domain.ids import CommentId, PostId, UserId
from domain.moderation.reports import ReportReason
from schema.access import Rule, access
from schema.enums import describe_enum
from schema.fields import Info, batched, given
from schema.interfaces import Node
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors
from schema.scalars import Count
from schema.users import User

describe_enum(
    ReportReason,
    "The reason of a report.",
    SPAM="Advertising, fraud, or repeated unwanted content.",
    HARASSMENT="Bullying, insults or threats against a person.",
    HATE="Hatred against a group of people.",
    VIOLENCE="Depictions of violence, or calls for it.",
    SEXUAL="Sexual content.",
    SELF_HARM="Suicide, self-harm or eating disorders.",
    MISINFORMATION="False information that can do harm.",
    IMPERSONATION="The account pretends to be another person or organization.",
    INTELLECTUAL_PROPERTY="A violation of copyright or of a trademark.",
    ILLEGAL="Content that is illegal for another reason.",
    OTHER="Another reason, which the note explains.",
)


@strawberry.type(description="The number of open reports with one reason.")
class ReportReasonCount:
    @strawberry.field(description="The reason.")
    def reason(self: Any) -> ReportReason:
        return self[0]

    @strawberry.field(description="The number of open reports with this reason.")
    def count(self: Any) -> Count:
        return self[1]


@strawberry.type(description="A report, as moderators see it.")
class Report:
    reporter: User | None = batched(
        lambda context: context.content.kept_users,
        key=attrgetter("reporter_id"),
        description="The user who reported. Null if the value is temporarily unavailable.",
    )
    reason: ReportReason = strawberry.field(description="The reason of the report.")
    note: str | None = strawberry.field(description="The explanation of the reporter. Null without one.")
    created_at: datetime = strawberry.field(description="The time when the report was made.")


@strawberry.input(description="The input of `report`.")
class ReportInput:
    target_id: strawberry.ID = strawberry.field(
        description="The id of a post, comment, user, entity or public collection."
    )
    reason: ReportReason = strawberry.field(description="The reason of the report.")
    note: str | None = strawberry.field(
        default=UNSET, description="An explanation for the moderators, at most 1000 characters."
    )
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `report`.")
class ReportPayload:
    subject: Node | None = strawberry.field(
        name="target",
        description="The reported object. Null if `userErrors` is not empty, if a block or a suspension hides the "
        "object from the viewer, or if no post, comment or user has this id. In the last case nothing is reported.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Reports a post, comment, user, entity or public collection to the moderators. The author never "
        "learns who reported. The viewer (the signed-in user) gets a notification of the kind `REPORT` when a "
        "moderator has decided. "
        "Reporting again before that replaces the reason and the note. Content that a block or a suspension hides can "
        "be reported too. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, "
        "`TARGET_DELETED`, `CANNOT_REPORT_SELF`, `TEXT_TOO_LONG` and `TEXT_INVALID` for the note, "
        "`IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.TARGET, writes="reports"),
    )
    async def report(self: Any, info: Info, input: ReportInput) -> ReportPayload | None:
        note, key = given(input.note), given(input.idempotency_key)
        writing = commands.report(info.context, input.target_id, input.reason, note, key)
        types = PostId | CommentId | UserId
        return await payload(unless_missing(input.target_id, types, writing))
