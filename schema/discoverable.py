"""The mutation `setDiscoverable`."""

from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.discoverable as resolve
from schema.access import Rule, access
from schema.fields import Info, given
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors
from schema.viewer import Viewer


@strawberry.input(description="The input of `setDiscoverable`.")
class SetDiscoverableInput:
    discoverable: bool = strawberry.field(description="Whether searches find the viewer.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `setDiscoverable`.")
class SetDiscoverablePayload:
    subject: Viewer | None = strawberry.field(
        name="viewer",
        description="The viewer (the signed-in user) after the change. Null if `userErrors` is not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Sets whether searches of other users find the viewer and the viewer's posts and comments, and "
        "whether the viewer is suggested to others. By default, searches find all users. The profile and the posts "
        "stay visible everywhere else. The change applies to searches of other users within a second. Setting the same "
        "value again succeeds and changes nothing. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: "
        "`IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="profiles"),
    )
    async def set_discoverable(self: Any, info: Info, input: SetDiscoverableInput) -> SetDiscoverablePayload | None:
        key = given(input.idempotency_key)
        return await payload(resolve.set_discoverable(info.context, input.discoverable, key))
