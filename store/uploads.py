"""The S3-compatible store to which users upload files: URLs for uploads, and facts about uploaded files and their
deletion.

Each file has a key of its own: `<user id>/<22 random characters>.<extension>`. The user id says who uploaded the file,
and the extension says its media type. Requests go to the configured store only.
"""

import asyncio
import re
import secrets
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from email.utils import parsedate_to_datetime
from html import unescape
from http import HTTPMethod, HTTPStatus
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from domain.errors import Unavailable
from domain.file_types import FILE_TYPES, MIME_TYPES, SNIFFED_BYTES
from domain.presigned_urls import Credentials, presigned
from models.base import at, ms
from models.uploads import UploadRow
from observability.logs import Log
from settings import UploadSettings
from store.gather import gather_all

if TYPE_CHECKING:
    import httpx

log = Log(__name__)
_TIMEOUT = 2.0
"""The most seconds that the store may take to answer."""
_CHECK_SECONDS = 60
PAGE = 50
"""The most files that a page of files has."""
_AT_ONCE = 10
"""The most files that a process deletes at the same time."""
_ABSENT = frozenset({403, 404})
"""The statuses for a file that does not exist. Without the right to list a bucket, S3 answers 403."""
_KEY = re.compile(rf"(?P<user>[1-9][0-9]{{0,18}})/[A-Za-z0-9_-]{{22}}\.(?P<extension>{'|'.join(MIME_TYPES)})")

_LISTED = re.compile(r"<Key>([^<]*)</Key>")
_TRUNCATED = "<IsTruncated>true</IsTruncated>"


class Key(NamedTuple):
    """The key of a file: its text, the id of the user who uploaded the file, and its media type."""

    text: str
    user_id: int
    mime_type: str


class FilePage(NamedTuple):
    """Up to PAGE files of a user, in the order of their keys. `last` is the key after which the next page begins; None
    if there is no other page. Files in the user's folder with keys that no upload has are left out.
    """

    files: Sequence[Key]
    last: str | None


class StoredFile(NamedTuple):
    """What the store says about a file: its size in bytes, its media type, when it was uploaded in milliseconds since
    the Unix epoch, and its first bytes.
    """

    size: int
    mime_type: str
    uploaded_ms: int
    beginning: bytes


class UploadStore:
    """Signs uploads to a store, reads facts about uploaded files, and deletes files."""

    def __init__(self, settings: UploadSettings) -> None:
        self._settings = settings
        self._bucket = f"{settings.endpoint}/{settings.bucket}"
        self._credentials = Credentials(settings.access_key, settings.secret_key.get_secret_value(), settings.region)
        self._deletions = asyncio.Semaphore(_AT_ONCE)
        import httpx

        self._client = httpx.AsyncClient(timeout=_TIMEOUT, trust_env=False)
        self._errors: tuple[type[Exception], ...] = (httpx.HTTPError, ValueError)

    def upload(self, user_id: int, mime_type: str, size: int, now_ms: int) -> tuple[Key, UploadRow]:
        """Returns the key of a new file of a user, and its upload. The URL takes one file of this media type and this
        size in bytes.
        """
        text = f"{user_id}/{secrets.token_urlsafe(16)}.{FILE_TYPES[mime_type].extension}"
        now, seconds = at(now_ms), self._settings.lifetime
        headers = {"content-length": str(size), "content-type": mime_type, "if-none-match": "*"}
        url = presigned("PUT", f"{self._bucket}/{text}", self._credentials, now, seconds, headers)
        upload = UploadRow(url, headers, f"{self._settings.public_url}/{text}", now + timedelta(seconds=seconds))
        return Key(text, user_id, mime_type), upload

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
        return _key(match)

    def named(self, text: str) -> Key | None:
        """Returns the key of an uploaded file by its text; None if no upload has such a key."""
        match = _KEY.fullmatch(text)
        return _key(match) if match else None

    def url_of(self, key: Key) -> str:
        """Returns the canonical URL of a file, as posts and comments store it."""
        return f"{self._settings.public_url}/{key.text}"

    async def stored(self, key: Key, now_ms: int) -> StoredFile | None:
        """Reads facts about a file; None if it was not uploaded. Raises Unavailable if the store does not answer."""
        url = presigned("GET", f"{self._bucket}/{key.text}", self._credentials, at(now_ms), _CHECK_SECONDS, {})
        try:
            async with self._client.stream("GET", url, headers={"Range": f"bytes=0-{SNIFFED_BYTES - 1}"}) as answer:
                if answer.status_code in _ABSENT:
                    return None
                answer.raise_for_status()
                return await _facts(answer)
        except self._errors as error:
            host, why = urlsplit(url).netloc, repr(error).partition("?")[0]  # without the signature
            log.warning("could not check an uploaded file", host=host, error=why)
            raise Unavailable from error

    async def page(self, user_id: int, after: str, now_ms: int) -> FilePage:
        """Lists the files that a user uploaded, beginning after the key `after`; empty for the first page. Raises
        Unavailable if the store does not answer, or does not let the access key list the bucket.
        """
        query = {"list-type": "2", "max-keys": str(PAGE), "prefix": f"{user_id}/"} | (
            {"start-after": after} if after else {}
        )
        listed = await self._request("GET", self._bucket, now_ms, query)
        texts = [unescape(one) for one in _LISTED.findall(listed)]
        keys = [_key(match) for match in map(_KEY.fullmatch, texts) if match]
        return FilePage(keys, texts[-1] if texts and _TRUNCATED in listed else None)

    async def delete(self, keys: Collection[Key], now_ms: int) -> None:
        """Deletes files. Does nothing for files that do not exist. Raises Unavailable if the store does not answer, or
        does not let the access key delete; some files may then be deleted, and the call can be repeated.
        """
        await gather_all(*[self._delete(key, now_ms) for key in keys])

    async def probe(self, now_ms: int) -> dict[str, int]:
        """Tests the rights of the access key with a file of a random name. Returns the status of each response by the
        name of the test: `write`, `overwrite` and `read` (only if the file was written), `delete` and `list`. Raises
        httpx.HTTPError if the store does not answer.
        """
        url, now = f"{self._bucket}/check/{secrets.token_urlsafe(16)}.txt", at(now_ms)
        once = {"if-none-match": "*"}

        async def status(method: str, url: str, headers: Mapping[str, str], query: Mapping[str, str]) -> int:
            signed = presigned(method, url, self._credentials, now, _CHECK_SECONDS, headers, query)
            return (await self._client.request(method, signed, headers=headers)).status_code

        found = {"write": await status("PUT", url, once, {})}
        if found["write"] == HTTPStatus.OK:
            found["overwrite"] = await status("PUT", url, once, {})
            found["read"] = await status("GET", url, {}, {})
        found["delete"] = await status(HTTPMethod.DELETE, url, {}, {})
        found["list"] = await status("GET", self._bucket, {}, {"list-type": "2", "max-keys": "1"})
        return found

    async def _delete(self, key: Key, now_ms: int) -> None:
        async with self._deletions:
            await self._request(HTTPMethod.DELETE, f"{self._bucket}/{key.text}", now_ms)

    async def _request(self, method: str, url: str, now_ms: int, query: Mapping[str, str] | None = None) -> str:
        """Sends a signed request. Returns the body of the answer. Raises Unavailable unless the request succeeds."""
        signed = presigned(method, url, self._credentials, at(now_ms), _CHECK_SECONDS, {}, query)
        try:
            answer = await self._client.request(method, signed)
            if method != HTTPMethod.DELETE or answer.status_code != HTTPStatus.NOT_FOUND:
                answer.raise_for_status()
        except self._errors as error:
            host, why = urlsplit(url).netloc, repr(error).partition("?")[0]  # without the signature
            log.warning("could not list or delete uploaded files", host=host, method=method, error=why)
            raise Unavailable from error
        return answer.text

    async def close(self) -> None:
        """Closes the connections to the store."""
        await self._client.aclose()


def _key(match: re.Match[str]) -> Key:
    return Key(match[0], int(match["user"]), MIME_TYPES[match["extension"]])


async def _facts(answer: "httpx.Response") -> StoredFile:
    """Returns what an answer says about a file. Reads no more than its first bytes. Raises ValueError if the answer has
    no size or no time.
    """
    beginning = b""
    async for part in answer.aiter_raw(SNIFFED_BYTES):
        beginning += part
        if len(beginning) >= SNIFFED_BYTES:
            break
    whole = answer.headers.get("content-range", "").rpartition("/")[2]
    size = int(whole or answer.headers.get("content-length", ""))
    uploaded_ms = ms(parsedate_to_datetime(answer.headers.get("last-modified", "")))
    return StoredFile(size, answer.headers.get("content-type", ""), uploaded_ms, beginning[:SNIFFED_BYTES])
