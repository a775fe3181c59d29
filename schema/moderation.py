"""The mutations `moderate`, `resolveReports` and `warnUser` of moderators."""

from enum import Enum
from typing import Any

import strawberry
from strawberry import UNSET

from commands import moderation as commands
from commands.moderation import ReportResolution
from domain.moderation.verdicts import AuditStatus
from schema.access import Rule, access
from schema.enums import describe_enum
from schema.fields import Info, given
from schema.grounds import GROUND
from schema.interfaces import Node
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors
from schema.users import User


class ModerationDecision(Enum):
    """The decision of a moderator about a post or comment. The value is the moderation status that it gives."""

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
    REMOVE="The reports are right. The post or comment is rejected, or the collection is made private.",
)


@strawberry.input(description="The input of `resolveReports`.")
class ResolveReportsInput:
    target_id: strawberry.ID = strawberry.field(description="The id of the reported object.")
    resolution: ReportResolution = strawberry.field(description="What to do with the reports.")
    reason: str = strawberry.field(
        description="The reason of the decision, 1 to 500 characters. The reporters and, for `REMOVE`, the author are "
        "notified of it."
    )
    ground: str | None = strawberry.field(default=UNSET, description=GROUND)
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `resolveReports`.")
class ResolveReportsPayload:
    subject: Node | None = strawberry.field(
        name="target", description="The target after the decision. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.input(description="The input of `warnUser`.")
class WarnUserInput:
    user_id: strawberry.ID = strawberry.field(description="The id of the user to warn.")
    reason: str = strawberry.field(description="The reason for the warning, 1 to 500 characters. The user reads it.")
    ground: str | None = strawberry.field(default=UNSET, description=GROUND)
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `warnUser`.")
class WarnUserPayload:
    subject: User | None = strawberry.field(name="user", description="The user. Null if `userErrors` is not empty.")
    user_errors: list[UserError] = user_errors()


@strawberry.input(description="The input of `moderate`.")
class ModerateInput:
    target_id: strawberry.ID = strawberry.field(description="The id of the post or comment to approve or reject.")
    decision: ModerationDecision = strawberry.field(description="The decision: approve or reject.")
    reason: str = strawberry.field(
        description="The reason for the decision, 1 to 500 characters. The users who reported the target are "
        "notified of it and, if the decision is `REJECT`, the author."
    )
    ground: str | None = strawberry.field(default=UNSET, description=GROUND)


@strawberry.type(description="The result of `moderate`.")
class ModeratePayload:
    subject: Node | None = strawberry.field(
        name="target", description="The post or comment with its new status. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Approves or rejects the current content of a post or comment, and replaces an earlier decision. "
        "An approval dismisses the open reports and notices of the post or comment, and a rejection accepts them. "
        "Requires the role `MODERATOR` or higher, and `LEAD` if there is an open appeal. User errors: "
        "`TARGET_NOT_FOUND`, `TARGET_DELETED` if the comment is deleted, `NOT_ALLOWED` for the viewer's own content, "
        "if the author appeals against a decision of the viewer, and for the approval of content that was removed long "
        "after its rejection, `SUSPENDED`, `TEXT_TOO_LONG` and `TEXT_INVALID` for the reason, and `INVALID` if the "
        "reason is empty or the ground is unknown.",
        metadata=access(Rule.TARGET, writes="moderation"),
    )
    async def moderate(self: Any, info: Info, input: ModerateInput) -> ModeratePayload | None:
        status = input.decision.value
        return await payload(
            commands.moderate(info.context, input.target_id, status, input.reason, given(input.ground))
        )

    @strawberry.mutation(
        description="Accepts or dismisses all open reports and notices of a post, comment, user, entity or collection. "
        "Notifies the reporters. Requires the role `MODERATOR` or higher, and `LEAD` for `REMOVE` while the author "
        "appeals. Succeeds and changes nothing if there are no open reports, except that `REMOVE` rejects the post or "
        "comment, or makes the collection private, and `DISMISS` lets the owner make the collection public again. User "
        "errors: `TARGET_NOT_FOUND`, `TARGET_DELETED`, `TEXT_TOO_LONG` and `TEXT_INVALID` for the reason, `INVALID` if "
        "the reason is empty or the ground is unknown, and for `REMOVE` of a user or an entity, `NOT_ALLOWED` if the "
        "target is the viewer or belongs to the viewer, and for `REMOVE` if the author appeals against a decision of "
        "the viewer, `SUSPENDED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.TARGET, writes="moderation"),
    )
    async def resolve_reports(self: Any, info: Info, input: ResolveReportsInput) -> ResolveReportsPayload | None:
        key = given(input.idempotency_key)
        writing = commands.resolve_reports(
            info.context, input.target_id, input.resolution, input.reason, key, given(input.ground)
        )
        return await payload(writing)

    @strawberry.mutation(
        description="Warns a user. The user gets a notification of the kind `MODERATION` with the reason. The warning "
        "is recorded in the moderation log. Requires the role `LEAD`. User errors: `TARGET_NOT_FOUND`, `NOT_ALLOWED` "
        "for the viewer, `TEXT_TOO_LONG` and `TEXT_INVALID` for the reason, `INVALID` if the reason is empty or the "
        "ground is unknown, `SUSPENDED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="moderation"),
    )
    async def warn_user(self: Any, info: Info, input: WarnUserInput) -> WarnUserPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.warn(info.context, input.user_id, input.reason, key, given(input.ground)))
