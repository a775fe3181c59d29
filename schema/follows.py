"""The mutations `follow`, `unfollow`, `acceptFollow` and `rejectFollow`."""

from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.users as resolve_users
from commands import follows as commands
from commands.targets import unless_missing
from domain.ids import UserId
from schema.access import Rule, access
from schema.fields import Info, given
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors
from schema.users import User
from schema.viewer import Viewer


@strawberry.input(description="The input of `follow`, `unfollow`, `acceptFollow` and `rejectFollow`.")
class FollowInput:
    user_id: strawberry.ID = strawberry.field(
        description="The id of the user to follow or unfollow, or whose request is answered."
    )
    idempotency_key: str | None = strawberry.field(
        default=UNSET,
        description=f"{IDEMPOTENCY_KEY} But for `acceptFollow` and `rejectFollow`, the same key with another `userId` "
        "counts as a new key.",
    )


@strawberry.type(description="The result of `follow`, `unfollow`, `acceptFollow` and `rejectFollow`.")
class FollowPayload:
    subject: User | None = strawberry.field(
        name="user",
        description="The other user, after the change. Null if `userErrors` is not empty, if the user who was "
        "unfollowed or rejected is hidden from the viewer, or if no user has this id. In the last case nothing is "
        "changed.",
    )
    user_errors: list[UserError] = user_errors()

    @strawberry.field(
        description="The viewer (the signed-in user) after the change. Also set if `userErrors` is not empty."
    )
    def viewer(self: Any, info: Info) -> Viewer | None:
        return resolve_users.viewer(info.context)  # type: ignore[return-value]


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Makes the viewer (the signed-in user) follow a user. If the account of the user is private, the "
        "viewer only asks to follow: `viewerRelation` is then `REQUESTED` until the user accepts or rejects the "
        "request. Following a user again, or asking again, succeeds and changes nothing. Fails with `UNAUTHENTICATED` "
        "if no user is signed in. User errors: `TARGET_NOT_FOUND`, `CANNOT_FOLLOW_SELF`, `FOLLOW_LIMIT_REACHED`, "
        "`BLOCKED`, `SUSPENDED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="follows"),
    )
    async def follow(self: Any, info: Info, input: FollowInput) -> FollowPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.follow(info.context, True, input.user_id, key))

    @strawberry.mutation(
        description="Makes the viewer (the signed-in user) stop following a user, or withdraw the request to follow, "
        "even if the user is hidden from the viewer. Unfollowing a user again succeeds and changes nothing. Fails with "
        "`UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, `CANNOT_FOLLOW_SELF`, "
        "`IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="follows"),
    )
    async def unfollow(self: Any, info: Info, input: FollowInput) -> FollowPayload | None:
        key = given(input.idempotency_key)
        writing = commands.follow(info.context, False, input.user_id, key)
        return await payload(unless_missing(input.user_id, UserId, writing))

    @strawberry.mutation(
        description="Makes the viewer (the signed-in user) accept the request of a user to follow the viewer. The user "
        "then follows the viewer, and is notified. Accepting again succeeds and changes nothing. Fails with "
        "`UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, `REQUEST_NOT_FOUND`, `INVALID` "
        "for the viewer's own id, `SUSPENDED`.",
        metadata=access(Rule.ACCOUNT, writes="follows"),
    )
    async def accept_follow(self: Any, info: Info, input: FollowInput) -> FollowPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.answer_request(info.context, True, input.user_id, key))

    @strawberry.mutation(
        description="Makes the viewer (the signed-in user) reject the request of a user to follow the viewer. The user "
        "is not notified, and can ask again. Succeeds and changes nothing if there is no request; a user who follows "
        "the viewer stays a follower (see `removeFollower`). Fails with `UNAUTHENTICATED` if no user is signed in. "
        "User errors: `TARGET_NOT_FOUND`, `INVALID` for the viewer's own id.",
        metadata=access(Rule.ACCOUNT, writes="follows"),
    )
    async def reject_follow(self: Any, info: Info, input: FollowInput) -> FollowPayload | None:
        key = given(input.idempotency_key)
        writing = commands.answer_request(info.context, False, input.user_id, key)
        return await payload(unless_missing(input.user_id, UserId, writing))
