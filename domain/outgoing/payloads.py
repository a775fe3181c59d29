"""The field `data` of each kind of outgoing event."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

Id = Annotated[str, Field(description="A global id, as in the API.")]
Digits = Annotated[str, Field(pattern=r"^[0-9]{1,19}$")]
State = Literal["NONE", "LIKE", "DISLIKE"]
FollowStateName = Literal["NONE", "FOLLOWS", "REQUESTED"]
ClosedStatus = Literal["ACCEPTED", "DISMISSED", "MOOT"]
Mode = Literal["READ_ONLY", "HIDDEN", "SHADOW"]
Custom = Annotated[dict[str, Any] | None, Field(description="Custom data of the product; null if there is none.")]


class Json(BaseModel):
    """A JSON object. Names are in camel case."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True)


class Reaction(Json):
    """A user's reaction to an entity, post or comment. The user and the target identify the object."""

    user_id: Id
    target_id: Annotated[str | None, Field(description="Null if the entity or comment was erased.")]
    owner_id: Annotated[str | None, Field(description="The owner of the target; null without owner.")]
    before: State
    after: Annotated[State, Field(description="Equals `before` if the event corrects an earlier one.")]


class Save(Json):
    """A user's save of an entity, post or comment. The user and the target identify the object."""

    user_id: Id
    target_id: Annotated[str | None, Field(description="Null if the entity or comment was erased.")]
    is_saved: Annotated[bool, Field(description="False if the user removed the save.")]
    collection_id: Annotated[str | None, Field(description="The collection of the save; null if it is in none.")]


class Follow(Json):
    """The follow of one user by another. Both together identify the object."""

    follower_id: Id
    followee_id: Id
    before: FollowStateName
    after: Annotated[FollowStateName, Field(description="Equals `before` if the event corrects an earlier one.")]


class Image(Json):
    """An image of a post or comment."""

    url: Annotated[str, Field(description="The unsigned URL.")]
    alt: str | None


class Post(Json):
    """A public post."""

    id: Id
    author_id: Id
    text: str
    images: list[Image]
    topics: list[str]
    custom: Custom
    created_at: datetime
    edited_at: datetime | None


class Removed(Json):
    """A post or comment that is not public."""

    id: Id
    author_id: Id
    by_moderation: Annotated[bool, Field(description="Whether moderation hides it. If false, it was deleted.")]


class Comment(Json):
    """A public comment."""

    id: Id
    author_id: Id
    subject_id: Annotated[str | None, Field(description="The post or entity; null if the entity was erased.")]
    root_id: Annotated[str | None, Field(description="The root comment; null for a root comment.")]
    parent_id: Annotated[str | None, Field(description="The answered comment; null for a root comment.")]
    text: str
    images: list[Image]
    custom: Custom
    created_at: datetime
    edited_at: datetime | None


class Actor(Json):
    """A user who caused a notification."""

    id: Id
    handle: str
    display_name: str


class Notification(Json):
    """A notification of a user. Similar ones are grouped: the same notification comes again with more actors."""

    id: Id
    user_id: Id
    kind: Annotated[str, Field(description="A NotificationKind of the API.")]
    subject_id: str | None
    actor_ids: Annotated[list[str], Field(description="The newest few actors, newest first.")]
    actors: Annotated[
        list[Actor], Field(description="The users of `actorIds` with their names, without deleted users.")
    ]
    actor_count: int
    unread_count: Annotated[
        int, Field(description="How many notifications the user had not read when this was sent; 100 if 100 or more.")
    ]
    comment_id: Annotated[
        str | None,
        Field(
            description="The newest comment that caused COMMENT, REPLY or MENTION and that the user could see when "
            "this was sent. Null if there is none."
        ),
    ]
    excerpt: Annotated[
        str | None,
        Field(
            description="The beginning of the text of this comment, or of the post that mentions the user: at most "
            "140 characters. Null if there is neither."
        ),
    ]
    message: str | None
    updated_at: datetime
    collapse_key: Annotated[
        str,
        Field(
            description="A key for push services: a message with this key replaces an "
            "earlier message about this notification."
        ),
    ]


class ReadMark(Json):
    """How far a user has read the notifications."""

    user_id: Id
    read_through: Annotated[
        Digits,
        Field(
            description="A notification is read if the `version` of its newest `notification.created` is at most "
            "this number."
        ),
    ]


class Report(Json):
    """A report. The reporter and the target identify the object."""

    target_id: str | None
    reporter_id: Id
    author_id: Annotated[str | None, Field(description="The author or owner of the target.")]
    reason: Annotated[str, Field(description="A ReportReason of the API.")]
    note: str | None


class Resolution(Json):
    """What closed all open reports of a target."""

    target_id: str | None
    status: Annotated[ClosedStatus, Field(description="MOOT: the target was deleted.")]
    count: Annotated[int, Field(description="The number of closed reports.")]


class Entity(Json):
    """An entity."""

    id: Id
    owner_id: Annotated[str | None, Field(description="The owner; null without owner.")]
    title: str | None
    url: str | None
    comments_closed: bool
    custom: Custom


class Profile(Json):
    """The profile of a user."""

    id: Id
    handle: str
    display_name: str
    avatar_url: str | None
    bio: str
    is_private: bool
    custom: Custom


class Suspension(Json):
    """The suspension of a user. Its versions can be compared with those of other events about the user."""

    id: Id
    mode: Annotated[Mode | None, Field(description="Null: not suspended.")]
    until: Annotated[datetime | None, Field(description="Null: without an end.")]
    reason: str | None


class Lost(Json):
    """The positions and times between which events of the partition were removed before they were sent."""

    after_position: Digits
    through_position: Digits
    after: datetime
    through: datetime


class Test(Json):
    """Nothing."""
