"""Following people: relations, lists and counts on users, and the two verbs."""

from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any

import strawberry
from strawberry import UNSET

import resolvers.follows as resolve
import resolvers.users as resolve_users
from models.follows import Relation
from schema.batched import PAGE, Info, batched, given, listed
from schema.likes import counted
from schema.payloads import UserError, user_errors
from schema.scalars import Count

if TYPE_CHECKING:
    from schema.pages import UserConnection
    from schema.users import User, Viewer

strawberry.enum(Relation, description="What the viewer and a user are to each other.")

Users = Annotated["UserConnection", strawberry.lazy("schema.pages")]


@strawberry.type
class Followable:
    follower_count: Count | None = counted("followers", "How many users follow them.")
    following_count: Count | None = counted("following", "How many users they follow.")
    friend_count: Count | None = counted("friends", "How many follow them and are followed back.")
    viewer_relation: Relation | None = batched(
        lambda loaders: loaders.relations,
        key=attrgetter("user_id"),
        description="What they and the viewer are to each other; null when nobody is signed in.",
        personal=True,
    )

    followers: Users | None = listed(
        resolve.followers,
        description="Who follows them, newest first; of others only the newest.",
        **PAGE,
    )
    following: Users | None = listed(
        resolve.following,
        description="Whom they follow, newest first; of others only the newest.",
        **PAGE,
    )
    friends: Users | None = listed(
        resolve.friends,
        description="Who follows them and is followed back, newest friends first; of others only the newest.",
        **PAGE,
    )


@strawberry.input(description="Whom to follow.")
class FollowInput:
    user_id: strawberry.ID = strawberry.field(description="The id of another user.")
    idempotency_key: str | None = strawberry.field(
        default=UNSET, description="Makes repeating safe for a day; one per intended change, at most 128 characters."
    )


@strawberry.type(description="The outcome of a follow.")
class FollowPayload:
    subject: Annotated["User", strawberry.lazy("schema.users")] | None = strawberry.field(
        name="user", description="Who was followed, as they are now."
    )
    user_errors: list[UserError] = user_errors()

    @strawberry.field(description="The signed-in person.")
    def viewer(self: Any, info: Info) -> Annotated["Viewer", strawberry.lazy("schema.users")] | None:
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
