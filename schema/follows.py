"""The mutations `follow` and `unfollow`."""

from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.follows as resolve
import resolvers.users as resolve_users
from schema.fields import Info, given
from schema.payloads import IDEMPOTENCY_KEY, UserError, user_errors
from schema.users import User, Viewer


@strawberry.input(description="The input of `follow` and `unfollow`.")
class FollowInput:
    user_id: strawberry.ID = strawberry.field(description="The id of the user to follow or unfollow.")
    idempotency_key: str | None = strawberry.field(
        default=UNSET,
        description=IDEMPOTENCY_KEY,
    )


@strawberry.type(description="The result of `follow` and `unfollow`.")
class FollowPayload:
    subject: User | None = strawberry.field(
        name="user",
        description="The user who was followed or unfollowed, after the change. Null if `userErrors` is not empty, or "
        "if the unfollowed user is hidden from the viewer.",
    )
    user_errors: list[UserError] = user_errors()

    @strawberry.field(
        description="The viewer (the signed-in user) after the change. Also set if `userErrors` is not empty."
    )
    def viewer(self: Any, info: Info) -> Viewer | None:
        return resolve_users.viewer(info.context)  # type: ignore[return-value]


@strawberry.type
class FollowMutation:
    @strawberry.mutation(
        description="Makes the viewer (the signed-in user) follow a user. Following a user again succeeds and changes "
        "nothing. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, "
        "`CANNOT_FOLLOW_SELF`, `FOLLOW_LIMIT_REACHED`, `SUSPENDED`, `IDEMPOTENCY_MISMATCH`."
    )
    async def follow(self: Any, info: Info, input: FollowInput) -> FollowPayload | None:
        key = given(input.idempotency_key)
        return await resolve.follow(info.context, True, input.user_id, key)  # type: ignore[return-value]

    @strawberry.mutation(
        description="Makes the viewer (the signed-in user) stop following a user, even if the user is hidden from "
        "the viewer. Unfollowing a user again succeeds and changes nothing. Fails with `UNAUTHENTICATED` if no user is "
        "signed in. User errors: `TARGET_NOT_FOUND`, `CANNOT_FOLLOW_SELF`, `IDEMPOTENCY_MISMATCH`."
    )
    async def unfollow(self: Any, info: Info, input: FollowInput) -> FollowPayload | None:
        key = given(input.idempotency_key)
        return await resolve.follow(info.context, False, input.user_id, key)  # type: ignore[return-value]
