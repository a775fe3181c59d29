"""The mutations that pin and unpin a post."""

from typing import Any

import strawberry
from strawberry import UNSET

from commands import pinned_posts as commands
from schema.access import Rule, access
from schema.fields import Info, given
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors
from schema.users import User


@strawberry.input(description="The input of `pinPost` and `unpinPost`.")
class PinPostInput:
    post_id: strawberry.ID = strawberry.field(description="The id of the post. It must be a post of the viewer.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `pinPost` and `unpinPost`.")
class PinPostPayload:
    subject: User | None = strawberry.field(
        name="user",
        description="The viewer (the signed-in user), whose `pinnedPosts` include the change. Null if `userErrors` is "
        "not empty, or if the value is temporarily unavailable (then listed in `extensions.degraded`).",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Pins an approved post of the viewer (the signed-in user) to the viewer's profile. A user can pin "
        "three posts. If three are pinned, the post replaces those that were deleted or are not approved any more. "
        "Pinning a pinned post succeeds and changes nothing. Fails with `UNAUTHENTICATED` if no user is signed in. "
        "User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED`, `NOT_ALLOWED`, `PIN_LIMIT_REACHED`, `SUSPENDED`, "
        "`IDEMPOTENCY_MISMATCH`, and `INVALID` for a post that is not approved.",
        metadata=access(Rule.POST, writes="posts"),
    )
    async def pin_post(self: Any, info: Info, input: PinPostInput) -> PinPostPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.set_pinned(info.context, True, input.post_id, key))

    @strawberry.mutation(
        description="Unpins a post of the viewer (the signed-in user), also after it was deleted or rejected. "
        "Unpinning a post that is not pinned succeeds and changes nothing. Fails with `UNAUTHENTICATED` if no user is "
        "signed in. User errors: `TARGET_NOT_FOUND`, `NOT_ALLOWED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.POST, writes="posts"),
    )
    async def unpin_post(self: Any, info: Info, input: PinPostInput) -> PinPostPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.set_pinned(info.context, False, input.post_id, key))
