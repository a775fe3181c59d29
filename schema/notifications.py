"""Notifications: their type, the mutations that mark them as read and set which kinds the viewer wants, and the
subscriptions to new notifications and to the read mark (all notifications up to it are read).
"""

from collections.abc import AsyncGenerator
from datetime import datetime
from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.notifications as resolve
from models import notifications as rows
from models.notifications import NotificationKind, NotificationRow
from schema.access import Rule, access
from schema.comments import Comment
from schema.connections import Connection, Edge
from schema.enums import describe_enum
from schema.fields import Info, given, listed, row_type
from schema.interfaces import Node
from schema.payloads import UserError, payload, user_errors
from schema.scalars import Count
from schema.users import User
from schema.viewer import Viewer

describe_enum(
    NotificationKind,
    "The kind of events that a notification is about.",
    LIKE="Users liked a post, a comment or an entity of the viewer, or gave it another reaction that is not a dislike.",
    FOLLOW="Users followed the viewer.",
    COMMENT="Users commented on a post or an entity of the viewer.",
    REPLY="Users replied to a comment of the viewer.",
    MENTION="A user mentioned the viewer with `@handle` in a post or a comment.",
    MODERATION="A post, a comment, or a text or the avatar of the profile of the viewer was rejected, labels were set "
    "on or removed from a post, comment or entity of the viewer, a post or comment of the viewer has waited for a "
    "moderator for a long time, a comment of the viewer was deleted by another user, a collection of the viewer was "
    "made private or allowed again, the viewer was warned or suspended, or an appeal of the viewer was decided.",
    FOLLOW_REQUEST="Users asked to follow the viewer, whose account is private.",
    FOLLOW_ACCEPTED="Users whose accounts are private accepted the viewer's requests to follow them.",
    REPOST="Users reposted a post of the viewer.",
    QUOTE="A user quoted a post of the viewer in a post.",
    NEW_POST="A user whom the viewer follows and has chosen with `setPostNotifications` published a post, or a post "
    "that announces a new entity.",
    REPORT="A moderator has decided a report of the viewer, or what the viewer reported was deleted.",
)


@strawberry.type(
    description="A notification for the viewer (the signed-in user). Similar events are grouped into one "
    "notification: events of one kind (`LIKE`, `REPOST`, `FOLLOW`, `COMMENT`, `REPLY`, "
    "`FOLLOW_REQUEST` or `FOLLOW_ACCEPTED`) about the same object in the same half "
    "of a day (0 to 12 or 12 to 24 o'clock UTC). Each mention, each quote, each new post, each rejection and each "
    "decided report has a notification of its own."
)
class Notification(Node):
    is_type_of = row_type(NotificationRow)

    kind: NotificationKind = strawberry.field(
        description="The kind of the events of this notification.", metadata=access(Rule.ACCOUNT)
    )
    actors: list[User] | None = listed(
        resolve.actors,
        description="The users who caused the events of this notification: at most five, newest event first. Empty "
        "for `MODERATION` and `REPORT`, because moderators are not named. Null if the value is temporarily "
        "unavailable.",
        metadata=access(Rule.ACCOUNT),
    )
    actor_count: Count = strawberry.field(
        description="The number of users who caused the events of this notification. 0 for `MODERATION` and `REPORT`.",
        metadata=access(Rule.ACCOUNT),
    )
    subject: Node | None = listed(
        resolve.subjects,
        description="The object that the events of this notification are about. For `LIKE` and `COMMENT`: the post, "
        "comment or entity that was liked or commented on. For `REPLY`: the viewer's comment that was answered. For "
        "`MENTION`: the post or comment with the mention. For `QUOTE`: the post that quotes. For `NEW_POST`: the post. "
        "For `FOLLOW`, `FOLLOW_REQUEST` and `FOLLOW_ACCEPTED`: the viewer as a `User`. For `MODERATION`: what "
        "the decision is about. This is a post, comment, entity or collection of the viewer; the viewer as a `User` "
        "for a text or the avatar of the profile, a warning or a suspension; or, for an appeal about a report, what "
        "the viewer reported. For `REPORT`: what the viewer reported. Null if the object was deleted, if the viewer "
        "may not see it, or if the value is temporarily unavailable (then listed in `extensions.degraded`).",
        metadata=access(Rule.ACCOUNT),
    )
    comment: Comment | None = listed(
        resolve.comments,
        description="The newest comment that caused this notification, for `COMMENT` and `REPLY`; for `MENTION` the "
        "comment with the mention. Leaves out comments that the viewer may not see, and those of users and in threads "
        "that the viewer mutes. Null if none of the newest five comments is left, if a post mentions the viewer, for "
        "other kinds, or if the value is temporarily unavailable (then listed in `extensions.degraded`).",
        metadata=access(Rule.ACCOUNT),
    )
    reactions: list[str] = listed(
        resolve.reactions,
        description="For `LIKE`, the names of the kinds of reactions that the users of this notification gave, such as "
        "`like` or an emoji. A user who gives another kind later does not change this list. Empty for other kinds of "
        "notifications, and if the operator of this deployment has removed the kinds.",
        metadata=access(Rule.ACCOUNT),
    )
    message: str = listed(
        resolve.messages,
        description="The notification as a sentence, such as `Ann and 3 others liked your post.` or "
        "`Ann and 3 others reacted ❤️ 😂 to your post.` It is in the viewer's language: the one of `setLanguage`, else "
        "one that the request accepts (`Accept-Language`), else the default of this deployment. It begins with "
        "`Somebody` if the user was deleted. For `MODERATION` and `REPORT` it includes the reason, as the moderator or "
        "the reviewer wrote it.",
        metadata=access(Rule.ACCOUNT),
    )
    created_at: datetime = strawberry.field(
        description="The time of the first event that is grouped in this notification.", metadata=access(Rule.ACCOUNT)
    )
    updated_at: datetime = strawberry.field(
        description="The time of the latest event that is grouped in this notification. `Viewer.notifications` is in "
        "the order of delivery, which can differ from the order of these times.",
        metadata=access(Rule.ACCOUNT),
    )
    read: bool = strawberry.field(
        description="Whether the viewer has marked this notification as read. A new event that is grouped in it makes "
        "it unread again.",
        metadata=access(Rule.ACCOUNT),
    )
    is_seen: bool = strawberry.field(
        description="Whether the viewer has marked this notification as seen, with `markNotificationsSeen`, or as "
        "read. A new event that is grouped in it makes it unseen again.",
        metadata=access(Rule.ACCOUNT),
    )
    collapse_key: str = strawberry.field(
        description="A key for push services: a message with this key replaces an earlier message about this "
        "notification. At most 32 letters and digits. The event `notification.created` has the same key.",
        metadata=access(Rule.ACCOUNT),
    )


@strawberry.type(description="A notification in the list of the viewer's notifications.")
class NotificationEdge(Edge[Notification]):
    pass


@strawberry.type(description="A page of the list of the viewer's notifications.")
class NotificationConnection(Connection[Notification, NotificationEdge]):
    pass


@strawberry.input(description="The input of `markNotificationsRead`.")
class MarkNotificationsReadInput:
    up_to: str = strawberry.field(
        description="The cursor (`NotificationEdge.cursor`) of the newest notification that the viewer has seen."
    )


@strawberry.type(description="The result of `markNotificationsRead`.")
class MarkNotificationsReadPayload:
    subject: Viewer | None = strawberry.field(
        name="viewer",
        description="The viewer (the signed-in user) after the change. Null if `userErrors` is not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.input(description="The input of `markNotificationsSeen`.")
class MarkNotificationsSeenInput:
    up_to: str = strawberry.field(
        description="The cursor (`NotificationEdge.cursor`) of the newest notification that your app has shown."
    )


@strawberry.type(description="The result of `markNotificationsSeen`.")
class MarkNotificationsSeenPayload:
    subject: Viewer | None = strawberry.field(
        name="viewer",
        description="The viewer (the signed-in user) after the change. Null if `userErrors` is not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.input(description="The input of `markNotificationRead`.")
class MarkNotificationReadInput:
    notification_id: strawberry.ID = strawberry.field(description="The id of the notification.")


@strawberry.type(description="The result of `markNotificationRead`.")
class MarkNotificationReadPayload:
    @strawberry.field(description="The notification after the change. Null if `userErrors` is not empty.")
    def notification(self: Any) -> Notification | None:
        return self.subject.notification if self.subject else None

    @strawberry.field(
        description="The viewer (the signed-in user) after the change. Null if `userErrors` is not empty."
    )
    def viewer(self: Any) -> Viewer | None:
        return self.subject.viewer if self.subject else None

    user_errors: list[UserError] = user_errors()


@strawberry.type(description="Whether the viewer (the signed-in user) wants notifications of a kind.")
class NotificationPreference:
    kind: NotificationKind = strawberry.field(description="The kind of notifications.")
    enabled: bool = strawberry.field(description="Whether the viewer wants notifications of this kind.")
    only_followed: bool = strawberry.field(
        description="Whether the viewer wants notifications of this kind only about actions of users whom the viewer "
        "follows."
    )


@strawberry.input(description="Whether the viewer (the signed-in user) wants notifications of a kind.")
class NotificationPreferenceInput:
    kind: NotificationKind = strawberry.field(description="The kind of notifications.")
    enabled: bool = strawberry.field(description="Whether the viewer wants notifications of this kind.")
    only_followed: bool | None = strawberry.field(
        default=UNSET,
        description="Whether the viewer wants notifications of this kind only about actions of users whom the viewer "
        "follows when the notification is delivered. If you omit it or pass null, it stays as it is.",
    )


@strawberry.input(description="The input of `setNotificationPreferences`.")
class SetNotificationPreferencesInput:
    preferences: list[NotificationPreferenceInput] = strawberry.field(
        description="The kinds to change, each at most once. Other kinds stay as they are."
    )


@strawberry.type(description="The result of `setNotificationPreferences`.")
class SetNotificationPreferencesPayload:
    subject: Viewer | None = strawberry.field(
        name="viewer",
        description="The viewer (the signed-in user) after the change. Null if `userErrors` is not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Sets which kinds of notifications the viewer (the signed-in user) wants. Events of other kinds "
        "cause no notifications from now on. Notifications that the viewer has stay. Setting the same values again "
        "succeeds and changes nothing. Fails with `UNAUTHENTICATED` if no user is signed in, and with `BAD_INPUT` if a "
        "kind is given twice. User errors: `INVALID` for the attempt to switch `MODERATION` off, and for "
        "`onlyFollowed` with `MODERATION` or `REPORT`, which no user causes.",
        metadata=access(Rule.ACCOUNT, writes="notifications"),
    )
    async def set_notification_preferences(
        self: Any, info: Info, input: SetNotificationPreferencesInput
    ) -> SetNotificationPreferencesPayload | None:
        wanted = [
            rows.NotificationPreference(one.kind, one.enabled, given(one.only_followed)) for one in input.preferences
        ]
        return await payload(resolve.set_preferences(info.context, wanted))

    @strawberry.mutation(
        description="Marks one notification of the viewer (the signed-in user), given by its cursor, and all "
        "notifications below it in the list as read. Notifications above it stay unread, and so do notifications that "
        "got a new event after the cursor was returned. Marking again succeeds and changes nothing. Fails with "
        "`UNAUTHENTICATED` if no user is signed in. Fails with `BAD_CURSOR` for a cursor of another list.",
        metadata=access(Rule.ACCOUNT, writes="notifications"),
    )
    async def mark_notifications_read(
        self: Any, info: Info, input: MarkNotificationsReadInput
    ) -> MarkNotificationsReadPayload | None:
        return await payload(resolve.mark_read(info.context, input.up_to))

    @strawberry.mutation(
        description="Marks one notification of the viewer (the signed-in user), given by its cursor, and all "
        "notifications below it in the list as seen. They stay unread. Notifications above it stay unseen, and so do "
        "notifications that got a new event after the cursor was returned. Marking again succeeds and changes nothing. "
        "Fails with `UNAUTHENTICATED` if no user is signed in. Fails with `BAD_CURSOR` for a cursor of another list.",
        metadata=access(Rule.ACCOUNT, writes="notifications"),
    )
    async def mark_notifications_seen(
        self: Any, info: Info, input: MarkNotificationsSeenInput
    ) -> MarkNotificationsSeenPayload | None:
        return await payload(resolve.mark_seen(info.context, input.up_to))

    @strawberry.mutation(
        description="Marks one notification of the viewer (the signed-in user) as read, with all its events until now, "
        "and no other notification. A later event that is grouped in it makes it unread again. Marking again succeeds "
        "and changes nothing. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`.",
        metadata=access(Rule.ACCOUNT, writes="notifications"),
    )
    async def mark_notification_read(
        self: Any, info: Info, input: MarkNotificationReadInput
    ) -> MarkNotificationReadPayload | None:
        return await payload(resolve.mark_one_read(info.context, input.notification_id))


@strawberry.type(description="An event of the subscription `notificationReceived`.")
class NotificationEvent:
    edge: NotificationEdge = strawberry.field(
        description="The viewer's newest notification, with its position in `Viewer.notifications`."
    )
    viewer: Viewer = strawberry.field(
        description="The viewer (the signed-in user), for example to read the new `unreadNotificationCount`."
    )


@strawberry.type(description="An event of the subscription `notificationsRead`.")
class NotificationsReadEvent:
    viewer: Viewer = strawberry.field(
        description="The viewer (the signed-in user), for example to read the new `unreadNotificationCount`."
    )


@strawberry.type
class SubscriptionFields:
    @strawberry.subscription(
        description="Sends the newest notification of the viewer (the signed-in user) when a notification is new or "
        "has a new event, at most four times a second. If several notifications arrive in between, only the newest is "
        "sent; read the others from `Viewer.notifications`. If a part of an event was temporarily unavailable, the "
        "event is sent again when this part is available. Fails with `UNAUTHENTICATED` if no user is signed in.",
        metadata=access(Rule.ACCOUNT),
    )
    async def notification_received(self: Any, info: Info) -> AsyncGenerator[NotificationEvent]:
        return await resolve.received(info.context)  # type: ignore[return-value]

    @strawberry.subscription(
        description="Sends an event when the viewer (the signed-in user) has marked notifications as read or seen, on "
        "any device, at most four times a second. Fails with `UNAUTHENTICATED` if no user is signed in.",
        metadata=access(Rule.ACCOUNT),
    )
    async def notifications_read(self: Any, info: Info) -> AsyncGenerator[NotificationsReadEvent]:
        return await resolve.marked(info.context)  # type: ignore[return-value]
