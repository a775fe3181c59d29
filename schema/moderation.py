"""Moderation: the queue, and what moderators decide."""

from enum import Enum
from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.moderation as resolve
from domain.moderation.verdicts import AuditStatus
from schema.connections import Connection, Edge
from schema.fields import PERSONAL, Info, given
from schema.interfaces import Node
from schema.payloads import UserError, user_errors


@strawberry.enum(description="What a moderator decides.")
class ModerationDecision(Enum):
    APPROVE = AuditStatus.APPROVED
    REJECT = AuditStatus.REJECTED


@strawberry.type(description="Something that waits for a moderator.")
class ModerationEdge(Edge[Node]):
    reason: str | None = strawberry.field(description="Why it was not approved at once.")


@strawberry.type(description="A page of what waits for a moderator.")
class ModerationConnection(Connection[Node, ModerationEdge]):
    pass


@strawberry.input(description="A decision about something that somebody published.")
class ModerateInput:
    target_id: strawberry.ID = strawberry.field(description="The id of a post or a comment.")
    decision: ModerationDecision = strawberry.field(description="Whether everybody may see it.")
    reason: str = strawberry.field(description="Why; told to its author when it is rejected. At most 500 characters.")


@strawberry.type(description="The outcome of a moderator's decision.")
class ModeratePayload:
    subject: Node | None = strawberry.field(name="target", description="What was decided about, as it will be.")
    user_errors: list[UserError] = user_errors()


@strawberry.type
class ModerationQuery:
    @strawberry.field(description="What waits for approval, the oldest first. Scope moderate.", metadata=PERSONAL)
    async def moderation_queue(
        self: Any, info: Info, first: int = 20, after: str | None = UNSET
    ) -> ModerationConnection | None:
        return await resolve.queue(info.context, first, given(after))  # type: ignore[return-value]


@strawberry.type
class ModerationMutation:
    @strawberry.mutation(description="Approves or rejects something, whatever was decided before. Scope moderate.")
    async def moderate(self: Any, info: Info, input: ModerateInput) -> ModeratePayload | None:
        status = input.decision.value
        return await resolve.moderate(info.context, input.target_id, status, input.reason)  # type: ignore[return-value]
