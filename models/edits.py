"""Edit history: the earlier versions of edited posts and comments."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import BigInteger, Boolean, Index, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import JSONB

from models.attachments import Attachment, AttachmentKind
from models.base import at, column, key, table

MOST_EDITS = 50
"""The most earlier versions of a post or comment that are kept. The newest are kept."""

EDITS_TABLE = table(
    "edits",
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    # The version of the change that wrote this text: `content_version` of the row until the next edit.
    key("version", BigInteger),
    column("author_id", BigInteger),
    # The version of the edit that replaced this text.
    column("replaced", BigInteger),
    column("text", Text),
    # The attachments, as the columns `images` of posts and comments have them.
    column("images", JSONB),
    # Whether moderation had approved this text when it was replaced. If not, only the author and moderators read it.
    column("shown", Boolean),
    Index("edits_author_idx", "author_id", "business_id", "entity_id", "version"),
    Index("edits_unshown_idx", "replaced", postgresql_where=text("NOT shown")),
    Index(
        "edits_files_idx",
        "images",
        postgresql_using="gin",
        postgresql_ops={"images": "jsonb_path_ops"},
        postgresql_where=text("images <> '[]'"),
    ),
    shard="entity_id",
)
"""The earlier versions of posts and comments that were edited. The current version is in the row of the post or
comment.
"""


@dataclass(frozen=True)
class EditRow:
    """An earlier version of a post or comment. `version` is the version of the change that wrote it."""

    version: int
    text: str
    images: tuple[Attachment, ...]
    """All attachments, in the order in which they were shown: images, videos and audio files."""

    @property
    def created_at(self) -> datetime:
        """Returns the time at which the author wrote this version."""
        return at(self.version >> 20)

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """Returns the images, videos and audio files, in the order in which they were shown."""
        return self.images

    @property
    def pictures(self) -> tuple[Attachment, ...]:
        """Returns those attachments that are images."""
        return tuple(one for one in self.images if one.kind is AttachmentKind.IMAGE)
