"""The S3-compatible store to which users upload files: URLs for uploads, and facts about uploaded files.

Each file has a key of its own: `<user id>/<22 random characters>.<extension>`. The user id says who uploaded the file,
and the extension says its media type, so no row is needed. Requests go to the configured store only.
"""

import re
import secrets
from datetime import timedelta
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx

from domain.errors import Unavailable
from domain.file_types import FILE_TYPES, MIME_TYPES, SNIFFED_BYTES
from domain.presigned_urls import Credentials, presigned
from models.base import at
from models.uploads import UploadRow
from observability.logs import Log
from settings import UploadSettings

log = Log(__name__)
_TIMEOUT = 2.0
"""The most seconds that the store may take to answer."""
_CHECK_SECONDS = 60
_ABSENT = frozenset({403, 404})
"""The statuses for a file that does not exist. Without the right to list a bucket, S3 answers 403."""
_KEY = re.compile(rf"(?P<user>[1-9][0-9]{{0,18}})/[A-Za-z0-9_-]{{22}}\.(?P<extension>{'|'.join(MIME_TYPES)})")


class Key(NamedTuple):
    """The key of a file: its text, the id of the user who uploaded the file, and its media type."""

    text: str
    user_id: int
    mime_type: str


class StoredFile(NamedTuple):
    """What the store says about a file: its size in bytes, its media type, and its first bytes."""

    size: int
    mime_type: str
    beginning: bytes


class UploadStore:
    """Signs uploads to a store, and reads facts about uploaded files."""

    def __init__(self, settings: UploadSettings) -> None:
        self._settings = settings
        self._bucket = f"{settings.endpoint}/{settings.bucket}"
        self._credentials = Credentials(settings.access_key, settings.secret_key.get_secret_value(), settings.region)
        self._client = httpx.AsyncClient(timeout=_TIMEOUT, trust_env=False)

    def upload(self, user_id: int, mime_type: str, size: int, now_ms: int) -> UploadRow:
        """Returns a new upload of a user. The URL takes one file of this media type and this size in bytes."""
        key = f"{user_id}/{secrets.token_urlsafe(16)}.{FILE_TYPES[mime_type].extension}"
        now, seconds = at(now_ms), self._settings.lifetime
        headers = {"content-length": str(size), "content-type": mime_type, "if-none-match": "*"}
        url = presigned("PUT", f"{self._bucket}/{key}", self._credentials, now, seconds, headers)
        return UploadRow(url, headers, f"{self._settings.public_url}/{key}", now + timedelta(seconds=seconds))

    def key_of(self, url: str) -> Key | None:
        """Returns the key of the file with a canonical URL. Returns None if the URL is not below the public URL of the
        store. Raises ValueError if it is, and no upload has such a URL.
        """
        base = f"{self._settings.public_url}/"
        if not url.startswith(base):
            return None
        match = _KEY.fullmatch(url, len(base))
        if match is None:
            raise ValueError(f"no file was uploaded to {url}")
        return Key(match[0], int(match["user"]), MIME_TYPES[match["extension"]])

    async def stored(self, key: Key, now_ms: int) -> StoredFile | None:
        """Reads facts about a file; None if it was not uploaded. Raises Unavailable if the store does not answer."""
        url = presigned("GET", f"{self._bucket}/{key.text}", self._credentials, at(now_ms), _CHECK_SECONDS, {})
        try:
            async with self._client.stream("GET", url, headers={"Range": f"bytes=0-{SNIFFED_BYTES - 1}"}) as answer:
                if answer.status_code in _ABSENT:
                    return None
                answer.raise_for_status()
                return await _facts(answer)
        except (httpx.HTTPError, ValueError) as error:
            log.warning("could not check an uploaded file", host=urlsplit(url).netloc, error=repr(error))
            raise Unavailable from error

    async def close(self) -> None:
        """Closes the connections to the store."""
        await self._client.aclose()


async def _facts(answer: httpx.Response) -> StoredFile:
    """Returns what an answer says about a file. Reads no more than its first bytes. Raises ValueError if the answer has
    no size.
    """
    beginning = b""
    async for part in answer.aiter_raw(SNIFFED_BYTES):
        beginning += part
        if len(beginning) >= SNIFFED_BYTES:
            break
    whole = answer.headers.get("content-range", "").rpartition("/")[2]
    size = int(whole or answer.headers.get("content-length", ""))
    return StoredFile(size, answer.headers.get("content-type", ""), beginning[:SNIFFED_BYTES])
