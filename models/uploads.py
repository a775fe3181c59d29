"""Uploads: what a client needs to upload a file to the store of files, and the table of files that may be unused."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import BigInteger, Index, Text

from models.base import column, key, table

STORED_WITHIN_MS = 3_600_000
"""Milliseconds in which workers must store a post or comment that was accepted, so that its files are not deleted as
unused ones. While workers take longer, no unused file is deleted.
"""

UPLOADS_TABLE = table(
    "uploads",
    key("user_id", BigInteger),
    # The key of the file in the store.
    key("key", Text),
    # The time since which the file may be unused, in milliseconds since the Unix epoch: when its upload expired, or
    # when an edit removed the file.
    column("since_ms", BigInteger),
    Index("uploads_since_idx", "since_ms"),
    shard="user_id",
)
"""The uploaded files that may be unused. The row of a file stays until workers have looked for uses of the file."""


class UploadHeader(NamedTuple):
    """A header of the request that uploads a file."""

    name: str
    value: str


class UploadRow(NamedTuple):
    """An upload: the URL that takes the file, the headers of the request, the URL under which readers then get the
    file, and the time at which the first URL expires.
    """

    url: str
    signed: Mapping[str, str]
    file_url: str
    expires_at: datetime

    @property
    def headers(self) -> list[UploadHeader]:
        """Returns the headers that a client must set. HTTP clients set the length themselves."""
        return [UploadHeader(name, value) for name, value in self.signed.items() if name != "content-length"]


class UploadRules(NamedTuple):
    """Which files users may upload: the most bytes of a file, and the media types."""

    max_bytes: int
    mime_types: tuple[str, ...]
