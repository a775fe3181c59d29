"""The fields of Viewer about notifications."""

import strawberry

import resolvers.notifications as resolve
from schema import forward
from schema.access import Rule, access
from schema.fields import BOTH_WAYS, listed
from schema.scalars import Count


@strawberry.type
class Fields:
    notifications: forward.NotificationConnection | None = listed(
        resolve.of_viewer,
        description="The notifications of the viewer (the signed-in user), most recently delivered first. A "
        "notification that gets a new event moves to the top. About the newest 1000 are kept by default. Null if the "
        "value is temporarily unavailable.",
        metadata=access(Rule.ACCOUNT),
        **BOTH_WAYS,
    )
    unread_notification_count: Count | None = listed(
        resolve.unread,
        description="The number of notifications of the viewer (the signed-in user) that are not marked as read. At "
        "most 100, which means 100 or more. Null if the value is temporarily unavailable.",
        metadata=access(Rule.ACCOUNT),
    )
    unseen_notification_count: Count | None = listed(
        resolve.unseen,
        description="The number of notifications of the viewer (the signed-in user) that are neither marked as seen "
        "nor as read: the number for a badge. At most 100, which means 100 or more. Null if the value is temporarily "
        "unavailable.",
        metadata=access(Rule.ACCOUNT),
    )
    notification_preferences: list[forward.NotificationPreference] | None = listed(
        resolve.preferences_of,
        description="Whether the viewer (the signed-in user) wants notifications of each kind. Change it with "
        "`setNotificationPreferences`. Null if the value is temporarily unavailable.",
        metadata=access(Rule.ACCOUNT),
    )
    quiet_hours: forward.QuietHours | None = listed(
        resolve.quiet_hours_of,
        description="The hours of each day in which the viewer (the signed-in user) wants no push messages and no "
        "e-mail. Change the hours with `setQuietHours`. Null without quiet hours, or if the value is temporarily "
        "unavailable (then listed in `extensions.degraded`).",
        metadata=access(Rule.ACCOUNT),
    )
