"""Posts: their contents, the outboxes and topics that list them, and their fan-out into inboxes."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import NamedTuple

from sqlalchemy import BigInteger, Boolean, Index, SmallInteger, Text
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from domain.ids import PostId, born_ms
from domain.moderation.verdicts import WAITS_FOR_REVIEW, AuditStatus, Submission
from models.base import Base, ClientColumns, at
from models.counters import EntityRef
from models.topics import TopicRow
from settings import POSTS


class OutboxState(IntEnum):
    """Who sees a post in the list of its author's posts. The numbers are stored: never reuse one."""

    HIDDEN = 0
    """Only the author: the post waits for approval, or was rejected."""
    VISIBLE = 1
    DELETED = 2
    """No user."""


class PostTable(ClientColumns, Base):
    """Posts. Rows stay when posts are deleted. The author's changes and moderation's verdicts have separate
    versions.
    """

    __tablename__ = "posts"

    post_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    author_id: Mapped[int] = mapped_column(BigInteger)
    moment: Mapped[int] = mapped_column(BigInteger)
    """When the post was published. Timelines are ordered by it."""
    text: Mapped[str] = mapped_column(Text)
    images: Mapped[list[list[str | None]]] = mapped_column(JSONB)
    """The images as pairs of URL and alternative text."""
    topics: Mapped[list[str]] = mapped_column(ARRAY(Text))
    status: Mapped[int] = mapped_column(SmallInteger)
    reason: Mapped[str | None] = mapped_column(Text)
    """Why the post is waiting or rejected; null if there is no objection."""
    deleted: Mapped[bool] = mapped_column(Boolean)
    edited_ms: Mapped[int | None] = mapped_column(BigInteger)
    content_version: Mapped[int] = mapped_column(BigInteger)
    """The version of the author's last change."""
    audit_version: Mapped[int] = mapped_column(BigInteger)
    """The version of the last moderation verdict."""
    version: Mapped[int] = mapped_column(BigInteger)
    """Grows with every change of the row."""

    __table_args__ = (
        Index("posts_recent_idx", sql("moment DESC"), sql("post_id DESC"),
              postgresql_where=sql("status = 1 AND NOT deleted")),
        Index("posts_waiting_idx", "moment", "post_id", postgresql_where=sql("status = 0 AND NOT deleted")),
        {"info": {"shard": "post_id"}},
    )  # fmt: skip


class OutboxTable(Base):
    """The posts of each author, from which profiles and home timelines are read."""

    __tablename__ = "outboxes"

    author_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    post_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    moment: Mapped[int] = mapped_column(BigInteger)
    state: Mapped[int] = mapped_column(SmallInteger)
    """An `OutboxState`."""
    pushed: Mapped[bool] = mapped_column(Boolean)
    """Whether the post is pushed into the inboxes of followers. If not, home timelines read it from the outbox (T4). It
    is decided when the post is approved.
    """

    __table_args__ = (
        Index(
            "outboxes_recent_idx", "author_id", sql("moment DESC"), sql("post_id DESC"), postgresql_include=["state"]
        ),
        Index("outboxes_pulled_idx", "author_id", "moment", postgresql_where=sql("state = 1 AND NOT pushed")),
        {"info": {"shard": "author_id"}},
    )


class TopicPostTable(Base):
    """The public posts of each topic. The topic with the empty name is the square: it contains all public posts."""

    __tablename__ = "topic_posts"

    topic_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    post_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    moment: Mapped[int] = mapped_column(BigInteger)
    score: Mapped[int] = mapped_column(BigInteger)
    """The hot score (domain/ranking.py)."""
    score_version: Mapped[int] = mapped_column(BigInteger, server_default=sql("0"))
    """The version of the data from which the score was computed. It only grows."""

    __table_args__ = (
        Index("topic_posts_recent_idx", "topic_id", sql("moment DESC"), sql("post_id DESC")),
        Index("topic_posts_hot_idx", "topic_id", sql("score DESC"), sql("post_id DESC")),
        {"info": {"shard": "topic_id"}},
    )


class FanoutTable(Base):
    """Posts that are being pushed into the inboxes of their authors' followers, or removed from these inboxes. This is
    done for followers with an id up to `reached` (T5).
    """

    __tablename__ = "fanouts"

    author_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    post_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    partition: Mapped[int] = mapped_column(SmallInteger)
    """The author's partition. The worker that owns it runs the fan-out."""
    moment: Mapped[int] = mapped_column(BigInteger)
    """The moment by which inboxes order the post. If the post is removed from inboxes: the moment of its deletion,
    negative.
    """
    reached: Mapped[int] = mapped_column(BigInteger, server_default=sql("0"))
    since_ms: Mapped[int] = mapped_column(BigInteger)
    """When the fan-out began: the time of the change that caused it, in milliseconds since the Unix epoch."""

    __table_args__ = (Index("fanouts_due_idx", "partition", "since_ms"), {"info": {"shard": "author_id"}})


class Image(NamedTuple):
    """An image of a post: its unsigned URL, and its alternative text."""

    url: str
    alt: str | None


def plain(images: Iterable[Image]) -> list[list[str | None]]:
    """Converts images to JSON: pairs of URL and alternative text."""
    return [list(image) for image in images]


@dataclass(frozen=True, slots=True)
class PostRow:
    """A post: as its row stores it, or as the author's pending changes make it. `version` is the version of the row; 0
    if there is no row yet.
    """

    post_id: int
    author_id: int
    moment: int
    text: str
    images: tuple[Image, ...]
    topic_names: tuple[str, ...]
    status: AuditStatus
    reason: str | None
    deleted: bool
    edited_ms: int | None
    content_version: int
    audit_version: int
    version: int

    @property
    def newest(self) -> int:
        """Returns the version of the last change that the row includes."""
        return max(self.content_version, self.audit_version)

    @property
    def global_id(self) -> str:
        """Returns the id that clients use."""
        return PostId.text(self.post_id)

    @property
    def ref(self) -> EntityRef:
        """Returns the reference under which the post's counters are stored."""
        return EntityRef(POSTS, self.post_id)

    @property
    def business_id(self) -> int:
        """Returns the number of the business of posts."""
        return POSTS

    @property
    def business(self) -> str:
        """Returns the name of the business of posts."""
        return "post"

    @property
    def entity_id(self) -> int:
        """Returns the post's id within its business."""
        return self.post_id

    @property
    def owner_id(self) -> int:
        """Returns the user who receives the post's likes."""
        return self.author_id

    @property
    def topics(self) -> list[TopicRow]:
        """Returns the topics of the post."""
        return [TopicRow(name) for name in self.topic_names]

    @property
    def audit_status(self) -> AuditStatus:
        """Returns the moderation status of the post."""
        return self.status

    @property
    def comments_closed(self) -> bool:
        """Tells whether new comments are refused. They are always refused while the post is not public."""
        return not self.is_public

    @property
    def concerned(self) -> tuple[int | None, ...]:
        """Returns the users who are notified about the post: its author. Mentioned users are not included."""
        return (self.author_id,)

    @property
    def created_at(self) -> datetime:
        """Returns when the post was published."""
        return at(self.moment >> 10)

    @property
    def edited_at(self) -> datetime | None:
        """Returns when the author last changed the post; None if never."""
        return None if self.edited_ms is None else at(self.edited_ms)

    @property
    def outbox_state(self) -> OutboxState:
        """Returns who sees the post in the list of its author's posts."""
        if self.deleted:
            return OutboxState.DELETED
        return OutboxState.VISIBLE if self.status is AuditStatus.APPROVED else OutboxState.HIDDEN

    @property
    def says(self) -> tuple[str, tuple[Image, ...], tuple[str, ...]]:
        """Returns what moderation checks: text, images and topics."""
        return self.text, self.images, self.topic_names

    @property
    def submission(self) -> Submission:
        """Returns the post in the form in which moderation receives it."""
        return Submission(
            kind=self.business,
            id=self.post_id,
            author_id=self.author_id,
            author_created_at=at(born_ms(self.author_id)),
            text=self.text,
            image_urls=tuple(image.url for image in self.images),
            image_alts=tuple(image.alt for image in self.images if image.alt),
            topics=self.topic_names,
            submitted_at=at(self.content_version >> 20),
        )

    @property
    def awaits_review(self) -> bool:
        """Tells whether the post waits for the external reviewer."""
        return not self.deleted and (self.status, self.reason) == (WAITS_FOR_REVIEW.status, WAITS_FOR_REVIEW.reason)

    @property
    def is_public(self) -> bool:
        """Tells whether all users may see the post."""
        return self.status is AuditStatus.APPROVED and not self.deleted

    def is_visible_to(self, viewer_id: int | None, *, moderates: bool) -> bool:
        """Tells whether a viewer may see the post."""
        return self.is_public or (not self.deleted and (moderates or self.author_id == viewer_id))
