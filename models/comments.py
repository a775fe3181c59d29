"""Comments: what people say about posts and entities, where it is found, and the floors that were issued."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import IntEnum
from typing import Self

from sqlalchemy import BigInteger, Boolean, Index, Integer, SmallInteger, Text
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import INET
from sqlalchemy.orm import Mapped, mapped_column

from domain.ids import CommentId, born_ms
from domain.moderation.verdicts import WAITS, AuditStatus, Submission
from models.base import Base, at
from models.counters import EntityRef
from settings import COMMENTS, POSTS


class CommentState(IntEnum):
    """Who finds a comment in the lists of its subject. Numbers are stored: never reuse one."""

    HIDDEN = 0
    """Only its author: it waits for approval, or was rejected."""
    VISIBLE = 1
    """Everybody: as it is, or as the tombstone above its replies."""
    GONE = 2
    """Nobody: deleted, and nothing below it that everybody may see."""


class CommentSubjectTable(Base):
    """The last floor issued: of a post's or entity's root comments, and of a root comment's replies (C2)."""

    __tablename__ = "comment_subjects"

    business_id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    entity_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    floors: Mapped[int] = mapped_column(Integer)

    __table_args__ = {"info": {"shard": "entity_id"}}


class CommentTable(Base):
    """The index: a subject's comments, for reading by subject and root, by time and by how hot they are."""

    __tablename__ = "comments"

    subject_business: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    subject_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    comment_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    root_id: Mapped[int] = mapped_column(BigInteger)
    """What it is a reply below; 0 where it is a root itself."""
    author_id: Mapped[int] = mapped_column(BigInteger)
    moment: Mapped[int] = mapped_column(BigInteger)
    """When it was written; what lists order it by, however late it is approved."""
    state: Mapped[int] = mapped_column(SmallInteger)
    """Its `CommentState`."""
    score: Mapped[int] = mapped_column(BigInteger)
    """How hot it is (domain/ranking.py)."""
    score_version: Mapped[int] = mapped_column(BigInteger, server_default=sql("0"))
    """Of what the score was made of: it only grows."""

    __table_args__ = (
        Index("comments_recent_idx", "subject_business", "subject_id", "root_id", sql("moment DESC"),
              sql("comment_id DESC"), postgresql_where=sql("state = 1")),
        Index("comments_hot_idx", "subject_business", "subject_id", sql("score DESC"), sql("comment_id DESC"),
              postgresql_where=sql("state = 1 AND root_id = 0")),
        Index("comments_hidden_idx", "author_id", sql("moment DESC"), sql("comment_id DESC"),
              postgresql_where=sql("state = 0")),
        {"info": {"shard": "subject_id"}},
    )  # fmt: skip


class CommentContentTable(Base):
    """What comments say and what became of them, kept when deleted."""

    __tablename__ = "comment_contents"

    comment_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    subject_business: Mapped[int] = mapped_column(SmallInteger)
    subject_id: Mapped[int] = mapped_column(BigInteger)
    subject_owner: Mapped[int | None] = mapped_column(BigInteger)
    """Whose the subject was when this was written."""
    root_id: Mapped[int | None] = mapped_column(BigInteger)
    parent_id: Mapped[int | None] = mapped_column(BigInteger)
    replied_to: Mapped[int | None] = mapped_column(BigInteger)
    author_id: Mapped[int] = mapped_column(BigInteger)
    moment: Mapped[int] = mapped_column(BigInteger)
    text: Mapped[str] = mapped_column(Text)
    status: Mapped[int] = mapped_column(SmallInteger)
    reason: Mapped[str | None] = mapped_column(Text)
    """Why it has this status, where somebody or something objected."""
    deleted: Mapped[bool] = mapped_column(Boolean)
    floor: Mapped[int | None] = mapped_column(Integer)
    """Issued when it is first approved, and kept for ever."""
    answered: Mapped[bool] = mapped_column(Boolean)
    """Whether there is a reply below it that everybody may see: then it stays in its list whatever becomes of it."""
    content_version: Mapped[int] = mapped_column(BigInteger)
    """Of the change that wrote it, or deleted it."""
    audit_version: Mapped[int] = mapped_column(BigInteger)
    """Of the last judgement of it."""
    version: Mapped[int] = mapped_column(BigInteger)
    """Grows with every change of the row."""
    ip: Mapped[str | None] = mapped_column(INET)
    device: Mapped[str | None] = mapped_column(Text)
    client: Mapped[str | None] = mapped_column(Text)
    deleted_by: Mapped[int | None] = mapped_column(BigInteger)
    """The user who deleted it; null if a version that did not store this deleted it."""
    deleted_as: Mapped[str | None] = mapped_column(Text)
    """The role in which they deleted it: author, owner (of the subject) or moderator."""

    __table_args__ = (
        Index("comment_contents_waiting_idx", "moment", "comment_id",
              postgresql_where=sql("status = 0 AND NOT deleted")),
        {"info": {"shard": "comment_id"}},
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class CommentRow:
    """A comment as its row has it, as its author will see it there, or as `seen_by` masks it."""

    comment_id: int
    subject_business: int
    subject_id: int
    subject_owner: int | None
    root_id: int | None
    """None for a root."""
    parent_id: int | None
    """What it answers; its root, where it answers that."""
    replied_to: int | None
    """Who wrote that."""
    author_id: int
    """0 where it is masked."""
    moment: int
    text: str
    status: AuditStatus
    reason: str | None
    deleted: bool
    floor: int | None
    answered: bool
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
        return CommentId.text(self.subject_business, self.comment_id)

    @property
    def ref(self) -> EntityRef:
        """Where its counters are, and the last floor of its replies."""
        return EntityRef(COMMENTS, self.comment_id)

    @property
    def business_id(self) -> int:
        """That of comments."""
        return COMMENTS

    @property
    def business(self) -> str:
        """Its name."""
        return CommentId.business

    @property
    def entity_id(self) -> int:
        """Its id within the business."""
        return self.comment_id

    @property
    def owner_id(self) -> int | None:
        """Who gets its likes."""
        return self.shown_author

    @property
    def concerned(self) -> tuple[int | None, ...]:
        """Who is told what becomes of it, but for those whom it mentions."""
        return self.author_id, self.subject_owner, self.replied_to

    @property
    def subject(self) -> EntityRef:
        """What it is about, and where it is counted."""
        return EntityRef(self.subject_business, self.subject_id)

    @property
    def post_id(self) -> int | None:
        """The post that it is about; None where it is about an entity."""
        return self.subject_id if self.subject_business == POSTS else None

    @property
    def list_of(self) -> EntityRef:
        """In whose list it is found: its subject's, or that of its root. That issues its floor, too."""
        return self.subject if self.root_id is None else EntityRef(COMMENTS, self.root_id)

    @property
    def said(self) -> str | None:
        """What is shown of its text."""
        return None if self.deleted else self.text

    @property
    def shown_author(self) -> int | None:
        """Who is shown to have written it."""
        return None if self.deleted else self.author_id

    @property
    def audit_status(self) -> AuditStatus:
        """Who sees it."""
        return self.status

    @property
    def created_at(self) -> datetime:
        """When it was written."""
        return at(self.moment >> 10)

    @property
    def says(self) -> str:
        """What moderation judges."""
        return self.text

    @property
    def submission(self) -> Submission:
        """As moderation is shown it."""
        return Submission(
            kind=self.business,
            id=self.comment_id,
            author_id=self.author_id,
            author_created_at=at(born_ms(self.author_id)),
            text=self.text,
            image_urls=(),
            image_alts=(),
            topics=(),
            submitted_at=at(self.content_version >> 20),
        )

    @property
    def awaits_review(self) -> bool:
        """Whether the external reviewer is to decide about it."""
        return not self.deleted and (self.status, self.reason) == (WAITS.status, WAITS.reason)

    @property
    def is_public(self) -> bool:
        """Whether everybody may see what it says; and whether it is counted."""
        return self.status is AuditStatus.APPROVED and not self.deleted

    @property
    def state(self) -> CommentState:
        """Who finds it in the lists of its subject."""
        if self.is_public or self.answered:
            return CommentState.VISIBLE
        return CommentState.GONE if self.deleted else CommentState.HIDDEN

    def seen_by(self, viewer_id: int | None, *, moderates: bool) -> Self | None:
        """What somebody may see of it: all, the tombstone above its replies, or nothing."""
        if self.is_public or (not self.deleted and (moderates or self.author_id == viewer_id)):
            return self
        return self.masked if self.answered else None

    @property
    def masked(self) -> Self:
        """Nothing but its place: neither what it said, nor who said it, nor what became of it."""
        return replace(
            self, author_id=0, text="", status=AuditStatus.APPROVED, reason=None, deleted=True, subject_owner=None
        )
