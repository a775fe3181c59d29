"""The mutations `repost`, `unrepost`, `muteReposts` and `unmuteReposts`."""

from typing import Any

import strawberry
from strawberry import UNSET

from commands import reposts as commands
from commands.targets import unless_missing
from domain.ids import PostId, UserId
from schema.access import Rule, access
from schema.fields import Info, given
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors
from schema.posts import Post
from schema.users import User


@strawberry.input(description="The input of `repost` and `unrepost`.")
class RepostInput:
    post_id: strawberry.ID = strawberry.field(description="The id of the post.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `repost` and `unrepost`.")
class RepostPayload:
    subject: Post | None = strawberry.field(
        name="post",
        description="The post after the change. Null if `userErrors` is not empty, or if `unrepost` was called for a "
        "post that is deleted or hidden from the viewer, or that does not exist.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.input(description="The input of `muteReposts` and `unmuteReposts`.")
class MuteRepostsInput:
    user_id: strawberry.ID = strawberry.field(description="The id of the user.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `muteReposts` and `unmuteReposts`.")
class MuteRepostsPayload:
    subject: User | None = strawberry.field(
        name="user",
        description="The user after the change. Null if `userErrors` is not empty, or if the user is hidden from the "
        "viewer.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Reposts a post for the viewer (the signed-in user): the post comes into the home timelines of the "
        "viewer's followers, in the place of the time of the repost. The author of the post is notified of the first "
        "repost by a user. Reposting a post again succeeds and changes nothing. Fails with `UNAUTHENTICATED` if no "
        "user is signed in. User errors: `TARGET_NOT_FOUND`, `NOT_ALLOWED` if the post is not approved, `SUSPENDED`, "
        "`IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.POST, writes="posts"),
    )
    async def repost(self: Any, info: Info, input: RepostInput) -> RepostPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.repost(info.context, input.post_id, key, stands=True))

    @strawberry.mutation(
        description="Removes the viewer's repost of a post, even if the post is hidden from the viewer. Succeeds and "
        "changes nothing if there is no repost. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: "
        "`TARGET_NOT_FOUND` for an id that is not of a post, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.POST, writes="posts"),
    )
    async def unrepost(self: Any, info: Info, input: RepostInput) -> RepostPayload | None:
        writing = commands.repost(info.context, input.post_id, given(input.idempotency_key), stands=False)
        return await payload(unless_missing(input.post_id, PostId, writing))

    @strawberry.mutation(
        description="Makes the viewer (the signed-in user) mute the reposts of a user: they bring no posts into the "
        "home timeline of the viewer, also earlier ones. The posts of the user still come there. Other users cannot "
        "see the mute. Muting again succeeds and changes nothing. Fails with `UNAUTHENTICATED` if no user is signed "
        "in. User errors: `TARGET_NOT_FOUND`, `CANNOT_MUTE_SELF`, `MUTE_LIMIT_REACHED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="boundaries"),
    )
    async def mute_reposts(self: Any, info: Info, input: MuteRepostsInput) -> MuteRepostsPayload | None:
        key = given(input.idempotency_key)
        writing = commands.mute_reposts(info.context, True, input.user_id, key)
        return await payload(unless_missing(input.user_id, UserId, writing))

    @strawberry.mutation(
        description="Ends the viewer's mute of the reposts of a user. Unmuting again succeeds and changes nothing. "
        "Fails with `UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, `CANNOT_MUTE_SELF`, "
        "`IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="boundaries"),
    )
    async def unmute_reposts(self: Any, info: Info, input: MuteRepostsInput) -> MuteRepostsPayload | None:
        key = given(input.idempotency_key)
        writing = commands.mute_reposts(info.context, False, input.user_id, key)
        return await payload(unless_missing(input.user_id, UserId, writing))
