"""The queue of posts and comments for moderators, and the mutation that approves or rejects a post or comment."""

from enum import Enum
from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.moderation as resolve
from domain.moderation.verdicts import AuditStatus
from schema.connections import Connection, Edge
from schema.enums import describe_enum
from schema.fields import PERSONAL, After, First, Info, given
from schema.interfaces import Node
from schema.payloads import UserError, user_errors


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


@strawberry.type(description="A post or comment in the moderation queue.")
class ModerationEdge(Edge[Node]):
    reason: str | None = strawberry.field(
        description="The reason why this post or comment was not approved automatically. Null if no reason is recorded."
    )


@strawberry.type(
    description="A page of the moderation queue: posts and comments that are not approved or rejected yet."
)
class ModerationConnection(Connection[Node, ModerationEdge]):
    pass


@strawberry.input(description="The input of `moderate`.")
class ModerateInput:
    target_id: strawberry.ID = strawberry.field(description="The id of the post or comment to approve or reject.")
    decision: ModerationDecision = strawberry.field(description="The decision: approve or reject.")
    reason: str = strawberry.field(
        description="The reason for the decision, 1 to 500 characters. If the decision is `REJECT`, the author is "
        "notified of the reason."
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
        description="The moderation queue: the posts and comments with the status `PENDING`, oldest first. Requires a "
        "token with the scope `moderate`. A token that is restricted to posts or to comments lists only these. Null "
        "only if `errors` has an error for it.",
        metadata=PERSONAL,
    )
    async def moderation_queue(
        self: Any, info: Info, first: First = 20, after: After = UNSET
    ) -> ModerationConnection | None:
        return await resolve.queue(info.context, first, given(after))  # type: ignore[return-value]


@strawberry.type
class ModerationMutation:
    @strawberry.mutation(
        description="Approves or rejects the current content of a post or comment, and replaces an earlier decision. "
        "Requires a token with the scope `moderate`. User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED` if the comment "
        "is deleted, `TEXT_TOO_LONG` and `TEXT_INVALID` for the reason, and `INVALID` if the reason is empty."
    )
    async def moderate(self: Any, info: Info, input: ModerateInput) -> ModeratePayload | None:
        status = input.decision.value
        return await resolve.moderate(info.context, input.target_id, status, input.reason)  # type: ignore[return-value]
