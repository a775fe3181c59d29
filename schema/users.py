"""Users, the viewer, and profiles."""

from datetime import datetime
from operator import attrgetter
from typing import Annotated, Any

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
from commands.users import ProfileChange, UserData
from domain.errors import BadInput
from models.follows import Relation
from models.users import UserRow, ViewerRow
from schema import forward
from schema.connections import Connection, Edge
from schema.enums import describe_enum
from schema.fields import PAGE, PERSONAL, BusinessName, Info, batched, counted, given, listed, row_type
from schema.interfaces import Node, ReactableConnection
from schema.payloads import UserError, user_errors
from schema.scalars import Count

describe_enum(
    Relation,
    "The relation between the viewer and another user.",
    NONE="Neither follows the other.",
    FOLLOWING="The viewer follows the user.",
    FOLLOWED_BY="The user follows the viewer.",
    FRIENDS="The viewer and the user follow each other.",
    SELF="The user is the viewer.",
)


@strawberry.type(description="A user, with the public part of the profile.")
class User(Node):
    is_type_of = row_type(UserRow)

    follower_count: Count | None = counted(
        "followers", "The number of users who follow this user. Null if temporarily unavailable."
    )
    following_count: Count | None = counted(
        "following", "The number of users that this user follows. Null if temporarily unavailable."
    )
    friend_count: Count | None = counted(
        "friends",
        "The number of friends of this user: users who follow this user and are followed back. Null if "
        "temporarily unavailable.",
    )
    viewer_relation: Relation | None = batched(
        lambda loaders: loaders.relations,
        key=attrgetter("user_id"),
        description="The relation between the viewer and this user. Null if no user is signed in, or if temporarily "
        "unavailable.",
        personal=True,
    )

    followers: forward.UserConnection | None = listed(
        resolve_follows.followers,
        description="The users who follow this user, newest follow first. For other callers than the user, "
        "the list ends after the newest 1000 (an operator can change this number). Null if temporarily unavailable.",
        **PAGE,
    )
    following: forward.UserConnection | None = listed(
        resolve_follows.following,
        description="The users that this user follows, newest follow first. For other callers than the user, "
        "the list ends after the newest 1000 (an operator can change this number). Null if temporarily unavailable.",
        **PAGE,
    )
    friends: forward.UserConnection | None = listed(
        resolve_follows.friends,
        description="The friends of this user, newest friends first. For other callers than the user, the "
        "list ends after the newest 1000 (an operator can change this number). Null if temporarily unavailable.",
        **PAGE,
    )

    handle: str = strawberry.field(
        description="The unique name of this user, in lower case: 2 to 30 letters, digits and underscores."
    )
    display_name: str = strawberry.field(description="The name that this user shows to others. Not unique.")
    avatar_url: str | None = listed(
        resolve_media.avatars, description="The URL of this user's profile picture. Null if there is none."
    )
    bio: str = strawberry.field(description="The text in which this user introduces themselves. Can be empty.")
    created_at: datetime = strawberry.field(
        description="The time when this user was created: at the first sign-in or registration."
    )
    likes_received_count: Count | None = counted(
        "likes_received",
        "The number of likes that this user's posts, comments and entities have received. Withdrawn likes "
        "are not counted. Likes of objects that were deleted or hidden later are counted. Null if "
        "temporarily unavailable.",
    )

    post_count: Count | None = counted(
        "posts", "The number of approved posts of this user. Null if temporarily unavailable."
    )

    posts: forward.PostConnection | None = listed(
        resolve_posts.by_authors,
        description="The approved posts of this user, newest first. If this user is the viewer, the posts that are "
        "not approved are included. Null if temporarily unavailable.",
        **PAGE,
    )
    likes: ReactableConnection | None = listed(
        resolve_likes.liked_by,
        description="The objects of one business that this user likes, newest like first. Deleted objects, and "
        "objects that the viewer may not see, are left out. Null if temporarily unavailable. Fails with "
        "`BAD_INPUT` for an unknown business.",
        business=(
            BusinessName,
            "post",
        ),
        **PAGE,
    )


@strawberry.type(description="A user in a list.")
class UserEdge(Edge[User]):
    created_at: datetime = strawberry.field(
        description="The time when the user was added to the list: the time of the like or the follow."
    )


@strawberry.type(description="A page of users.")
class UserConnection(Connection[User, UserEdge]):
    pass


@strawberry.type(description="The viewer: the signed-in user, with the private data that only this user can read.")
class Viewer(Node):
    is_type_of = row_type(ViewerRow)

    user: User | None = batched(
        lambda loaders: loaders.users,
        key=attrgetter("user_id"),
        description="The public profile of the viewer. Null if temporarily unavailable.",
    )
    home: forward.PostConnection | None = listed(
        resolve_home.home,
        description="The posts of the viewer and of the users that the viewer follows, newest first. Null if "
        "temporarily unavailable.",
        **PAGE,
    )
    recommended: forward.PostConnection | None = listed(
        resolve_recommended.recommended,
        description="The posts that are recommended to the viewer, best first. At most 200. The cursors expire ten "
        "minutes after the first page was read, then the error is `BAD_CURSOR`. They also expire after four newer "
        "first pages. Until then the same cursor returns the same posts. Null if temporarily unavailable.",
        **PAGE,
    )
    notifications: forward.NotificationConnection | None = listed(
        resolve_notifications.of_viewer,
        description="The notifications of the viewer, most recently delivered first. About the newest 1000 are kept "
        "by default. Null if temporarily unavailable.",
        **PAGE,
    )
    unread_notification_count: Count | None = listed(
        resolve_notifications.unread,
        description="The number of unread notifications in the viewer's list. Null if temporarily unavailable.",
    )


@strawberry.input(
    description="The input of `updateProfile`. An omitted field keeps its value. Null in `handle`, `displayName` "
    "or `bio` fails with `BAD_INPUT`."
)
class UpdateProfileInput:
    handle: str | None = strawberry.field(
        default=UNSET,
        description="The new handle: 2 to 30 letters, digits and underscores. Upper case is converted to lower case. "
        "The old handle stays reserved for the viewer for 30 days by default.",
    )
    display_name: str | None = strawberry.field(default=UNSET, description="The new display name. 1 to 64 characters.")
    avatar_url: str | None = strawberry.field(
        default=UNSET, description="The http or https URL of the new profile picture. Null removes the picture."
    )
    bio: str | None = strawberry.field(
        default=UNSET, description="The new bio. At most 500 characters. An empty string clears it."
    )

    def change(self) -> ProfileChange:
        """Returns the change for the command. Raises BadInput for null in a field that cannot be cleared."""
        if self.handle is None or self.display_name is None or self.bio is None:
            raise BadInput("handle, displayName and bio cannot be null. Omit a field to keep its value.")
        return ProfileChange(
            handle=given(self.handle),
            display_name=given(self.display_name),
            bio=given(self.bio),
            sets_avatar=self.avatar_url is not UNSET,
            avatar_url=given(self.avatar_url),
        )


@strawberry.input(description="A user to register. If the user exists already, the profile is not changed.")
class UserInput:
    external_id: str = strawberry.field(
        description="The subject of the user (the claim `sub`) at the caller's own identity provider."
    )
    handle: str | None = strawberry.field(
        default=UNSET,
        description="The preferred handle: 2 to 30 letters, digits and underscores. If it is taken, digits are "
        "appended.",
    )
    display_name: str | None = strawberry.field(
        default=UNSET, description="The display name. At most 64 characters. Defaults to the handle."
    )
    avatar_url: str | None = strawberry.field(
        default=UNSET, description="The http or https URL of the profile picture."
    )

    def data(self) -> UserData:
        """Returns the user for the command."""
        return UserData(self.external_id, given(self.handle), given(self.display_name), given(self.avatar_url))


@strawberry.type(description="The result of `updateProfile`.")
class UpdateProfilePayload:
    subject: User | None = strawberry.field(
        name="user", description="The user, after the change. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type(description="The result of `registerUsers`.")
class RegisterUsersPayload:
    subject: list[User] | None = strawberry.field(
        name="users", description="The registered users, in the order of the input. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class UserQuery:
    @strawberry.field(description="The viewer: the signed-in user. Null if no user is signed in.", metadata=PERSONAL)
    def viewer(self: Any, info: Info) -> Viewer | None:
        return resolve.viewer(info.context)  # type: ignore[return-value]

    @strawberry.field(
        description="The user with this handle, in upper or lower case. Null if no user has it. Fails with "
        "`BAD_INPUT` for text that cannot be a handle."
    )
    async def user(
        self: Any, info: Info, handle: Annotated[str, strawberry.argument(description="The handle, without `@`.")]
    ) -> User | None:
        return await resolve.by_handle(info.context, handle)  # type: ignore[return-value]

    @strawberry.field(
        description="The users with these subjects (the claim `sub`) at the caller's own identity provider, in the "
        "order of the subjects. An item is null if the user is not registered. Requires the scope "
        "`users:read` or `users:write`. Fails with `BAD_INPUT` for more than 100 subjects.",
        metadata=PERSONAL,
    )
    async def users(
        self: Any,
        info: Info,
        external_ids: Annotated[list[str], strawberry.argument(description="The subjects of at most 100 users.")],
    ) -> list[User | None] | None:
        return await resolve.by_external_ids(info.context, external_ids)  # type: ignore[return-value]


@strawberry.type
class UserMutation:
    @strawberry.mutation(
        description="Updates the profile of the viewer. Requires a signed-in user. User errors: `HANDLE_TAKEN`, "
        "`TEXT_NOT_ALLOWED`, `TEXT_TOO_LONG`, `TEXT_INVALID`, and `INVALID` for a bad handle, an empty "
        "display name or a bad URL."
    )
    async def update_profile(self: Any, info: Info, input: UpdateProfileInput) -> UpdateProfilePayload | None:
        return await resolve.update_profile(info.context, input.change())  # type: ignore[return-value]

    @strawberry.mutation(
        description="Registers 1 to 100 users of the caller's own identity provider, and returns them. Users who "
        "exist already are returned unchanged. Requires the scope `users:write`. User errors: "
        "`TEXT_TOO_LONG`, `TEXT_INVALID`, and `INVALID` for a bad handle or URL."
    )
    async def register_users(
        self: Any,
        info: Info,
        users: Annotated[list[UserInput], strawberry.argument(description="The users to register: 1 to 100.")],
    ) -> RegisterUsersPayload | None:
        return await resolve.register(info.context, [one.data() for one in users])  # type: ignore[return-value]
