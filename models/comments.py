"""Comments: their contents, the index from which lists of comments are read, and the last floor number of each list.

A floor number is a number that a comment gets when it is first approved: 1, 2, 3 … within its list.
"""

from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from typing import ClassVar, Self

from sqlalchemy import BigInteger, Boolean, Index, Integer, SmallInteger, Text
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import JSONB

from domain.ids import CommentId
from domain.moderation.verdicts import AuditStatus
from models.attachments import Attachment
from models.authored import HAS_REMOVED_TEXT, NEWEST, Authored, files_index, mentioned_index
from models.base import HAS_CLIENT, client_columns, column, key, nullable, table
from models.counters import EntityRef
from models.facets import Mentioned
from settings import COMMENTS, POSTS


class CommentState(IntEnum):
    """Tells who sees a comment in the lists of comments on a post or entity. The numbers are stored:
    never reuse one.
    """

    HIDDEN = 0
    """Only the author sees it: the comment waits for approval, or was rejected."""
    VISIBLE = 1
    """All users see it: as an approved comment, or as a tombstone, which shows only that there is a comment above its
    replies.
    """
    GONE = 2
    """No user sees it: the comment is deleted and has no public reply."""


COMMENT_SUBJECTS_TABLE = table(
    "comment_subjects",
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    column("floors", Integer),
    shard="entity_id",
)
"""The last floor number issued in each list. A list consists of the root comments of a post or entity, or of the
replies to a root comment (C2).
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
"""The index of comments by subject and root comment, in order of time or of hot score. Lists of comments are read from
this table.
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
    # The users whom the text mentions, as pairs of handle and user id (models/facets.py).
    nullable("mentioned", JSONB),
    # What the author says before the text, such as a warning of spoilers.
    nullable("content_warning", Text),
    # The labels that the author has set, and those that moderators have set, as bits (domain/labels.py).
    column("labels", BigInteger, server_default=sql("0")),
    column("moderator_labels", BigInteger, server_default=sql("0")),
    # The version of the moderators' last change of the labels.
    column("labels_version", BigInteger, server_default=sql("0")),
    *client_columns(),
    Index("comment_contents_author_idx", "author_id", "comment_id"),
    Index("comment_contents_waiting_idx", "moment", "comment_id", postgresql_where=sql("status = 0 AND NOT deleted")),
    Index("comment_contents_client_idx", "comment_id", postgresql_where=sql(HAS_CLIENT)),
    Index("comment_contents_removed_idx", sql(NEWEST), postgresql_where=sql(HAS_REMOVED_TEXT)),
    mentioned_index("comment_contents"),
    files_index("comment_contents"),
    shard="comment_id",
)
"""The contents and moderation status of comments. Rows stay when comments are deleted."""


@dataclass(frozen=True)
class CommentRow(Authored):
    """A comment: as its row stores it, with the author's pending changes applied, or masked as a tombstone. A row
    object never changes (see `PostRow` in models/posts.py).
    """

    business: ClassVar[str] = CommentId.business
    business_id: ClassVar[int] = COMMENTS

    comment_id: int
    subject_business: int
    subject_id: int
    subject_owner: int | None
    root_id: int | None
    """The id of the root comment under which this reply stands; None if this is a root comment."""
    parent_id: int | None
    """The id of the comment that this one answers: the root comment, or another reply. None if this is a
    root comment.
    """
    replied_to: int | None
    """The id of the author of the answered comment; None if this is a root comment."""
    author_id: int
    """The author's id; 0 in a tombstone."""
    moment: int
    text: str
    images: tuple[Attachment, ...]
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
    mentioned: Mentioned | None = None
    content_warning: str | None = None
    labels: int = 0
    moderator_labels: int = 0
    labels_version: int = 0

    @property
    def global_id(self) -> str:
        """Returns the id that clients use."""
        return CommentId.text(self.subject_business, self.comment_id)

    @cached_property
    def reactions_ref(self) -> EntityRef | None:
        """Returns the reference under which the likes and dislikes of the comment are stored. None for a deleted
        comment, whose reactions are not shown.
        """
        return None if self.deleted else self.ref

    @property
    def entity_id(self) -> int:
        """Returns the comment's id, as its reference (`ref`) contains it."""
        return self.comment_id

    @property
    def owner_id(self) -> int | None:
        """Returns the id of the user who receives the comment's likes, which is its author; None if the comment is
        deleted.
        """
        return self.shown_author

    @property
    def concerned(self) -> tuple[int | None, ...]:
        """Returns the ids of the users who are notified about the comment: its author, the owner of its subject, and
        the author of the answered comment. Mentioned users are not included.
        """
        return self.author_id, self.subject_owner, self.replied_to

    @property
    def subject(self) -> EntityRef:
        """Returns the reference of the post or entity that the comment is about. The comment counts in its counters."""
        return EntityRef(self.subject_business, self.subject_id)

    @property
    def thread(self) -> EntityRef:
        """Returns the reference of the root comment of this comment. A root comment and its replies form a thread,
        which users can mute.
        """
        return EntityRef(COMMENTS, self.root_id or self.comment_id)

    @property
    def threads(self) -> tuple[EntityRef, ...]:
        """Returns the references of both threads that contain the comment: that of its root comment, and that of its
        subject.
        """
        return self.thread, self.subject

    @property
    def post_id(self) -> int | None:
        """Returns the id of the post that the comment is about; None if it is about an entity."""
        return self.subject_id if self.subject_business == POSTS else None

    @property
    def list_of(self) -> EntityRef:
        """Returns the reference of the list that contains the comment: that of its subject, or of its root comment if
        it is a reply. Each list has its own floor numbers.
        """
        return self.subject if self.root_id is None else EntityRef(COMMENTS, self.root_id)

    @property
    def said(self) -> str | None:
        """Returns the text that readers see; None if the comment is deleted."""
        return None if self.deleted else self.text

    @property
    def shown_author(self) -> int | None:
        """Returns the id of the author that readers see; None if the comment is deleted."""
        return None if self.deleted else self.author_id

    @property
    def state(self) -> CommentState:
        """Returns who sees the comment in the lists of its subject."""
        if self.is_public or self.answered:
            return CommentState.VISIBLE
        return CommentState.GONE if self.deleted else CommentState.HIDDEN

    def seen_by(self, viewer_id: int | None, *, moderates: bool) -> Self | None:
        """Returns what a viewer may see of the comment: all of it, its tombstone if it has public replies, or None. If
        `moderates` is true, the viewer is a moderator, who sees every comment that is not deleted.
        """
        if self.is_visible_to(viewer_id, moderates=moderates):
            return self
        return self.masked if self.answered else None

    @property
    def masked(self) -> Self:
        """Returns the comment as a tombstone: in the same position of its list, but without text, images, custom data,
        labels, author and moderation status.
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
            mentioned=None,
            content_warning=None,
            labels=0,
            moderator_labels=0,
        )
