"""Notifications: events that concern a user, such as likes of the user's posts. Similar events of half a day are
grouped in one notification.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import IntEnum
from typing import Self

from sqlalchemy import BigInteger, Index, LargeBinary, SmallInteger, Text
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import ARRAY

from domain.ids import NotificationId
from models.base import at, column, key, nullable, table
from models.counters import EntityRef
from settings import COMMENTS, POSTS, USERS


class NotificationKind(IntEnum):
    """The kind of event that a notification reports. The numbers are stored: never reuse one."""

    LIKE = 1
    FOLLOW = 2
    COMMENT = 3
    REPLY = 4
    MENTION = 5
    MODERATION = 6
    FOLLOW_REQUEST = 7
    FOLLOW_ACCEPTED = 8
    REPORT = 9
    REPOST = 10
    QUOTE = 11
    NEW_POST = 12


MOST_UNREAD = 100
"""The highest number of unread notifications that is counted. A count of 100 means 100 or more."""
OWN_KINDS = (NotificationKind.MODERATION, NotificationKind.REPORT)
"""The kinds that name no acting user: decisions about the user's own content, and about the user's reports. They are
sent even if the user has muted the thread.
"""

OF_POSTS = (NotificationKind.LIKE, NotificationKind.REPOST)
"""The kinds that do not name private users whom the receiver does not follow."""
TEXT_KINDS = (NotificationKind.MENTION, NotificationKind.QUOTE, NotificationKind.NEW_POST)
"""The kinds of which the post or comment `about` itself is the event. Each post or comment causes one at most once."""
REPEATED_KINDS = (
    NotificationKind.COMMENT,
    NotificationKind.REPLY,
    NotificationKind.FOLLOW_REQUEST,
    NotificationKind.FOLLOW_ACCEPTED,
)
"""The kinds in which one user can cause several events of the same notification. This user then counts once."""
IS_REPEATED = f"n.kind IN ({', '.join(f'{kind:d}' for kind in REPEATED_KINDS)})"
"""The SQL condition that the notification `n` is of a kind in REPEATED_KINDS."""

OF_OTHERS = f"business_id NOT IN ({USERS}, {POSTS})"
"""The SQL condition that a notification is about an entity or a comment."""


def is_judged(kind: int, business_id: int) -> bool:
    """Tells whether a notification is about something that can be hidden from its receiver: the post or comment that
    mentions or quotes the receiver, a new post, or a comment. All other notifications are about the receiver's own
    objects.
    """
    return kind in TEXT_KINDS or (business_id == COMMENTS and kind not in OWN_KINDS)


def texts_of(kind: int, about: EntityRef, comments: Sequence[int]) -> Sequence[EntityRef]:
    """Returns the references of the posts and comments that caused a notification. For a mention, a quote and a new
    post, this is `about`; for other kinds, the comments with the ids `comments`.
    """
    return (about,) if kind in TEXT_KINDS else [EntityRef(COMMENTS, id_) for id_ in comments]


NOTIFICATIONS_TABLE = table(
    "notifications",
    key("user_id", BigInteger),
    # The digest of what the row groups (store/notifications/grouping.py). So every event of a group finds the same row.
    key("notification_id", BigInteger),
    column("kind", SmallInteger),
    column("business_id", SmallInteger),
    column("entity_id", BigInteger),
    # When the first event happened, in milliseconds since the Unix epoch.
    column("created_ms", BigInteger),
    # When the last event happened, in milliseconds since the Unix epoch.
    column("updated_ms", BigInteger),
    # The position in the order of the user's rows. It follows the order of commits: it is later than the moments of all
    # rows delivered to the user before. It is not a time, and may lie ahead of the clock.
    column("moment", BigInteger),
    # The newest few users who caused an event, newest first.
    column("actors", ARRAY(BigInteger)),
    column("actor_count", BigInteger),
    # The text of the notification; null if the client can derive it from the other fields.
    nullable("message", Text),
    # The newest few comments that caused an event of COMMENT or REPLY, newest first. Null for other kinds.
    nullable("comments", ARRAY(BigInteger)),
    # The kinds of the reactions of LIKE, as bits (models/likes.py). Null for likes only, and for other kinds.
    nullable("reactions", BigInteger),
    # The moment of the notification when the user marked it alone as read. It is read while its moment is not later.
    nullable("read_moment", BigInteger),
    Index("notifications_recent_idx", "user_id", sql("moment DESC")),
    Index("notifications_old_idx", "updated_ms"),
    Index("notifications_about_idx", "business_id", "entity_id", postgresql_where=sql(OF_OTHERS)),
    shard="user_id",
)
"""One row for each user, kind, object and half day in which events happened. When an event is added, the row moves to
the top of the user's list.
"""

UNTOLD_TABLE = table(
    "untold",
    # One of the partitions of the batch. The worker that owns it delivers the row.
    key("p", SmallInteger),
    key("untold_id", BigInteger),
    # The events as JSON (store/notifications/untold.py).
    column("notices", LargeBinary),
    shard="p",
)
"""Untold events: events that are stored, but that the worker has not yet added to the notifications of their receivers.
One row per transaction of a worker.
"""

NOTIFICATION_ACTORS_TABLE = table(
    "notification_actors",
    key("user_id", BigInteger),
    key("notification_id", BigInteger),
    key("actor_id", BigInteger),
    shard="user_id",
)
"""The acting users that a notification counts, stored for the kinds in which one user can cause several events."""

NOTIFICATION_HEADS_TABLE = table(
    "notification_heads",
    key("user_id", BigInteger),
    # The newest moment ever given to a notification of this user.
    column("moment", BigInteger),
    # A lower bound: all moments that the last write gave are later than this.
    column("prev_moment", BigInteger),
    # Notifications up to this moment are read.
    column("read_moment", BigInteger),
    # Notifications up to this moment, or up to `read_moment`, are seen.
    column("seen_moment", BigInteger, server_default=sql("0")),
    # How often the user has marked one notification alone as read.
    column("read_alone", BigInteger, server_default=sql("0")),
    shard="user_id",
    storage={"fillfactor": 85},
)
"""One row per user: the newest moment that any of the user's notifications got, the read mark, which is the moment up
to which notifications are read, and the seen mark. A transaction that adds or marks notifications of the user locks
this row until it commits.
"""


NOTIFICATION_PREFERENCES_TABLE = table(
    "notification_preferences",
    key("user_id", BigInteger),
    # The kinds of notifications that the user does not want.
    column("unwanted", ARRAY(SmallInteger)),
    # The kinds of notifications that the user wants only from followed users.
    column("only_followed", ARRAY(SmallInteger), server_default=sql("'{}'")),
    # The minutes of the day at which quiet hours begin and end, and the name of the time zone. Null without any.
    nullable("quiet_begin", SmallInteger),
    nullable("quiet_end", SmallInteger),
    nullable("quiet_zone", Text),
    shard="user_id",
)
"""The kinds of notifications that users do not want, or want only from users whom they follow, and the quiet hours of
users. A user who wants all kinds may have no row.
"""


def collapse_key(notification_id: int) -> str:
    """Returns the collapse key of a notification: a push service replaces an earlier message with the same key. The key
    has at most 32 characters of base64url, as Web Push demands.
    """
    return f"n{notification_id}"


@dataclass(frozen=True, slots=True)
class NotificationPreference:
    """Whether a user wants notifications of a kind, and whether only from users whom the user follows. `only_followed`
    is None in a change that leaves it as it is.
    """

    kind: NotificationKind
    enabled: bool
    only_followed: bool | None = None


@dataclass(frozen=True, slots=True)
class NotificationRow:
    """A notification as its receiver sees it.

    `actors` has the newest few acting users, and `actor_count` the number of all. `comments` has the newest few
    comments that caused it. `created_ms` and `updated_ms` are the times of the first and of the last event, in
    milliseconds since the Unix epoch. `moment` is the position in the list. `read_moment` is the position that the
    notification had when its receiver marked it alone as read, or 0.
    """

    notification_id: int
    kind: NotificationKind
    business_id: int
    entity_id: int
    created_ms: int
    updated_ms: int
    moment: int
    actors: tuple[int, ...]
    actor_count: int
    message: str | None
    comments: tuple[int, ...]
    reactions: int | None = None
    """The set of the kinds of reactions (models/likes.py), if a kind other than the like is among them."""
    read_moment: int = 0
    read: bool = False
    is_seen: bool = False

    @property
    def global_id(self) -> str:
        """Returns the id that clients use."""
        return NotificationId.text(self.notification_id)

    @property
    def ref(self) -> EntityRef:
        """Returns the reference of the object that the notification is about."""
        return EntityRef(self.business_id, self.entity_id)

    @property
    def texts(self) -> Sequence[EntityRef]:
        """Returns the references of the posts and comments that caused the notification, newest first."""
        return texts_of(self.kind, self.ref, self.comments)

    @property
    def collapse_key(self) -> str:
        """Returns the collapse key: a push service replaces an earlier message with the same key."""
        return collapse_key(self.notification_id)

    def without(self, users: Container[int]) -> Self:
        """Returns the notification without these users: neither `actors` nor `actor_count` includes them."""
        kept = tuple(actor for actor in self.actors if actor not in users)
        return replace(self, actors=kept, actor_count=self.actor_count - (len(self.actors) - len(kept)))

    def marked(self, read_moment: int, seen_moment: int, alone: int = 0) -> Self:
        """Returns the notification with the values that follow from the marks of its receiver: all notifications up to
        `read_moment` are read, and all up to `seen_moment` are seen. `alone` is a position at which this notification
        was marked alone as read.
        """
        alone = max(alone, self.read_moment)
        read = self.moment <= max(read_moment, alone)
        return replace(self, read_moment=alone, read=read, is_seen=read or self.moment <= seen_moment)

    @property
    def created_at(self) -> datetime:
        """Returns the time of the first event of the notification."""
        return at(self.created_ms)

    @property
    def updated_at(self) -> datetime:
        """Returns the time of the last event of the notification."""
        return at(self.updated_ms)


@dataclass(frozen=True, slots=True)
class Newest:
    """A user's newest notifications, newest first, read at one time. `version` grows with every change of the user's
    notifications, and with every mark.
    """

    rows: tuple[NotificationRow, ...]
    whole: bool
    """Whether `rows` contains all notifications of the user."""
    read_moment: int
    """The moment up to which all notifications are read."""
    seen_moment: int
    """The moment up to which all notifications are seen. Not earlier than `read_moment`."""
    read_alone: int
    """How often the user has marked one notification alone as read."""
    unread: int
    """The number of unread notifications, including those that are older than `rows`."""
    unseen: int
    """The number of notifications that are not seen, including those that are older than `rows`."""
    version: int
    pending_alone: Mapping[int, int] = field(default_factory=dict, hash=False)
    """The moments of notifications that the user has marked alone as read, by id, as far as this may not be stored."""

    @property
    def marks(self) -> int:
        """Returns a number that grows with every mark."""
        return self.read_moment + self.seen_moment + self.read_alone


NOTHING = Newest((), True, 0, 0, 0, 0, 0, 0)
"""The value for a user who has never had a notification."""
