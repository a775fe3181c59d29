"""The kinds of outgoing events."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from domain.outgoing import payloads
from domain.outgoing.payloads import Digits, Json

SCHEMA: Literal[1] = 1
"""The version of the schemas. A change that could break a consumer increases it; a new field does not."""


class Event(Json):
    """A change of one object."""

    id: Annotated[str, Field(description="The same for each delivery of the event. Ignore an event you have seen.")]
    schema_version: Annotated[Literal[1], Field(description="The version of this schema.")] = SCHEMA
    partition: Annotated[int, Field(description="Events of one partition arrive in order.")]
    position: Annotated[Digits, Field(description="The place in the order of the partition.")]
    version: Annotated[
        Digits, Field(description="Ignore an event about an object if you have one with a higher version.")
    ]
    time: Annotated[datetime, Field(description="When the change was stored.")]
    business: Annotated[str, Field(description="The business of the object.")]


class ReactionChanged(Event):
    """A user reacted, or removed a reaction."""

    kind: Literal["reaction.changed"]
    data: payloads.Reaction


class SaveChanged(Event):
    """A user saved something, moved it to another collection, or removed the save."""

    kind: Literal["save.changed"]
    data: payloads.Save


class FollowChanged(Event):
    """A user followed, unfollowed, or asked to follow a private user."""

    kind: Literal["follow.changed"]
    data: payloads.Follow


class PostCreated(Event):
    """A post became public."""

    kind: Literal["post.created"]
    data: payloads.Post


class PostUpdated(Event):
    """The author edited a public post."""

    kind: Literal["post.updated"]
    data: payloads.Post


class PostDeleted(Event):
    """A post is not public: the author or a moderator deleted it, or moderation hides it. There is an event also if
    the post was never public.
    """

    kind: Literal["post.deleted"]
    data: payloads.Removed


class CommentCreated(Event):
    """A comment became public."""

    kind: Literal["comment.created"]
    data: payloads.Comment


class CommentUpdated(Event):
    """The author edited a public comment."""

    kind: Literal["comment.updated"]
    data: payloads.Comment


class CommentDeleted(Event):
    """A comment is not public: it was deleted, or moderation hides it. There is an event also if the comment was
    never public.
    """

    kind: Literal["comment.deleted"]
    data: payloads.Removed


class NotificationCreated(Event):
    """A user got a notification, or a notification got another actor."""

    kind: Literal["notification.created"]
    data: payloads.Notification


class NotificationRead(Event):
    """A user marked notifications as read."""

    kind: Literal["notification.read"]
    data: payloads.ReadMark


class ReportCreated(Event):
    """A user reported something, or changed an open report."""

    kind: Literal["report.created"]
    data: payloads.Report


class ReportResolved(Event):
    """The open reports of a target were closed."""

    kind: Literal["report.resolved"]
    data: payloads.Resolution


class UserCreated(Event):
    """A user was created."""

    kind: Literal["user.created"]
    data: payloads.Profile


class UserUpdated(Event):
    """A profile was edited."""

    kind: Literal["user.updated"]
    data: payloads.Profile


class UserSuspended(Event):
    """A user was suspended or reinstated, or a suspension has ended."""

    kind: Literal["user.suspended"]
    data: payloads.Suspension


class EntityUpdated(Event):
    """An entity was registered, changed or restored."""

    kind: Literal["entity.updated"]
    data: payloads.Entity


class EntityRemoved(Event):
    """An entity was removed. Its comments are hidden."""

    kind: Literal["entity.removed"]
    data: payloads.Entity


class EventsLost(Event):
    """Events were removed before they were sent, because the destination was behind for too long. Read what you need
    through the API again.
    """

    kind: Literal["events.lost"]
    data: payloads.Lost


class EventsTest(Event):
    """An operator tests the destination with `plaudit webhooks test`."""

    kind: Literal["events.test"]
    data: payloads.Test


AnyEvent = (
    ReactionChanged
    | SaveChanged
    | FollowChanged
    | PostCreated
    | PostUpdated
    | PostDeleted
    | CommentCreated
    | CommentUpdated
    | CommentDeleted
    | NotificationCreated
    | NotificationRead
    | ReportCreated
    | ReportResolved
    | UserCreated
    | UserUpdated
    | UserSuspended
    | EntityUpdated
    | EntityRemoved
    | EventsLost
    | EventsTest
)
