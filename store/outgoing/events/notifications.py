"""Outgoing events about notifications: a user got one, or marked some as read. Before an event is sent,
`workers/outgoing/notification_events.py` adds what is not stored: names, an excerpt of the text, and the unread count.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from domain.ids import NotificationId, UserId
from domain.texts import excerpt
from models.base import at
from models.comments import CommentRow
from models.counters import EntityRef
from models.notifications import NotificationKind, collapse_key
from models.users import UserRow
from store.outgoing.event_kinds import Data, Digits, Event, EventKind, Id, Ids, Json, StoredChange


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
    unseen_count: Annotated[
        int,
        Field(
            description="How many notifications the user had neither seen nor read when this was sent, for a badge; "
            "100 if 100 or more."
        ),
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
    labels: Annotated[
        list[str],
        Field(
            description="The names of the labels of the text in `excerpt`, and of the post or entity that a comment is "
            "on. Warn of them before you show the excerpt."
        ),
    ]
    message: Annotated[
        str | None, Field(description="For MODERATION and REPORT, the decision in English. Null for other kinds.")
    ]
    text: Annotated[
        str,
        Field(
            description="The notification as a sentence in the language `language`, as `Notification.message` has it."
        ),
    ]
    language: Annotated[
        str,
        Field(
            description="The language of `text`, a tag of BCP 47: the one of the user, else the default of this "
            "deployment."
        ),
    ]
    reactions: Annotated[
        list[str], Field(description="For LIKE, the names of the kinds of reactions that the actors gave.")
    ]
    quiet_until: Annotated[
        datetime | None,
        Field(
            description="When the quiet hours of the user end. Send push messages and e-mail then. Null if this was "
            "sent outside of quiet hours."
        ),
    ]
    updated_at: datetime
    collapse_key: Annotated[
        str,
        Field(
            description="A key for push services: a message with this key replaces an "
            "earlier message about this notification."
        ),
    ]


class NotificationCreated(Event):
    """A user got a notification, or a notification got another actor."""

    kind: Literal["notification.created"]
    data: Notification


class ReadMark(Json):
    """How far a user has read the notifications, or which one the user has read."""

    user_id: Id
    read_through: Annotated[
        Digits,
        Field(
            description="A notification is read if the `version` of its newest `notification.created` is at most "
            "this number."
        ),
    ]
    notification_id: Annotated[
        str | None,
        Field(
            description="The notification that the user marked alone as read, unless the `version` of its newest "
            "`notification.created` is greater than the `version` of this event. Null if the user marked all up to "
            "`readThrough`."
        ),
    ]


class NotificationRead(Event):
    """A user marked notifications as read."""

    kind: Literal["notification.read"]
    data: ReadMark


def _about(change: StoredChange) -> EntityRef:
    return EntityRef(*change.data["about"])


def _notification(change: StoredChange, ids: Ids) -> Data:
    (user_id, id_), data = change.key, change.data
    text = data["text"]
    return {
        "id": NotificationId.text(id_),
        "userId": UserId.text(user_id),
        "kind": NotificationKind(data["notification"]).name,
        "subjectId": ids.get(_about(change)),
        "actorIds": [UserId.text(actor) for actor in data["actors"]],
        "actors": [_actor(data["profiles"][one]) for one in data["actors"] if one in data["profiles"]],
        "actorCount": data["actor_count"],
        "unreadCount": data["unread"],
        "unseenCount": data["unseen"],
        "commentId": text.global_id if isinstance(text, CommentRow) else None,
        "excerpt": text and excerpt(text.text),
        "labels": data["labels"],
        "message": data["message"],
        "text": data["sentence"],
        "language": data["language"],
        "reactions": data["kinds"],
        "quietUntil": data["quiet_until"],
        "updatedAt": at(data["updated_ms"]),
        "collapseKey": collapse_key(id_),
    }


def _actor(user: UserRow) -> Data:
    return {"id": user.global_id, "handle": user.handle, "displayName": user.display_name}


def _read_mark(change: StoredChange, _: Ids) -> Data:
    user_id, *alone = change.key
    return {
        "userId": UserId.text(user_id),
        "readThrough": str(change.data["moment"]),
        "notificationId": NotificationId.text(alone[0]) if alone else None,
    }


NOTIFICATION_CREATED = EventKind(9, NotificationCreated, _notification, lambda change: [_about(change)])
NOTIFICATION_READ = EventKind(18, NotificationRead, _read_mark)
