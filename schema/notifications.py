"""Notifications: what the signed-in person is told, how far they have read, and word of new ones."""

from collections.abc import AsyncGenerator
from datetime import datetime
from typing import Any

import strawberry

import resolvers.notifications as resolve
from models.notifications import NotificationKind, NotificationRow
from schema.connections import Connection, Edge
from schema.fields import Info, listed, row_type
from schema.interfaces import Node
from schema.payloads import UserError, user_errors
from schema.scalars import Count
from schema.users import User, Viewer

strawberry.enum(NotificationKind, description="What happened.")


@strawberry.type(description="What happened to something of the viewer's; what is alike within half a day is one.")
class Notification(Node):
    is_type_of = row_type(NotificationRow)

    kind: NotificationKind = strawberry.field(description="What happened.")
    actors: list[User] | None = listed(
        resolve.actors, description="Who did it: the newest few. Moderators stay unnamed."
    )
    actor_count: Count = strawberry.field(description="How many people did it.")
    subject: Node | None = listed(
        resolve.subjects,
        description="What it is about: what was liked, commented on or answered, where the viewer was mentioned, "
        "themselves where they were followed. Null when they may not see it any more.",
    )
    message: str = listed(resolve.messages, description="The same as a sentence; of MODERATION, what happened and why.")
    created_at: datetime = strawberry.field(description="When it first happened.")
    updated_at: datetime = strawberry.field(
        description="When it last happened. The list has the order of delivery, which may differ."
    )
    read: bool = strawberry.field(description="Whether the viewer has marked it as read since.")


@strawberry.type(description="A notification in the list.")
class NotificationEdge(Edge[Notification]):
    pass


@strawberry.type(description="A page of notifications.")
class NotificationConnection(Connection[Notification, NotificationEdge]):
    pass


@strawberry.input(description="What was seen.")
class MarkNotificationsReadInput:
    up_to: str = strawberry.field(description="The cursor of the newest edge that was seen.")


@strawberry.type(description="The outcome of marking notifications as read.")
class MarkNotificationsReadPayload:
    subject: Viewer | None = strawberry.field(name="viewer", description="The signed-in person.")
    user_errors: list[UserError] = user_errors()


@strawberry.type
class NotificationMutation:
    @strawberry.mutation(
        description="Marks what was seen as read: the notification of the cursor and all below it. What has moved up "
        "since stays unread."
    )
    async def mark_notifications_read(
        self: Any, info: Info, input: MarkNotificationsReadInput
    ) -> MarkNotificationsReadPayload | None:
        return await resolve.mark_read(info.context, input.up_to)  # type: ignore[return-value]


@strawberry.type(description="Something new.")
class NotificationEvent:
    edge: NotificationEdge = strawberry.field(description="The newest notification, which is new or has moved up.")
    viewer: Viewer = strawberry.field(description="The signed-in person.")


@strawberry.type
class NotificationSubscription:
    @strawberry.subscription(
        description="The viewer's newest notification whenever there is a new one, or one has moved up: at most four "
        "times a second, and where several come at once the newest of them."
    )
    async def notification_received(self: Any, info: Info) -> AsyncGenerator[NotificationEvent]:
        return await resolve.received(info.context)  # type: ignore[return-value]
