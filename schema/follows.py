"""Follows: the two mutations."""

from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.follows as resolve
import resolvers.users as resolve_users
from schema.fields import Info, given
from schema.payloads import UserError, user_errors
from schema.users import User, Viewer


@strawberry.input(description="Whom to follow.")
class FollowInput:
    user_id: strawberry.ID = strawberry.field(description="The id of another user.")
    idempotency_key: str | None = strawberry.field(
        default=UNSET, description="Makes repeating safe for a day; one per intended change, at most 128 characters."
    )


@strawberry.type(description="The outcome of a follow.")
class FollowPayload:
    subject: User | None = strawberry.field(name="user", description="Who was followed, as they are now.")
    user_errors: list[UserError] = user_errors()

    @strawberry.field(description="The signed-in person.")
    def viewer(self: Any, info: Info) -> Viewer | None:
        return resolve_users.viewer(info.context)  # type: ignore[return-value]


@strawberry.type
class FollowMutation:
    @strawberry.mutation(description="Follows somebody. Following twice changes nothing.")
    async def follow(self: Any, info: Info, input: FollowInput) -> FollowPayload | None:
        key = given(input.idempotency_key)
        return await resolve.follow(info.context, True, input.user_id, key)  # type: ignore[return-value]

    @strawberry.mutation(description="Stops following somebody.")
    async def unfollow(self: Any, info: Info, input: FollowInput) -> FollowPayload | None:
        key = given(input.idempotency_key)
        return await resolve.follow(info.context, False, input.user_id, key)  # type: ignore[return-value]
