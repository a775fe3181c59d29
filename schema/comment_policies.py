"""The mutation that sets who may comment on a post or entity."""

from typing import Any

import strawberry
from strawberry import UNSET

from commands import comment_policies as commands
from models.comment_settings import CommentPolicy
from schema.access import Rule, access
from schema.fields import Info, given
from schema.interfaces import Commentable
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors


@strawberry.input(description="The input of `setCommentPolicy`.")
class SetCommentPolicyInput:
    subject_id: strawberry.ID = strawberry.field(
        description="The id of the post or entity. The viewer must be its author or owner."
    )
    policy: CommentPolicy = strawberry.field(description="Who may comment. An entity cannot have `MENTIONED`.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `setCommentPolicy`.")
class SetCommentPolicyPayload:
    subject: Commentable | None = strawberry.field(
        description="The post or entity after the change. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Sets who may comment on a post or entity, and reply to comments on it. Allowed for the author of "
        "the post and the owner of the entity, who may comment with every policy. Existing comments stay. Fails with "
        "`UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, `NOT_ALLOWED`, `INVALID` for "
        "`MENTIONED` on an entity, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.TARGET, writes="comments"),
    )
    async def set_comment_policy(self: Any, info: Info, input: SetCommentPolicyInput) -> SetCommentPolicyPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.set_policy(info.context, input.subject_id, input.policy, key))
