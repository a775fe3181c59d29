"""Users, and the viewer (the signed-in user)."""

from datetime import datetime
from operator import attrgetter
from typing import Annotated, Any

import strawberry

import resolvers.boundaries as resolve_boundaries
import resolvers.collections as resolve_collections
import resolvers.follows as resolve_follows
import resolvers.home as resolve_home
import resolvers.likes as resolve_likes
import resolvers.media as resolve_media
import resolvers.notifications as resolve_notifications
import resolvers.pinned_posts as resolve_pinned
import resolvers.posts as resolve_posts
import resolvers.recommended as resolve_recommended
import resolvers.saves as resolve_saves
import resolvers.suspensions as resolve_suspensions
import resolvers.users as resolve
from models.follows import Relation
from models.users import UserRow, ViewerRow
from schema import forward
from schema.connections import Connection, Edge
from schema.enums import describe_enum
from schema.fields import PAGE, PERSONAL, BusinessName, First, Info, batched, counted, listed, row_type
from schema.interfaces import Node, ReactableConnection
from schema.saved_items import SAVED_PAGE
from schema.scalars import JSON, Count
from schema.suspensions import Suspension

describe_enum(
    Relation,
    "Whether the viewer (the signed-in user) and another user follow each other, which of the two follows, and whether "
    "the viewer has asked to follow.",
    NONE="Neither of the two users follows the other.",
    REQUESTED="The viewer has asked to follow the user, who has not answered yet. The user may follow the viewer.",
    FOLLOWING="The viewer follows the user, and the user does not follow the viewer.",
    FOLLOWED_BY="The user follows the viewer, and the viewer does not follow the user.",
    FRIENDS="The viewer and the user follow each other.",
    SELF="The user is the viewer.",
)


@strawberry.type(description="A user, with the public part of the profile.")
class User(Node):
    is_type_of = row_type(UserRow)

    follower_count: Count | None = counted(
        "followers", "The number of users who follow this user. Null if the value is temporarily unavailable."
    )
    following_count: Count | None = counted(
        "following", "The number of users that this user follows. Null if the value is temporarily unavailable."
    )
    friend_count: Count | None = counted(
        "friends",
        "The number of friends of this user. Two users are friends if they follow each other. After the viewer follows "
        "or unfollows, the viewer's own number changes at once, the other user's usually within a second. Null if the "
        "value is temporarily unavailable.",
    )
    viewer_relation: Relation | None = batched(
        lambda context: context.own.relations,
        key=attrgetter("user_id"),
        description="Whether the viewer (the signed-in user) follows this user, and whether this user follows the "
        "viewer. Null if no user is signed in, or if the value is temporarily unavailable (then listed in "
        "`extensions.degraded`).",
        personal=True,
    )

    viewer_blocks: bool | None = listed(
        resolve_boundaries.blocked,
        description="Whether the viewer (the signed-in user) blocks this user. Null if no user is signed in, or if the "
        "value is temporarily unavailable (then listed in `extensions.degraded`).",
        personal=True,
    )
    viewer_mutes: bool | None = listed(
        resolve_boundaries.muted,
        description="Whether the viewer (the signed-in user) mutes this user now. Null if no user is signed in, or if "
        "the value is temporarily unavailable (then listed in `extensions.degraded`).",
        personal=True,
    )
    suspension: Suspension | None = listed(
        resolve_suspensions.of_users,
        description="The suspension of this user that is in force. Null for callers other than moderators (tokens with "
        "the scope `moderate`) and this user. Null for this user if the mode is `SHADOW`.",
        personal=True,
    )

    followers: forward.UserConnection | None = listed(
        resolve_follows.followers,
        description="The users who follow this user, newest follow first. This user can read the whole list, "
        "unless the token is restricted to some businesses. For "
        "other callers, it ends after the newest 1000 followers by default. Null if the value is temporarily "
        "unavailable.",
        **PAGE,
    )
    following: forward.UserConnection | None = listed(
        resolve_follows.following,
        description="The users that this user follows, newest follow first. This user can read the whole list, "
        "unless the token is restricted to some businesses. For "
        "other callers, it ends after the newest 1000 users by default. Null if the value is temporarily unavailable.",
        **PAGE,
    )
    friends: forward.UserConnection | None = listed(
        resolve_follows.friends,
        description="The friends of this user: users who follow this user and are followed by this user. The newest "
        "friendship is first. This user can read the whole list, "
        "unless the token is restricted to some businesses. For other callers, it ends after the newest 1000 "
        "friends by default. Null if the value is temporarily unavailable.",
        **PAGE,
    )

    handle: str = strawberry.field(
        description="The unique name of this user, in lower case: 2 to 30 of the characters `a-z`, `0-9` and `_`. The "
        "user can change it."
    )
    display_name: str = strawberry.field(
        description="The name of this user to show to others, 1 to 64 characters. Several users can have the same name."
    )
    avatar_url: str | None = listed(
        resolve_media.avatars,
        description="The signed URL of this user's profile picture. Valid for at least 24 hours by default; after "
        "that, read this field again. Null if there is no picture, or if the operator of this deployment does not "
        "allow images of its host.",
    )
    bio: str = strawberry.field(
        description="The text in which this user describes themselves, at most 500 characters. Empty if there is none."
    )
    created_at: datetime = strawberry.field(
        description="The time when this user was created: at the first sign-in, or by `registerUsers` if that was "
        "earlier."
    )
    is_private: bool = strawberry.field(
        description="Whether the account of this user is private: only followers see the user's posts, likes and lists "
        "of users. The user decides who may follow. The profile and the counts are public."
    )
    custom: JSON | None = strawberry.field(
        description="Custom data of this user, set with `upsertUsers`. Null if there is none."
    )
    likes_received_count: Count | None = counted(
        "likes_received",
        "The number of likes that this user's posts, comments and entities have received, without likes that were "
        "withdrawn. Likes of objects that were deleted or hidden later are included. A like changes it usually within "
        "a second, for the user who likes, too. Null if the value is temporarily unavailable.",
    )

    post_count: Count | None = counted(
        "posts", "The number of approved posts of this user. Null if the value is temporarily unavailable."
    )

    posts: forward.PostConnection | None = listed(
        resolve_posts.by_authors,
        description="The approved posts of this user, newest first. If this user is the viewer (the signed-in user), "
        "the list also has the posts that are not approved. Null if the value is temporarily unavailable.",
        **PAGE,
    )
    pinned_posts: list[forward.Post] | None = listed(
        resolve_pinned.of_users,
        description="The posts that this user has pinned, at most three, newest pin first, without posts that are not "
        "approved or that the viewer may not see. Null if the value is temporarily unavailable.",
        first=(First, 3),
    )
    likes: ReactableConnection | None = listed(
        resolve_likes.liked_by,
        description="The objects of one business (one kind of content) that this user likes, newest like first, "
        "without objects that are deleted or that the viewer may not see. Fails with `BAD_INPUT` for an unknown "
        "business. Null if the value is temporarily unavailable.",
        business=(
            BusinessName,
            "post",
        ),
        **PAGE,
    )
    collections: forward.CollectionConnection | None = listed(
        resolve_collections.of_users,
        description="The public collections of this user, newest first. Null if the value is temporarily unavailable.",
        **PAGE,
    )


@strawberry.type(description="A user in a list of users.")
class UserEdge(Edge[User]):
    created_at: datetime = strawberry.field(
        description="The time when the user came into this list: the time of the like, of the follow, of the "
        "request or, in `friends`, of the later one of the two follows."
    )


@strawberry.type(description="A page of a list of users.")
class UserConnection(Connection[User, UserEdge]):
    pass


@strawberry.type(description="A user that the viewer (the signed-in user) mutes.")
class MuteEdge(Edge[User]):
    @strawberry.field(description="The time when the mute ends. Null if it has no end.")
    def until(self: Any) -> datetime | None:
        return resolve_boundaries.end_of(self)


@strawberry.type(description="A page of the users that the viewer (the signed-in user) mutes.")
class MuteConnection(Connection[User, MuteEdge]):
    pass


@strawberry.type(description="The viewer: the signed-in user, with the private data that only this user can read.")
class Viewer(Node):
    is_type_of = row_type(ViewerRow)

    user: User | None = batched(
        lambda context: context.content.kept_users,
        key=attrgetter("user_id"),
        description="The viewer as a `User`: the public profile, which all callers can read. Null if the value is "
        "temporarily unavailable.",
    )
    home: forward.PostConnection | None = listed(
        resolve_home.home,
        description="The home timeline of the viewer (the signed-in user): the approved posts of the users that the "
        "viewer follows, and all posts of the viewer, newest first. Null if the value is temporarily unavailable.",
        **PAGE,
    )
    recommended: forward.PostConnection | None = listed(
        resolve_recommended.recommended,
        description="The posts that are recommended to the viewer (the signed-in user), best first, at most 200. "
        "Reading the first page makes a new list. The cursors of this list are valid for ten minutes, unless the "
        "viewer reads four newer first pages in this time. Later they fail with `BAD_CURSOR`: start again without "
        "`after`. Null if the value is temporarily unavailable.",
        **PAGE,
    )
    notifications: forward.NotificationConnection | None = listed(
        resolve_notifications.of_viewer,
        description="The notifications of the viewer (the signed-in user), most recently delivered first. A "
        "notification that gets a new event moves to the top. About the newest 1000 are kept by default. Null if the "
        "value is temporarily unavailable.",
        **PAGE,
    )
    unread_notification_count: Count | None = listed(
        resolve_notifications.unread,
        description="The number of notifications of the viewer (the signed-in user) that are not marked as read. At "
        "most 100, which means 100 or more. Null if the value is temporarily unavailable.",
    )
    notification_preferences: list[forward.NotificationPreference] | None = listed(
        resolve_notifications.preferences_of,
        description="Whether the viewer (the signed-in user) wants notifications of each kind. Change it with "
        "`setNotificationPreferences`. Null if the value is temporarily unavailable.",
    )
    follow_requests: UserConnection | None = listed(
        resolve_follows.requests,
        description="The users who have asked to follow the viewer (the signed-in user), newest request first. Accept "
        "a request with `acceptFollow`, reject it with `rejectFollow`. Null if the value is temporarily unavailable.",
        **PAGE,
    )
    blocks: UserConnection | None = listed(
        resolve_boundaries.blocks,
        description="The users that the viewer (the signed-in user) blocks, newest block first. Null if the value is "
        "temporarily unavailable.",
        **PAGE,
    )
    mutes: MuteConnection | None = listed(
        resolve_boundaries.mutes,
        description="The users that the viewer (the signed-in user) mutes now, the latest end first. Mutes without an "
        "end come before all others. Users who block the viewer are left out. Null if the value is temporarily "
        "unavailable.",
        **PAGE,
    )
    saved: forward.SavedItemConnection | None = listed(
        resolve_saves.of_viewer,
        description="What the viewer (the signed-in user) has saved, newest save first. Objects that were deleted or "
        "are hidden from the viewer keep their places without content. Null if the value is temporarily unavailable.",
        **SAVED_PAGE,
    )
    collections: forward.CollectionConnection | None = listed(
        resolve_collections.of_viewer,
        description="All collections of the viewer (the signed-in user), newest first. Null if the value is "
        "temporarily unavailable.",
        **PAGE,
    )


@strawberry.type
class UserQuery:
    @strawberry.field(description="The viewer: the signed-in user. Null if no user is signed in.", metadata=PERSONAL)
    def viewer(self: Any, info: Info) -> Viewer | None:
        return resolve.viewer(info.context)  # type: ignore[return-value]

    @strawberry.field(
        description="The user with this handle (the unique name of a user). Also finds a user by a former handle: by "
        "default for 30 days after the user changed it, unless another user has taken it. Null if there is no such "
        "user. Fails with `BAD_INPUT` for a text that cannot be a handle, and with `UNAVAILABLE` if the user is "
        "temporarily unavailable."
    )
    async def user(
        self: Any,
        info: Info,
        handle: Annotated[
            str,
            strawberry.argument(
                description="The handle without `@`, in upper or lower case: 2 to 30 of the characters `a-z`, `0-9` "
                "and `_`."
            ),
        ],
    ) -> User | None:
        return await resolve.by_handle(info.context, handle)  # type: ignore[return-value]

    @strawberry.field(
        description="The users with these ids at the identity provider that issued the caller's token, in the order "
        "of the ids. An item is null if no user with this id is registered, or if the user is temporarily unavailable "
        "(see `extensions.degraded`). Requires a token with the scope `users:read` or `users:write`. Fails with "
        "`BAD_INPUT` for more than 100 ids. The whole list is null only if `errors` has an error for it.",
        metadata=PERSONAL,
    )
    async def users(
        self: Any,
        info: Info,
        external_ids: Annotated[
            list[str],
            strawberry.argument(
                description="The ids of at most 100 users at the identity provider: the claim `sub` of their tokens. "
                "Each has 1 to 255 characters."
            ),
        ],
    ) -> list[User | None] | None:
        return await resolve.by_external_ids(info.context, external_ids)  # type: ignore[return-value]
