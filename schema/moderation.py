"""Moderation: the queue, and the mutation that approves or rejects."""

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
    """The decision of a moderator."""

    APPROVE = AuditStatus.APPROVED
    REJECT = AuditStatus.REJECTED


describe_enum(
    ModerationDecision,
    "The decision of a moderator.",
    APPROVE="All users may see the post or comment.",
    REJECT="Only the author and moderators may see the post or comment.",
)


@strawberry.type(description="A post or comment that waits for a moderator.")
class ModerationEdge(Edge[Node]):
    reason: str | None = strawberry.field(
        description="The reason why this post or comment was not approved automatically. Null if no reason is recorded."
    )


@strawberry.type(description="A page of posts and comments that wait for a moderator.")
class ModerationConnection(Connection[Node, ModerationEdge]):
    pass


@strawberry.input(description="The input of `moderate`.")
class ModerateInput:
    target_id: strawberry.ID = strawberry.field(description="The id of the post or comment.")
    decision: ModerationDecision = strawberry.field(description="The decision: approve or reject.")
    reason: str = strawberry.field(
        description="The reason for the decision, 1 to 500 characters. The author of a rejected post or comment is "
        "notified with it."
    )


@strawberry.type(description="The result of `moderate`.")
class ModeratePayload:
    subject: Node | None = strawberry.field(
        name="target", description="The post or comment, with the new status. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class ModerationQuery:
    @strawberry.field(
        description="The posts and comments that wait for a moderator, oldest first. Requires the scope `moderate`. A "
        "token that is restricted to some businesses lists only these.",
        metadata=PERSONAL,
    )
    async def moderation_queue(
        self: Any, info: Info, first: First = 20, after: After = UNSET
    ) -> ModerationConnection | None:
        return await resolve.queue(info.context, first, given(after))  # type: ignore[return-value]


@strawberry.type
class ModerationMutation:
    @strawberry.mutation(
        description="Approves or rejects the current version of a post or comment. Replaces an earlier decision. "
        "Requires the scope `moderate`. User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED`, "
        "`TEXT_TOO_LONG`, `TEXT_INVALID`, and `INVALID` for an empty reason."
    )
    async def moderate(self: Any, info: Info, input: ModerateInput) -> ModeratePayload | None:
        status = input.decision.value
        return await resolve.moderate(info.context, input.target_id, status, input.reason)  # type: ignore[return-value]
