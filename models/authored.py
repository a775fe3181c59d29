"""The base class of posts and comments: author, times, moderation status, and the rule for who may see them."""

from abc import abstractmethod
from datetime import datetime
from functools import cached_property
from typing import ClassVar

from sqlalchemy import Index
from sqlalchemy import text as sql

from domain.ids import born_ms
from domain.moderation.verdicts import WAITS_FOR_REVIEW, AuditStatus, Submission, SubmittedAttachment
from models.attachments import Attachment, AttachmentKind
from models.base import at
from models.counters import EntityRef
from models.facets import Facet, Mentioned, facets_of

_HAS_CONTENT = "(text <> '' OR images <> '[]' OR custom IS NOT NULL)"
HAS_REMOVED_TEXT = f"(deleted OR status = {AuditStatus.REJECTED:d}) AND {_HAS_CONTENT}"
"""The SQL condition that the row of a post or comment has content that is deleted or rejected."""
NEWEST = "greatest(content_version, audit_version)"
"""The property `newest` of a post or comment, as SQL."""


def files_index(table: str) -> Index:
    """Returns the index that finds the posts or comments of a table that show a file."""
    return Index(
        f"{table}_files_idx",
        "images",
        postgresql_using="gin",
        postgresql_ops={"images": "jsonb_path_ops"},
        postgresql_where=sql("images <> '[]'"),
    )


def mentioned_index(table: str) -> Index:
    """Returns the index that finds the posts or comments of a table that mention a user."""
    return Index(
        f"{table}_mentioned_idx",
        "mentioned",
        postgresql_using="gin",
        postgresql_ops={"mentioned": "jsonb_path_ops"},
        postgresql_where=sql("mentioned IS NOT NULL"),
    )


def _submitted(one: Attachment) -> SubmittedAttachment:
    """Returns an attachment in the form in which moderation gets it."""
    facts = one.mime_type, one.width, one.height, one.duration_ms
    return SubmittedAttachment(one.kind.value, one.url, one.alt, one.poster_url, *facts)


class Authored:
    """The base class of the rows of posts and of comments, with the fields and properties that both have. Their
    dataclasses declare the fields again, because the order of the fields is that of the columns.
    """

    business: ClassVar[str]
    """The name of the business, which is `post` for posts and `comment` for comments."""
    business_id: ClassVar[int]
    """The number of the business, as keys and rows contain it."""

    author_id: int
    moment: int
    """The moment (domain/versions.py) at which the post or comment was written. Lists are ordered by it."""
    text: str
    images: tuple[Attachment, ...]
    """All attachments, in the order in which they are shown: images, videos and audio files."""
    status: AuditStatus
    reason: str | None
    """Why the post or comment waits for moderation or was rejected; None if moderation has no objection."""
    deleted: bool
    edited_ms: int | None
    content_version: int
    """The version (domain/versions.py) of the last change by the author, or of the deletion."""
    audit_version: int
    """The version of the last moderation verdict."""
    version: int
    """The version of the row, which grows with every change; 0 if there is no row yet."""
    custom: str | None
    """Custom data: a JSON object as text; None if there is none."""
    mentioned: Mentioned | None
    """The users whom the text mentions. None if this is not stored: no worker has stored the text yet, an earlier
    version of Plaudit stored it, or the text mentions nobody.
    """

    content_warning: str | None
    """What the author says before the text, such as a warning of spoilers; None if there is nothing."""
    labels: int
    """The labels that the author has set, as bits (domain/labels.py)."""
    moderator_labels: int
    """The labels that moderators have set, as bits. The author cannot remove them."""
    labels_version: int
    """The version of the moderators' last change of the labels; 0 if there is none."""

    @property
    @abstractmethod
    def entity_id(self) -> int:
        """Returns the id of the post or comment, as its reference (`ref`) contains it."""

    @cached_property
    def ref(self) -> EntityRef:
        """Returns the reference of the post or comment, under which its counters are stored."""
        return EntityRef(self.business_id, self.entity_id)

    @property
    def named_topics(self) -> tuple[str, ...]:
        """Returns the names of the topics of a post, in the spelling that users see. Returns no names for a comment."""
        return ()

    @cached_property
    def facets(self) -> tuple[Facet, ...]:
        """Returns the links, mentions and topics in the text that readers see."""
        return () if self.deleted else facets_of(self.text, self.mentioned)

    @property
    def detacher_id(self) -> int | None:
        """Returns the id of the user who may detach a post from what it quotes; None for a comment."""
        return None

    @property
    def newest(self) -> int:
        """Returns the version of the newest change that the row includes, whether by the author or by moderation."""
        return max(self.content_version, self.audit_version)

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """Returns the images, videos and audio files, in the order in which they are shown."""
        return self.images

    @property
    def pictures(self) -> tuple[Attachment, ...]:
        """Returns those attachments that are images."""
        return tuple(one for one in self.images if one.kind is AttachmentKind.IMAGE)

    @property
    def audit_status(self) -> AuditStatus:
        """Returns the moderation status."""
        return self.status

    @property
    def created_at(self) -> datetime:
        """Returns the time at which the post or comment was written."""
        return at(self.moment >> 10)

    @property
    def edited_at(self) -> datetime | None:
        """Returns the time at which the author last edited the post or comment; None if never."""
        return None if self.edited_ms is None else at(self.edited_ms)

    @property
    def says(self) -> tuple[str, tuple[Attachment, ...], tuple[str, ...], str | None, str | None, int]:
        """Returns the content that moderation checks: text, images, names of topics, custom data, the content warning,
        and the author's labels. An edit that changes none of these values is dropped (models/patches.py), so every
        field that authors can edit belongs here.
        """
        return self.text, self.images, self.named_topics, self.custom, self.content_warning, self.labels

    @property
    def all_labels(self) -> int:
        """Returns the labels of the author and of moderators, as bits (domain/labels.py)."""
        return self.labels | self.moderator_labels

    @property
    def is_emptied(self) -> bool:
        """Tells whether the post or comment has neither text nor images. Users cannot write such a one: workers have
        removed the content, because it was deleted or rejected long ago.
        """
        return not (self.text or self.images)

    @property
    def submission(self) -> Submission:
        """Returns the post or comment as the submission that moderation checks."""
        return Submission(
            kind=self.business,
            id=self.entity_id,
            author_id=self.author_id,
            author_created_at=at(born_ms(self.author_id)),
            text=self.text,
            image_urls=tuple(url for one in self.images for url in one.picture_urls),
            media_urls=tuple(one.url for one in self.images if one.kind is not AttachmentKind.IMAGE),
            image_alts=tuple(image.alt for image in self.images if image.alt),
            attachments=tuple(map(_submitted, self.images)),
            topics=self.named_topics,
            submitted_at=at(self.content_version >> 20),
            custom=self.custom,
            content_warning=self.content_warning,
        )

    @property
    def awaits_review(self) -> bool:
        """Tells whether the post or comment waits for the external reviewer. False if it is deleted."""
        return not self.deleted and (self.status, self.reason) == (WAITS_FOR_REVIEW.status, WAITS_FOR_REVIEW.reason)

    @property
    def awaits_moderator(self) -> bool:
        """Tells whether the stored post or comment waits until a moderator decides. False while the rules or the
        external reviewer must still decide, and if it is deleted.
        """
        held = self.version > 0 and self.status is AuditStatus.PENDING and not self.deleted
        return held and not self.awaits_review

    @property
    def is_public(self) -> bool:
        """Tells whether the post or comment is approved and not deleted. Then all users may see it, unless a block or a
        private account hides it. Only public comments are counted.
        """
        return self.status is AuditStatus.APPROVED and not self.deleted

    def is_visible_to(self, viewer_id: int | None, *, moderates: bool) -> bool:
        """Tells whether a viewer may see the post or comment: if it is public, or the viewer's own and not deleted. If
        `moderates` is true, the viewer is a moderator, who also sees those of others that wait or were rejected.
        """
        return self.is_public or (not self.deleted and (moderates or self.author_id == viewer_id))
