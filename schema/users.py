"""Users: the type, lists of users, and the queries `user` and `users`."""

from datetime import datetime
from operator import attrgetter
from typing import Annotated, Any

import strawberry

import resolvers.boundaries as resolve_boundaries
import resolvers.collections as resolve_collections
import resolvers.follows as resolve_follows
import resolvers.likes as resolve_likes
import resolvers.media as resolve_media
import resolvers.pinned_posts as resolve_pinned
import resolvers.posts as resolve_posts
import resolvers.suspensions as resolve_suspensions
import resolvers.users as resolve
from commands.quotes import policy_of
from models.bells import BELL
from models.follows import Relation
from models.quotes import QuotePolicy
from models.users import UserRow
from schema import forward
from schema.access import Rule, access
from schema.connections import Connection, Edge
from schema.enums import describe_enum
from schema.fields import PAGE, BusinessName, First, Info, batched, counted, listed, row_type
from schema.interfaces import Node
from schema.reactable import ReactableConnection
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

describe_enum(
    QuotePolicy,
    "Who may quote the posts of a user, besides the user.",
    EVERYONE="Every user who may see the post.",
    FOLLOWERS="The followers of the user.",
    NOBODY="Nobody else.",
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
        metadata=access(Rule.ACCOUNT, personal=True),
    )

    viewer_blocks: bool | None = listed(
        resolve_boundaries.blocked,
        description="Whether the viewer (the signed-in user) blocks this user. Null if no user is signed in, or if the "
        "value is temporarily unavailable (then listed in `extensions.degraded`).",
        metadata=access(Rule.ACCOUNT, personal=True),
    )
    viewer_gets_post_notifications: bool | None = batched(
        lambda context: context.own.states(BELL),
        key=attrgetter("ref"),
        value=lambda state: None if state is None else state != 0,
        description="Whether the viewer (the signed-in user) has switched on notifications about new posts of this "
        "user, with `setPostNotifications`. Null if no user is signed in, or if the value is temporarily unavailable "
        "(then listed in `extensions.degraded`).",
        metadata=access(Rule.ACCOUNT, personal=True),
    )
    viewer_mutes: bool | None = listed(
        resolve_boundaries.muted,
        description="Whether the viewer (the signed-in user) mutes this user now. Null if no user is signed in, or if "
        "the value is temporarily unavailable (then listed in `extensions.degraded`).",
        metadata=access(Rule.ACCOUNT, personal=True),
    )
    viewer_mutes_reposts: bool | None = listed(
        resolve_boundaries.reposts_muted,
        description="Whether the viewer (the signed-in user) mutes the reposts of this user. Null if no user is signed "
        "in, or if the value is temporarily unavailable (then listed in `extensions.degraded`).",
        metadata=access(Rule.ACCOUNT, personal=True),
    )
    suspension: Suspension | None = listed(
        resolve_suspensions.of_users,
        description="The suspension of this user that is in force. Only this user, and users with a role in "
        "moderation, can read it; null for all other callers. This user cannot read a suspension with the mode "
        "`SHADOW`.",
        metadata=access(Rule.ACCOUNT, personal=True),
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
        description="The unique name of this user, in lower case: 2 to 64 of the characters `a-z`, `0-9`, `_`, `.` and "
        "`-`. Each `.` and `-` stands between two of the other characters. The user can change it."
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
    quote_policy: QuotePolicy | None = batched(
        lambda context: context.content.comment_settings,
        key=attrgetter("settings_key"),
        value=policy_of,
        description="Who may quote the posts of this user. Null if the value is temporarily unavailable.",
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


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="The user with this handle (the unique name of a user). Also finds a user by a former handle: by "
        "default for 30 days after the user changed it, unless another user has taken it. Null if there is no such "
        "user. Fails with `BAD_INPUT` for a text that cannot be a handle, and with `UNAVAILABLE` if the user is "
        "temporarily unavailable.",
        metadata=access(Rule.ALL),
    )
    async def user(
        self: Any,
        info: Info,
        handle: Annotated[
            str,
            strawberry.argument(
                description="The handle without `@`, in upper or lower case: 2 to 64 of the characters `a-z`, `0-9`, "
                "`_`, `.` and `-`. Each `.` and `-` must stand between two of the other characters."
            ),
        ],
    ) -> User | None:
        return await resolve.by_handle(info.context, handle)  # type: ignore[return-value]

    @strawberry.field(
        description="The users with these ids at the identity provider that issued the caller's token, in the order "
        "of the ids. An item is null if no user with this id is registered, or if the user is temporarily unavailable "
        "(see `extensions.degraded`). Requires a token with the scope `users:read` or `users:write`. Fails with "
        "`BAD_INPUT` for more than 100 ids. The whole list is null only if `errors` has an error for it.",
        metadata=access(Rule.ACCOUNT, personal=True),
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
