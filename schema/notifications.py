"""Notifications: the viewer's list, the mutation that marks them as read, and the subscription to new ones."""

from collections.abc import AsyncGenerator
from datetime import datetime
from typing import Any

import strawberry

import resolvers.notifications as resolve
from models.notifications import NotificationKind, NotificationRow
from schema.connections import Connection, Edge
from schema.enums import describe_enum
from schema.fields import Info, listed, row_type
from schema.interfaces import Node
from schema.payloads import UserError, user_errors
from schema.scalars import Count
from schema.users import User, Viewer

describe_enum(
    NotificationKind,
    "The kind of event that a notification reports.",
    LIKE="Users liked a post, a comment or an entity of the viewer.",
    FOLLOW="Users followed the viewer.",
    COMMENT="Users commented on a post or an entity of the viewer.",
    REPLY="Users replied to a comment of the viewer.",
    MENTION="A user mentioned the viewer with `@handle` in a post or a comment.",
    MODERATION="A post, a comment or a profile text of the viewer was rejected.",
)


@strawberry.type(
    description="A notification for the viewer. Likes, follows, comments and replies about the same object between 0 "
    "and 12 or 12 and 24 o'clock UTC are grouped into one notification."
)
class Notification(Node):
    is_type_of = row_type(NotificationRow)

    kind: NotificationKind = strawberry.field(description="The kind of event.")
    actors: list[User] | None = listed(
        resolve.actors,
        description="The users who caused the events: at most five, newest first. Empty for `MODERATION`, because "
        "moderators are not named. Null if temporarily unavailable.",
    )
    actor_count: Count = strawberry.field(description="The number of users who caused the events.")
    subject: Node | None = listed(
        resolve.subjects,
        description="The object of the events: for `LIKE` and `COMMENT` the liked or commented object, for `REPLY` "
        "the answered comment, for `MENTION` the post or comment with the mention, for `FOLLOW` the "
        "viewer's own user, for `MODERATION` the rejected object. Null if the viewer may no longer see "
        "it, or if it is temporarily unavailable.",
    )
    message: str = listed(
        resolve.messages,
        description="The notification as an English sentence, such as `Ann and 3 others liked your post.` For "
        "`MODERATION` it includes the reason.",
    )
    created_at: datetime = strawberry.field(description="The time of the first event.")
    updated_at: datetime = strawberry.field(
        description="The time of the latest event. Notifications are listed in the order of delivery, which can "
        "differ from this time."
    )
    read: bool = strawberry.field(
        description="Whether the viewer has marked this notification as read. A new event makes the notification "
        "unread again."
    )


@strawberry.type(description="A notification in the viewer's list.")
class NotificationEdge(Edge[Notification]):
    pass


@strawberry.type(description="A page of notifications.")
class NotificationConnection(Connection[Notification, NotificationEdge]):
    pass


@strawberry.input(description="The input of `markNotificationsRead`.")
class MarkNotificationsReadInput:
    up_to: str = strawberry.field(
        description="The cursor of the newest notification that the viewer has seen, from `NotificationEdge.cursor`."
    )


@strawberry.type(description="The result of `markNotificationsRead`.")
class MarkNotificationsReadPayload:
    subject: Viewer | None = strawberry.field(
        name="viewer", description="The viewer, after the change. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class NotificationMutation:
    @strawberry.mutation(
        description="Marks the notification at a cursor and all older notifications as read. Newer notifications "
        "stay unread, and so do notifications that have a new event since the cursor was issued. Requires a signed-in "
        "user. Fails with `BAD_CURSOR` for a cursor of another list."
    )
    async def mark_notifications_read(
        self: Any, info: Info, input: MarkNotificationsReadInput
    ) -> MarkNotificationsReadPayload | None:
        return await resolve.mark_read(info.context, input.up_to)  # type: ignore[return-value]


@strawberry.type(description="An event of `notificationReceived`.")
class NotificationEvent:
    edge: NotificationEdge = strawberry.field(description="The viewer's newest notification.")
    viewer: Viewer = strawberry.field(description="The viewer. Use it to read the new `unreadNotificationCount`.")


@strawberry.type
class NotificationSubscription:
    @strawberry.subscription(
        description="Sends the viewer's newest notification when a notification is new or has changed, at most four "
        "times a second. If several change meanwhile, only the newest is sent; read the others from "
        "`Viewer.notifications`. Requires a signed-in user."
    )
    async def notification_received(self: Any, info: Info) -> AsyncGenerator[NotificationEvent]:
        return await resolve.received(info.context)  # type: ignore[return-value]
