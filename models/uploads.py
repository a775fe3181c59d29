"""Uploads: what a client needs to upload a file to the store of files. They are not stored."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple


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
