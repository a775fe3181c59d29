"""Outgoing events as destinations get them: one class for each kind, and the JSON Schemas in docs/events."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

SCHEMA: Literal[1] = 1
"""The version of the schemas. A change that could break a consumer increases it; a new field does not."""

Id = Annotated[str, Field(description="A global id, as in the API.")]
Digits = Annotated[str, Field(pattern=r"^[0-9]{1,19}$")]
State = Literal["NONE", "LIKE", "DISLIKE"]
FollowStateName = Literal["NONE", "FOLLOWS", "REQUESTED"]
ClosedStatus = Literal["ACCEPTED", "DISMISSED", "MOOT"]
Mode = Literal["READ_ONLY", "HIDDEN", "SHADOW"]
Custom = Annotated[dict[str, Any] | None, Field(description="Custom data of the product; null if there is none.")]


class _Json(BaseModel):
    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True)


class Event(_Json):
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


class Reaction(_Json):
    """A user's reaction to an entity, post or comment. The user and the target identify the object."""

    user_id: Id
    target_id: Annotated[str | None, Field(description="Null if the entity or comment was erased.")]
    owner_id: Annotated[str | None, Field(description="The owner of the target; null without owner.")]
    before: State
    after: Annotated[State, Field(description="Equals `before` if the event corrects an earlier one.")]


class ReactionChanged(Event):
    """A user reacted, or removed a reaction."""

    kind: Literal["reaction.changed"]
    data: Reaction


class Save(_Json):
    """A user's save of an entity, post or comment. The user and the target identify the object."""

    user_id: Id
    target_id: Annotated[str | None, Field(description="Null if the entity or comment was erased.")]
    is_saved: Annotated[bool, Field(description="False if the user removed the save.")]
    collection_id: Annotated[str | None, Field(description="The collection of the save; null if it is in none.")]


class SaveChanged(Event):
    """A user saved something, moved it to another collection, or removed the save."""

    kind: Literal["save.changed"]
    data: Save


class Follow(_Json):
    """The follow of one user by another. Both together identify the object."""

    follower_id: Id
    followee_id: Id
    before: FollowStateName
    after: Annotated[FollowStateName, Field(description="Equals `before` if the event corrects an earlier one.")]


class FollowChanged(Event):
    """A user followed, unfollowed, or asked to follow a private user."""

    kind: Literal["follow.changed"]
    data: Follow


class Image(_Json):
    """An image of a post or comment."""

    url: Annotated[str, Field(description="The unsigned URL.")]
    alt: str | None


class Post(_Json):
    """A public post."""

    id: Id
    author_id: Id
    text: str
    images: list[Image]
    topics: list[str]
    custom: Custom
    created_at: datetime
    edited_at: datetime | None


class PostCreated(Event):
    """A post became public."""

    kind: Literal["post.created"]
    data: Post


class PostUpdated(Event):
    """The author edited a public post."""

    kind: Literal["post.updated"]
    data: Post


class Removed(_Json):
    """A post or comment that is not public any more."""

    id: Id
    author_id: Id
    by_moderation: Annotated[bool, Field(description="Whether moderation hides it. If false, it was deleted.")]


class PostDeleted(Event):
    """A public post was deleted, or moderation hides it."""

    kind: Literal["post.deleted"]
    data: Removed


class Comment(_Json):
    """A public comment."""

    id: Id
    author_id: Id
    subject_id: Annotated[str | None, Field(description="The post or entity; null if the entity was erased.")]
    root_id: Annotated[str | None, Field(description="The root comment; null for a root comment.")]
    parent_id: Annotated[str | None, Field(description="The answered comment; null for a root comment.")]
    text: str
    images: list[Image]
    custom: Custom
    floor: Annotated[int | None, Field(description="The number of the comment in its list.")]
    created_at: datetime
    edited_at: datetime | None


class CommentCreated(Event):
    """A comment became public."""

    kind: Literal["comment.created"]
    data: Comment


class CommentUpdated(Event):
    """The author edited a public comment."""

    kind: Literal["comment.updated"]
    data: Comment


class CommentDeleted(Event):
    """A public comment was deleted, or moderation hides it."""

    kind: Literal["comment.deleted"]
    data: Removed


class Notification(_Json):
    """A notification of a user. Similar ones are grouped: the same notification comes again with more actors."""

    id: Id
    user_id: Id
    kind: Annotated[str, Field(description="A NotificationKind of the API.")]
    subject_id: str | None
    actor_ids: Annotated[list[str], Field(description="The newest few actors, newest first.")]
    actor_count: int
    message: str | None
    updated_at: datetime


class NotificationCreated(Event):
    """A user got a notification, or a notification got another actor."""

    kind: Literal["notification.created"]
    data: Notification


class Report(_Json):
    """A report. The reporter and the target identify the object."""

    target_id: str | None
    reporter_id: Id
    author_id: Annotated[str | None, Field(description="The author or owner of the target.")]
    reason: Annotated[str, Field(description="A ReportReason of the API.")]
    note: str | None


class ReportCreated(Event):
    """A user reported something, or changed an open report."""

    kind: Literal["report.created"]
    data: Report


class Resolution(_Json):
    """What closed all open reports of a target."""

    target_id: str | None
    status: Annotated[ClosedStatus, Field(description="MOOT: the target was deleted.")]
    count: Annotated[int, Field(description="The number of closed reports.")]


class ReportResolved(Event):
    """The open reports of a target were closed."""

    kind: Literal["report.resolved"]
    data: Resolution


class Profile(_Json):
    """The profile of a user."""

    id: Id
    handle: str
    display_name: str
    avatar_url: str | None
    bio: str
    is_private: bool
    custom: Custom


class UserCreated(Event):
    """A user was created."""

    kind: Literal["user.created"]
    data: Profile


class UserUpdated(Event):
    """A profile was edited."""

    kind: Literal["user.updated"]
    data: Profile


class Suspension(_Json):
    """The suspension of a user. Its versions can be compared with those of other events about the user."""

    id: Id
    mode: Annotated[Mode | None, Field(description="Null: not suspended.")]
    until: Annotated[datetime | None, Field(description="Null: without an end.")]
    reason: str | None


class UserSuspended(Event):
    """A user was suspended or reinstated, or a suspension has ended."""

    kind: Literal["user.suspended"]
    data: Suspension


class Lost(_Json):
    """The positions and times between which events of the partition were removed before they were sent."""

    after_position: Digits
    through_position: Digits
    after: datetime
    through: datetime


class EventsLost(Event):
    """Events were removed before they were sent, because the destination was behind for too long. Read what you need
    through the API again.
    """

    kind: Literal["events.lost"]
    data: Lost


class Test(_Json):
    """Nothing."""


class EventsTest(Event):
    """An operator tests the destination with `plaudit webhooks test`."""

    kind: Literal["events.test"]
    data: Test


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
    | ReportCreated
    | ReportResolved
    | UserCreated
    | UserUpdated
    | UserSuspended
    | EventsLost
    | EventsTest
)
