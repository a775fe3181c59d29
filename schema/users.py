"""Users, the viewer, and what they say of themselves."""

from datetime import datetime
from operator import attrgetter
from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.follows as resolve_follows
import resolvers.home as resolve_home
import resolvers.likes as resolve_likes
import resolvers.media as resolve_media
import resolvers.notifications as resolve_notifications
import resolvers.posts as resolve_posts
import resolvers.recommended as resolve_recommended
import resolvers.users as resolve
from commands.users import ProfileChange, UserWish
from domain.errors import BadInput
from models.follows import Relation
from models.users import UserRow, ViewerRow
from schema import forward
from schema.connections import Connection, Edge
from schema.fields import PAGE, PERSONAL, Info, batched, counted, given, listed, row_type
from schema.interfaces import Node, ReactableConnection
from schema.payloads import UserError, user_errors
from schema.scalars import Count

strawberry.enum(Relation, description="What the viewer and a user are to each other.")


@strawberry.type(description="A person, as everybody may see them.")
class User(Node):
    is_type_of = row_type(UserRow)

    follower_count: Count | None = counted("followers", "How many users follow them.")
    following_count: Count | None = counted("following", "How many users they follow.")
    friend_count: Count | None = counted("friends", "How many follow them and are followed back.")
    viewer_relation: Relation | None = batched(
        lambda loaders: loaders.relations,
        key=attrgetter("user_id"),
        description="What they and the viewer are to each other; null when nobody is signed in.",
        personal=True,
    )

    followers: forward.UserConnection | None = listed(
        resolve_follows.followers,
        description="Who follows them, newest first; of others only the newest.",
        **PAGE,
    )
    following: forward.UserConnection | None = listed(
        resolve_follows.following,
        description="Whom they follow, newest first; of others only the newest.",
        **PAGE,
    )
    friends: forward.UserConnection | None = listed(
        resolve_follows.friends,
        description="Who follows them and is followed back, newest friends first; of others only the newest.",
        **PAGE,
    )

    handle: str = strawberry.field(description="Unique, lower case.")
    display_name: str = strawberry.field(description="What they call themselves.")
    avatar_url: str | None = listed(resolve_media.avatars, description="Their picture.")
    bio: str = strawberry.field(description="What they say of themselves; may be empty.")
    created_at: datetime = strawberry.field(description="When they were first seen here.")
    likes_received_count: Count | None = counted(
        "likes_received", "Likes that they were given and nobody took back, also for what was deleted or hidden since."
    )

    post_count: Count | None = counted("posts", "How many posts of theirs everybody may see.")

    posts: forward.PostConnection | None = listed(
        resolve_posts.by_authors, description="What they have published, newest first.", **PAGE
    )
    likes: ReactableConnection | None = listed(
        resolve_likes.liked_by,
        description="What they like in one business, newest first.",
        business=(str, "post"),
        **PAGE,
    )


@strawberry.type(description="A user in a list.")
class UserEdge(Edge[User]):
    created_at: datetime = strawberry.field(
        description="The time of the like or follow that added this item to the list."
    )


@strawberry.type(description="A page of users.")
class UserConnection(Connection[User, UserEdge]):
    pass


@strawberry.type(description="The signed-in person; everything private hangs here.")
class Viewer(Node):
    is_type_of = row_type(ViewerRow)

    user: User | None = batched(
        lambda loaders: loaders.users, key=attrgetter("user_id"), description="Their public side."
    )
    home: forward.PostConnection | None = listed(
        resolve_home.home, description="What they and those they follow have published, newest first.", **PAGE
    )
    recommended: forward.PostConnection | None = listed(
        resolve_recommended.recommended,
        description="What they may like. Its cursors are good for ten minutes, and always for the same posts.",
        **PAGE,
    )
    notifications: forward.NotificationConnection | None = listed(
        resolve_notifications.of_viewer, description="What they have been told, newest first.", **PAGE
    )
    unread_notification_count: Count | None = listed(
        resolve_notifications.unread, description="How many of the list are not read."
    )


@strawberry.input(description="Absent fields stay as they are; null clears where the field is nullable.")
class UpdateProfileInput:
    handle: str | None = strawberry.field(
        default=UNSET,
        description="2 to 30 letters, digits and underscores; kept in lower case. "
        "Nobody else can claim the old one for a while.",
    )
    display_name: str | None = strawberry.field(default=UNSET, description="1 to 64 characters.")
    avatar_url: str | None = strawberry.field(default=UNSET, description="An http or https address.")
    bio: str | None = strawberry.field(default=UNSET, description="At most 500 characters.")

    def change(self) -> ProfileChange:
        """As the commands want it. Raises BadInput for a null that clears what must not be empty."""
        if self.handle is None or self.display_name is None or self.bio is None:
            raise BadInput("handle, displayName and bio can be changed, not cleared with null.")
        return ProfileChange(
            handle=given(self.handle),
            display_name=given(self.display_name),
            bio=given(self.bio),
            sets_avatar=self.avatar_url is not UNSET,
            avatar_url=given(self.avatar_url),
        )


@strawberry.input(description="A user as the owner of an identity provider describes them.")
class UserInput:
    external_id: str = strawberry.field(description="The identity provider's subject.")
    handle: str | None = strawberry.field(default=UNSET, description="Wished for; a taken one gets a suffix.")
    display_name: str | None = strawberry.field(default=UNSET, description="For a new user; else their handle.")
    avatar_url: str | None = strawberry.field(default=UNSET, description="For a new user.")

    def wish(self) -> UserWish:
        """As the resolvers want it."""
        return UserWish(self.external_id, given(self.handle), given(self.display_name), given(self.avatar_url))


@strawberry.type(description="The outcome of editing one's profile.")
class UpdateProfilePayload:
    subject: User | None = strawberry.field(name="user", description="The profile as it is now.")
    user_errors: list[UserError] = user_errors()


@strawberry.type(description="The outcome of registering users.")
class RegisterUsersPayload:
    subject: list[User] | None = strawberry.field(name="users", description="In the order they were named.")
    user_errors: list[UserError] = user_errors()


@strawberry.type
class UserQuery:
    @strawberry.field(description="The signed-in person; null when nobody is.", metadata=PERSONAL)
    def viewer(self: Any, info: Info) -> Viewer | None:
        return resolve.viewer(info.context)  # type: ignore[return-value]

    @strawberry.field(description="A user by handle.")
    async def user(self: Any, info: Info, handle: str) -> User | None:
        return await resolve.by_handle(info.context, handle)  # type: ignore[return-value]

    @strawberry.field(
        description="Up to 100 users by their subjects at the caller's own identity provider, in order; null for each "
        "that is not known. Scope users:read or users:write.",
        metadata=PERSONAL,
    )
    async def users(self: Any, info: Info, external_ids: list[str]) -> list[User | None] | None:
        return await resolve.by_external_ids(info.context, external_ids)  # type: ignore[return-value]


@strawberry.type
class UserMutation:
    @strawberry.mutation(description="Edits the viewer's own profile.")
    async def update_profile(self: Any, info: Info, input: UpdateProfileInput) -> UpdateProfilePayload | None:
        return await resolve.update_profile(info.context, input.change())  # type: ignore[return-value]

    @strawberry.mutation(description="Makes or finds up to 100 users of the caller's own issuer. Scope users:write.")
    async def register_users(self: Any, info: Info, users: list[UserInput]) -> RegisterUsersPayload | None:
        return await resolve.register(info.context, [one.wish() for one in users])  # type: ignore[return-value]
