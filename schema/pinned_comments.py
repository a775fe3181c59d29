"""The mutations that pin and unpin a comment."""

from typing import Any

import strawberry
from strawberry import UNSET

from commands import pinned_comments as commands
from schema.access import Rule, access
from schema.fields import Info, given
from schema.interfaces import Commentable
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors


@strawberry.input(description="The input of `pinComment` and `unpinComment`.")
class PinCommentInput:
    comment_id: strawberry.ID = strawberry.field(
        description="The id of the comment. The viewer must be the author of its post, or the owner of its entity."
    )
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `pinComment` and `unpinComment`.")
class PinCommentPayload:
    subject: Commentable | None = strawberry.field(
        description="The post or entity of the comment, after the change. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Pins an approved root comment to its post or entity, in place of the pinned one. Allowed for the "
        "author of the post and the owner of the entity. Pinning a comment again succeeds. Fails with "
        "`UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED`, `NOT_ALLOWED`, "
        "`SUSPENDED`, `IDEMPOTENCY_MISMATCH`, and `INVALID` for a reply or a comment that is not approved.",
        metadata=access(Rule.COMMENT, writes="comments"),
    )
    async def pin_comment(self: Any, info: Info, input: PinCommentInput) -> PinCommentPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.set_pinned(info.context, True, input.comment_id, key))

    @strawberry.mutation(
        description="Unpins a comment from its post or entity. Allowed for the author of the post and the owner of the "
        "entity, also after the pinned comment was deleted or hidden. Unpinning a comment that is not pinned succeeds "
        "and changes nothing. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, "
        "`TARGET_DELETED`, `NOT_ALLOWED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.COMMENT, writes="comments"),
    )
    async def unpin_comment(self: Any, info: Info, input: PinCommentInput) -> PinCommentPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.set_pinned(info.context, False, input.comment_id, key))
