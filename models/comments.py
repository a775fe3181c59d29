"""Comments: their contents, the index from which lists are read, and the last floor number of each list."""

from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from typing import ClassVar, Self

from sqlalchemy import BigInteger, Boolean, Index, Integer, SmallInteger, Text
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import JSONB

from domain.ids import CommentId
from domain.moderation.verdicts import AuditStatus
from models.authored import Authored
from models.base import client_columns, column, key, nullable, table
from models.counters import EntityRef
from models.images import Image
from settings import COMMENTS, POSTS


class CommentState(IntEnum):
    """Who sees a comment in the lists of its subject. The numbers are stored: never reuse one."""

    HIDDEN = 0
    """Only the author: the comment waits for approval, or was rejected."""
    VISIBLE = 1
    """All users: as an approved comment, or as the tombstone above its replies."""
    GONE = 2
    """No user: the comment is deleted and has no public reply."""


COMMENT_SUBJECTS_TABLE = table(
    "comment_subjects",
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    column("floors", Integer),
    shard="entity_id",
)
"""The last floor number issued for each list: the root comments of a post or entity, or the replies of a root
comment (C2).
"""

COMMENTS_TABLE = table(
    "comments",
    key("subject_business", SmallInteger),
    key("subject_id", BigInteger),
    key("comment_id", BigInteger),
    # The root comment that this comment replies to; 0 if it is a root comment itself.
    column("root_id", BigInteger),
    column("author_id", BigInteger),
    # When the comment was written. Lists are ordered by it, even if the comment is approved later.
    column("moment", BigInteger),
    # A `CommentState`.
    column("state", SmallInteger),
    # The hot score (domain/ranking.py).
    column("score", BigInteger),
    # The version of the data from which the score was computed. It only grows.
    column("score_version", BigInteger, server_default=sql("0")),
    Index(
        "comments_recent_idx",
        "subject_business",
        "subject_id",
        "root_id",
        sql("moment DESC"),
        sql("comment_id DESC"),
        postgresql_where=sql("state = 1"),
    ),
    Index(
        "comments_hot_idx",
        "subject_business",
        "subject_id",
        sql("score DESC"),
        sql("comment_id DESC"),
        postgresql_where=sql("state = 1 AND root_id = 0"),
    ),
    Index(
        "comments_hidden_idx",
        "author_id",
        sql("moment DESC"),
        sql("comment_id DESC"),
        postgresql_where=sql("state = 0"),
    ),
    shard="subject_id",
)
"""The index of comments by subject and root, in order of time or of score. Lists of comments are read from this
table.
"""

COMMENT_CONTENTS_TABLE = table(
    "comment_contents",
    key("comment_id", BigInteger),
    column("subject_business", SmallInteger),
    column("subject_id", BigInteger),
    # The owner of the subject when the comment was written.
    nullable("subject_owner", BigInteger),
    nullable("root_id", BigInteger),
    nullable("parent_id", BigInteger),
    nullable("replied_to", BigInteger),
    column("author_id", BigInteger),
    column("moment", BigInteger),
    column("text", Text),
    # The images as pairs of URL and alternative text.
    column("images", JSONB, server_default=sql("'[]'")),
    column("status", SmallInteger),
    # Why the comment is waiting or rejected; null if there is no objection.
    nullable("reason", Text),
    column("deleted", Boolean),
    nullable("edited_ms", BigInteger),
    # The floor number. It is issued at the first approval and never changes.
    nullable("floor", Integer),
    # Whether the comment has a public reply. If so, it stays in its list, even when it is deleted or rejected.
    column("answered", Boolean),
    # The version of the change that wrote, edited or deleted the comment.
    column("content_version", BigInteger),
    # The version of the last moderation verdict.
    column("audit_version", BigInteger),
    # Grows with every change of the row.
    column("version", BigInteger),
    # The user who deleted the comment.
    nullable("deleted_by", BigInteger),
    # The role in which the user deleted the comment: author, owner (of the subject) or moderator.
    nullable("deleted_as", Text),
    # A JSON object as text.
    nullable("custom", Text),
    *client_columns(),
    Index("comment_contents_waiting_idx", "moment", "comment_id", postgresql_where=sql("status = 0 AND NOT deleted")),
    shard="comment_id",
)
"""The contents and moderation status of comments. Rows stay when comments are deleted."""


@dataclass(frozen=True)
class CommentRow(Authored):
    """A comment: as its row stores it, as the author's pending changes make it, or as `seen_by` masks it."""

    business: ClassVar[str] = CommentId.business
    business_id: ClassVar[int] = COMMENTS

    comment_id: int
    subject_business: int
    subject_id: int
    subject_owner: int | None
    root_id: int | None
    """The root comment; None if this is a root comment."""
    parent_id: int | None
    """The comment that this one answers: the root comment, or another reply. None if this is a root comment."""
    replied_to: int | None
    """The author of the parent comment."""
    author_id: int
    """The author's id; 0 in a masked comment."""
    moment: int
    text: str
    images: tuple[Image, ...]
    status: AuditStatus
    reason: str | None
    deleted: bool
    edited_ms: int | None
    floor: int | None
    answered: bool
    content_version: int
    audit_version: int
    version: int
    custom: str | None = None

    @property
    def global_id(self) -> str:
        """Returns the id that clients use."""
        return CommentId.text(self.subject_business, self.comment_id)

    @cached_property
    def reactions_ref(self) -> EntityRef | None:
        """Returns the reference under which the reactions to the comment are stored. None for a deleted comment, whose
        reactions are not shown.
        """
        return None if self.deleted else self.ref

    @property
    def entity_id(self) -> int:
        """Returns the comment's id within its business."""
        return self.comment_id

    @property
    def owner_id(self) -> int | None:
        """Returns the user who receives the comment's likes; None if the comment is deleted."""
        return self.shown_author

    @property
    def concerned(self) -> tuple[int | None, ...]:
        """Returns the users who are notified about the comment: author, subject's owner, and parent's author. Mentioned
        users are not included.
        """
        return self.author_id, self.subject_owner, self.replied_to

    @property
    def subject(self) -> EntityRef:
        """Returns the post or entity that the comment is about. Comments are counted there."""
        return EntityRef(self.subject_business, self.subject_id)

    @property
    def thread(self) -> EntityRef:
        """Returns the thread of the comment, which users can mute. It is named by the root comment."""
        return EntityRef(COMMENTS, self.root_id or self.comment_id)

    @property
    def threads(self) -> tuple[EntityRef, ...]:
        """Returns all threads that contain the comment: its own and that of its subject."""
        return self.thread, self.subject

    @property
    def post_id(self) -> int | None:
        """Returns the post that the comment is about; None if it is about an entity."""
        return self.subject_id if self.subject_business == POSTS else None

    @property
    def list_of(self) -> EntityRef:
        """Returns the owner of the list that contains the comment: its subject, or its root comment if it is a reply.
        Floor numbers are issued per list.
        """
        return self.subject if self.root_id is None else EntityRef(COMMENTS, self.root_id)

    @property
    def said(self) -> str | None:
        """Returns the text that readers see; None if the comment is deleted."""
        return None if self.deleted else self.text

    @property
    def shown_author(self) -> int | None:
        """Returns the author that readers see; None if the comment is deleted."""
        return None if self.deleted else self.author_id

    @property
    def state(self) -> CommentState:
        """Returns who sees the comment in the lists of its subject."""
        if self.is_public or self.answered:
            return CommentState.VISIBLE
        return CommentState.GONE if self.deleted else CommentState.HIDDEN

    def seen_by(self, viewer_id: int | None, *, moderates: bool) -> Self | None:
        """Returns what a viewer may see: the whole comment, the tombstone above its replies, or None. `moderates` tells
        whether the viewer is a moderator, who sees every comment that is not deleted.
        """
        if self.is_visible_to(viewer_id, moderates=moderates):
            return self
        return self.masked if self.answered else None

    @property
    def masked(self) -> Self:
        """Returns the comment's tombstone. The tombstone has the same position in lists, and hides text, images, custom
        data, author and moderation status.
        """
        return replace(
            self,
            author_id=0,
            text="",
            images=(),
            edited_ms=None,
            status=AuditStatus.APPROVED,
            reason=None,
            deleted=True,
            subject_owner=None,
            custom=None,
        )
