"""Posts: what people write, the outboxes and topics it lies in, and what is still to be done about it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import NamedTuple

from sqlalchemy import BigInteger, Boolean, Index, SmallInteger, Text
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import ARRAY, INET, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from domain.ids import PostId, born_ms
from domain.moderation.verdicts import WAITS, AuditStatus, Submission
from models.base import Base, at
from models.counters import EntityRef
from models.topics import TopicRow
from settings import POSTS


class OutboxState(IntEnum):
    """Who finds a post by its author. Numbers are stored: never reuse one."""

    HIDDEN = 0
    """Only its author: it waits for approval, or was rejected."""
    VISIBLE = 1
    DELETED = 2
    """Nobody."""


class PostTable(Base):
    """Posts, kept when deleted. Authors change what they say, moderation judges it: each has a version of its own."""

    __tablename__ = "posts"

    post_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    author_id: Mapped[int] = mapped_column(BigInteger)
    moment: Mapped[int] = mapped_column(BigInteger)
    """When it was published; what timelines order it by."""
    text: Mapped[str] = mapped_column(Text)
    images: Mapped[list[list[str | None]]] = mapped_column(JSONB)
    """Pairs: address, alternative text."""
    topics: Mapped[list[str]] = mapped_column(ARRAY(Text))
    status: Mapped[int] = mapped_column(SmallInteger)
    reason: Mapped[str | None] = mapped_column(Text)
    """Why it has this status, where somebody or something objected."""
    deleted: Mapped[bool] = mapped_column(Boolean)
    edited_ms: Mapped[int | None] = mapped_column(BigInteger)
    content_version: Mapped[int] = mapped_column(BigInteger)
    """Of the author's last change."""
    audit_version: Mapped[int] = mapped_column(BigInteger)
    """Of the last judgement of it."""
    version: Mapped[int] = mapped_column(BigInteger)
    """Grows with every change of the row."""
    ip: Mapped[str | None] = mapped_column(INET)
    device: Mapped[str | None] = mapped_column(Text)
    client: Mapped[str | None] = mapped_column(Text)

    __table_args__ = (
        Index("posts_recent_idx", sql("moment DESC"), sql("post_id DESC"),
              postgresql_where=sql("status = 1 AND NOT deleted")),
        Index("posts_waiting_idx", "moment", "post_id", postgresql_where=sql("status = 0 AND NOT deleted")),
        {"info": {"shard": "post_id"}},
    )  # fmt: skip


class OutboxTable(Base):
    """What an author has published, for reading by author: profiles, home timelines."""

    __tablename__ = "outboxes"

    author_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    post_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    moment: Mapped[int] = mapped_column(BigInteger)
    state: Mapped[int] = mapped_column(SmallInteger)
    """Its `OutboxState`."""
    pushed: Mapped[bool] = mapped_column(Boolean)
    """Whether it is pushed into inboxes; where it is not, home timelines pull it (T4). Decided when it is approved."""

    __table_args__ = (
        Index(
            "outboxes_recent_idx", "author_id", sql("moment DESC"), sql("post_id DESC"), postgresql_include=["state"]
        ),
        Index("outboxes_pulled_idx", "author_id", "moment", postgresql_where=sql("state = 1 AND NOT pushed")),
        {"info": {"shard": "author_id"}},
    )


class TopicPostTable(Base):
    """What everybody may see under a topic; all of it under the one without a name, which is the square."""

    __tablename__ = "topic_posts"

    topic_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    post_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    moment: Mapped[int] = mapped_column(BigInteger)
    score: Mapped[int] = mapped_column(BigInteger)
    """How hot it is (domain/ranking.py)."""
    score_version: Mapped[int] = mapped_column(BigInteger, server_default=sql("0"))
    """Of what the score was made of: it only grows."""

    __table_args__ = (
        Index("topic_posts_recent_idx", "topic_id", sql("moment DESC"), sql("post_id DESC")),
        Index("topic_posts_hot_idx", "topic_id", sql("score DESC"), sql("post_id DESC")),
        {"info": {"shard": "topic_id"}},
    )


class FanoutTable(Base):
    """Posts on their way into inboxes, or out of them: of the followers those up to `reached` are done (T5)."""

    __tablename__ = "fanouts"

    author_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    post_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    partition: Mapped[int] = mapped_column(SmallInteger)
    """The author's: whoever owns it pushes."""
    moment: Mapped[int] = mapped_column(BigInteger)
    """What inboxes order it by; negative, and that of its deletion, when it is taken out of them."""
    reached: Mapped[int] = mapped_column(BigInteger, server_default=sql("0"))
    since_ms: Mapped[int] = mapped_column(BigInteger)
    """When it began, by the clock of the change that asked for it."""

    __table_args__ = (Index("fanouts_due_idx", "partition", "since_ms"), {"info": {"shard": "author_id"}})


class Image(NamedTuple):
    """A picture of a post: its unsigned address, and what it shows in words."""

    url: str
    alt: str | None


def plain(images: Iterable[Image]) -> list[list[str | None]]:
    """Images as JSON has them: pairs of address and words."""
    return [list(image) for image in images]


@dataclass(frozen=True, slots=True)
class PostRow:
    """A post as its row has it, or as its author will see it there. `version` is the row's, 0 before there is one."""

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
        """The version of the last change that the row tells of."""
        return max(self.content_version, self.audit_version)

    @property
    def global_id(self) -> str:
        """As clients write it."""
        return PostId.text(self.post_id)

    @property
    def ref(self) -> EntityRef:
        """Where its counters are."""
        return EntityRef(POSTS, self.post_id)

    @property
    def business_id(self) -> int:
        """That of posts."""
        return POSTS

    @property
    def business(self) -> str:
        """Its name."""
        return "post"

    @property
    def entity_id(self) -> int:
        """Its id within the business."""
        return self.post_id

    @property
    def owner_id(self) -> int:
        """Who gets its likes."""
        return self.author_id

    @property
    def topics(self) -> list[TopicRow]:
        """What it is about."""
        return [TopicRow(name) for name in self.topic_names]

    @property
    def audit_status(self) -> AuditStatus:
        """Who sees it."""
        return self.status

    @property
    def comments_closed(self) -> bool:
        """Whether new comments are refused: always while the post is not public."""
        return not self.is_public

    @property
    def concerned(self) -> tuple[int | None, ...]:
        """Who is told what becomes of it, but for those whom it mentions."""
        return (self.author_id,)

    @property
    def created_at(self) -> datetime:
        """When it was published."""
        return at(self.moment >> 10)

    @property
    def edited_at(self) -> datetime | None:
        """When its author last changed it."""
        return None if self.edited_ms is None else at(self.edited_ms)

    @property
    def outbox_state(self) -> OutboxState:
        """Who finds it by its author."""
        if self.deleted:
            return OutboxState.DELETED
        return OutboxState.VISIBLE if self.status is AuditStatus.APPROVED else OutboxState.HIDDEN

    @property
    def says(self) -> tuple[str, tuple[Image, ...], tuple[str, ...]]:
        """What moderation judges."""
        return self.text, self.images, self.topic_names

    @property
    def submission(self) -> Submission:
        """As moderation is shown it."""
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
        """Whether the external reviewer is to decide about it."""
        return not self.deleted and (self.status, self.reason) == (WAITS.status, WAITS.reason)

    @property
    def is_public(self) -> bool:
        """Whether everybody may see it."""
        return self.status is AuditStatus.APPROVED and not self.deleted

    def is_visible_to(self, viewer_id: int | None, *, moderates: bool) -> bool:
        """Whether somebody may see it."""
        return self.is_public or (not self.deleted and (moderates or self.author_id == viewer_id))
