"""Posts: their contents, the lists of posts by author (outboxes) and by topic, and their fan-out, which writes a post
into the inboxes of its author's followers.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import ClassVar

from sqlalchemy import BigInteger, Boolean, Index, SmallInteger, Text
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from domain.ids import PostId
from domain.moderation.verdicts import AuditStatus
from models.attachments import Attachment
from models.authored import HAS_REMOVED_TEXT, NEWEST, Authored, files_index, mentioned_index
from models.base import HAS_CLIENT, client_columns, column, key, nullable, table
from models.counters import EntityRef
from models.facets import Mentioned
from models.topics import TopicRow
from settings import POSTS


class OutboxState(IntEnum):
    """Tells who sees a post in the list of its author's posts. The numbers are stored: never reuse one."""

    HIDDEN = 0
    """Only the author sees it: the post waits for approval, or was rejected."""
    VISIBLE = 1
    DELETED = 2
    """No user sees it."""


POSTS_TABLE = table(
    "posts",
    key("post_id", BigInteger),
    column("author_id", BigInteger),
    # When the post was published. Timelines are ordered by it.
    column("moment", BigInteger),
    column("text", Text),
    # The images as pairs of URL and alternative text.
    column("images", JSONB),
    column("topics", ARRAY(Text)),
    column("status", SmallInteger),
    # Why the post is waiting or rejected; null if there is no objection.
    nullable("reason", Text),
    column("deleted", Boolean),
    nullable("edited_ms", BigInteger),
    # The version of the author's last change.
    column("content_version", BigInteger),
    # The version of the last moderation verdict.
    column("audit_version", BigInteger),
    # Grows with every change of the row.
    column("version", BigInteger),
    # A JSON object as text.
    nullable("custom", Text),
    # The users whom the text mentions, as pairs of handle and user id (models/facets.py).
    nullable("mentioned", JSONB),
    # The post that this post quotes, and its author. Null if the post quotes none.
    nullable("quote_of", BigInteger),
    nullable("quote_owner", BigInteger),
    # Whether the author of the quoted post has detached this post from it.
    column("detached", Boolean, server_default=sql("false")),
    # The business and the number of the entity that the post refers to.
    nullable("about_business", SmallInteger),
    nullable("about_id", BigInteger),
    # Whether the post announces this entity (models/announcements.py). Null for false.
    nullable("announces", Boolean),
    # What the author says before the text, such as a warning of spoilers.
    nullable("content_warning", Text),
    # The labels that the author has set, and those that moderators have set, as bits (domain/labels.py).
    column("labels", BigInteger, server_default=sql("0")),
    column("moderator_labels", BigInteger, server_default=sql("0")),
    # The version of the moderators' last change of the labels.
    column("labels_version", BigInteger, server_default=sql("0")),
    *client_columns(),
    Index(
        "posts_recent_idx", sql("moment DESC"), sql("post_id DESC"), postgresql_where=sql("status = 1 AND NOT deleted")
    ),
    Index(
        "posts_quotes_idx",
        "quote_of",
        sql("moment DESC"),
        sql("post_id DESC"),
        postgresql_where=sql("quote_of IS NOT NULL AND status = 1 AND NOT deleted AND NOT detached"),
    ),
    Index(
        "posts_about_idx",
        "about_id",
        "about_business",
        sql("moment DESC"),
        sql("post_id DESC"),
        postgresql_where=sql("about_id IS NOT NULL AND status = 1 AND NOT deleted"),
    ),
    Index("posts_waiting_idx", "moment", "post_id", postgresql_where=sql("status = 0 AND NOT deleted")),
    Index("posts_client_idx", "post_id", postgresql_where=sql(HAS_CLIENT)),
    Index("posts_removed_idx", sql(NEWEST), postgresql_where=sql(HAS_REMOVED_TEXT)),
    mentioned_index("posts"),
    files_index("posts"),
    shard="post_id",
)
"""The contents and moderation status of posts. Rows stay when posts are deleted. The author's changes and the decisions
of moderation have separate versions.
"""

OUTBOXES_TABLE = table(
    "outboxes",
    key("author_id", BigInteger),
    key("post_id", BigInteger),
    column("moment", BigInteger),
    # An `OutboxState`.
    column("state", SmallInteger),
    # Whether the post is pushed into the inboxes of followers. If not, home timelines read it from the outbox (T4). It
    # is decided when the post is approved.
    column("pushed", Boolean),
    Index("outboxes_recent_idx", "author_id", sql("moment DESC"), sql("post_id DESC"), postgresql_include=["state"]),
    Index("outboxes_pulled_idx", "author_id", "moment", postgresql_where=sql("state = 1 AND NOT pushed")),
    shard="author_id",
)
"""The posts of each author, from which profiles and home timelines are read."""

UNPUBLISHED = -1
"""The `score_version` of a row of `topic_posts` whose score has not been written to the cached lists yet."""
TOPIC_POSTS_TABLE = table(
    "topic_posts",
    key("topic_id", BigInteger),
    key("post_id", BigInteger),
    column("moment", BigInteger),
    # The hot score (domain/ranking.py).
    column("score", BigInteger),
    # The version of the data from which the score was computed, or UNPUBLISHED. Apart from that, it only grows.
    column("score_version", BigInteger, server_default=sql("0")),
    # Whether the counter of the topic includes the post (`UserRow.is_counted`). Always true in the square.
    column("counted", Boolean, server_default=sql("true")),
    # The voice with which the author counts in trends (models/topics.py). Null in the square, and in rows of versions
    # of Plaudit without trends.
    nullable("voice", BigInteger),
    # The newest posts of the square are read from `posts`.
    Index(
        "topic_posts_latest_idx",
        "topic_id",
        sql("moment DESC"),
        sql("post_id DESC"),
        postgresql_where=sql("topic_id <> 0"),
    ),
    Index(
        "topic_posts_trends_idx",
        "moment",
        postgresql_include=["topic_id", "voice"],
        postgresql_where=sql("counted AND voice IS NOT NULL"),
    ),
    Index("topic_posts_hot_idx", "topic_id", sql("score DESC"), sql("post_id DESC")),
    shard="topic_id",
    # A hot page reads an entry of the index for each row. Of pages that are vacuumed it reads no rows.
    storage={"autovacuum_vacuum_scale_factor": 0.01, "autovacuum_vacuum_insert_scale_factor": 0.01},
)
"""The public posts of each topic. The topic with the empty name is the square, which contains all public posts."""

TOPIC_RECOUNTS_TABLE = table(
    "topic_recounts",
    key("author_id", BigInteger),
    column("reached", BigInteger, server_default=sql("0")),
    # The version of the profile that requested it.
    column("version", BigInteger),
    shard="author_id",
)
"""Unfinished recounts, by author. A recount corrects the numbers of posts of topics after the author's profile became
private, public, suspended or reinstated. Posts with an id up to `reached` are done.
"""

FANOUTS_TABLE = table(
    "fanouts",
    key("author_id", BigInteger),
    key("post_id", BigInteger),
    # The author's partition. The worker that owns it runs the fan-out.
    column("partition", SmallInteger),
    # The moment by which inboxes order the post. If the post is removed from inboxes: the moment of its deletion,
    # negative.
    column("moment", BigInteger),
    column("reached", BigInteger, server_default=sql("0")),
    # When the fan-out began: the time of the change that caused it, in milliseconds since the Unix epoch.
    column("since_ms", BigInteger),
    Index("fanouts_due_idx", "partition", "since_ms"),
    shard="author_id",
)
"""Unfinished fan-outs. A fan-out writes a post into the inboxes of its author's followers, or removes it from them.
Followers with an id up to `reached` are done (T5).
"""


@dataclass(frozen=True)
class PostRow(Authored):
    """A post: as its row stores it, or with the author's pending changes applied. `version` is the version of the row;
    0 if there is no row yet.

    The requests of a process share row objects, and plans keep the JSON texts of row objects by their id()
    (execution/objects.py). So no field may be assigned, and each field must have an immutable value, such as a tuple.
    A change of any field makes a new row object with `dataclasses.replace`.
    """

    business: ClassVar[str] = "post"
    business_id: ClassVar[int] = POSTS

    post_id: int
    author_id: int
    moment: int
    text: str
    images: tuple[Attachment, ...]
    topic_names: tuple[str, ...]
    status: AuditStatus
    reason: str | None
    deleted: bool
    edited_ms: int | None
    content_version: int
    audit_version: int
    version: int
    custom: str | None = None
    mentioned: Mentioned | None = None
    quote_of: int | None = None
    """The id of the post that this post quotes; None if it quotes none."""
    quote_owner: int | None = None
    """The author of the quoted post."""
    detached: bool = False
    """Whether the author of the quoted post has detached this post from it."""
    about_business: int | None = None
    about_id: int | None = None
    announces: bool | None = None
    """Whether the post announces the entity that it refers to: Plaudit published it when the entity was registered."""
    content_warning: str | None = None
    labels: int = 0
    moderator_labels: int = 0
    labels_version: int = 0

    @property
    def detacher_id(self) -> int | None:
        """Returns the id of the author of the quoted post, who may detach this post from it."""
        return self.quote_owner

    @property
    def quoted_ref(self) -> EntityRef | None:
        """Returns the reference of the post among whose quotes this post is; None if it is among none."""
        is_quote = self.quote_of and self.is_public and not self.detached
        return EntityRef(POSTS, self.quote_of) if is_quote and self.quote_of else None

    @cached_property
    def about(self) -> EntityRef | None:
        """Returns the reference of the entity that the post refers to; None if it refers to none."""
        if self.about_business is None or self.about_id is None:
            return None
        return EntityRef(self.about_business, self.about_id)

    @property
    def announced(self) -> EntityRef | None:
        """Returns the reference of the entity that the post announces; None if it announces none. The entity has the
        reactions, comments, saves, views and shares of the post.
        """
        return self.about if self.announces else None

    @property
    def announces_entity(self) -> bool:
        """Tells whether the post announces an entity."""
        return self.announced is not None

    @property
    def global_id(self) -> str:
        """Returns the id that clients use."""
        return PostId.text(self.post_id)

    @cached_property
    def reactions_ref(self) -> EntityRef:
        """Returns the reference under which the reactions, saves, views and shares of the post are stored."""
        return self.announced or self.ref

    @property
    def thread(self) -> EntityRef:
        """Returns the reference of the post as a thread: the post with all its comments, which users can mute."""
        return self.announced or self.ref

    @property
    def threads(self) -> tuple[EntityRef, ...]:
        """Returns the references of all threads that contain the post, which is only its own."""
        return (self.thread,)

    @property
    def subject_key(self) -> tuple[int, str]:
        """Returns the key under which the settings of the comments on the post are stored: the number of the business
        of posts, and the post's id as a text.
        """
        return POSTS, str(self.post_id)

    @property
    def entity_id(self) -> int:
        """Returns the post's id, as its reference (`ref`) contains it."""
        return self.post_id

    @property
    def owner_id(self) -> int:
        """Returns the id of the user who receives the post's likes, which is its author."""
        return self.author_id

    @property
    def named_topics(self) -> tuple[str, ...]:
        """Returns the names of the topics of the post, in the spelling that users see."""
        return self.topic_names

    @property
    def topics(self) -> list[TopicRow]:
        """Returns the topics of the post."""
        return [TopicRow(name) for name in self.topic_names]

    @property
    def names_by_topic(self) -> dict[str, str]:
        """Returns the names of the topics of the post, in the spelling that users see, by the keys of the topics."""
        return {topic.key: topic.name for topic in self.topics}

    @property
    def comments_closed(self) -> bool:
        """Tells whether the post refuses new comments, which is so exactly while it is not public."""
        return not self.is_public

    @property
    def concerned(self) -> tuple[int | None, ...]:
        """Returns the ids of the users who are notified about the post, which is only its author. Mentioned users are
        not included.
        """
        return (self.author_id,)

    @property
    def outbox_state(self) -> OutboxState:
        """Returns who sees the post in the list of its author's posts."""
        if self.deleted:
            return OutboxState.DELETED
        return OutboxState.VISIBLE if self.status is AuditStatus.APPROVED else OutboxState.HIDDEN
