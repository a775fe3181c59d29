"""Signed image URLs: a URL that the API returns works for a limited time, so copies on other sites stop working.

Input: URLs from clients, from posts, and from image requests. Output: the URL to store, the signed URL, or the result
of verification. A signature is valid only for its host, path, query and expiry. Within a bucket of time a URL always
gets the same signature, so that caches can reuse the image.

    https://images.example.com/cat.jpg?w=200&e=1893456000&k=2029a&s=l5ayrh_kbcwhThnaW9gsAw

`s` is the start of the HMAC-SHA256 of everything between `https://` and `&s=`.
"""

import hmac
import re
from base64 import urlsafe_b64encode
from collections.abc import Callable
from functools import lru_cache
from zlib import crc32

from domain.errors import BadSignature, ImageNotAllowed
from domain.images import canonical_urls as urls
from settings import DEMO_HOST, Settings

_SCHEME = "https://"
_DEMO_PREFIX = f"{_SCHEME}{DEMO_HOST}/"
_SIGNED = re.compile(rf"(?P<message>/.*[?&]{urls.EXPIRY_AND_KEY})&{urls.SIGNATURE}")
_LONGEST = urls.LONGEST + urls.SIGNATURE_LENGTH
_MAC_BYTES = 16
_MAC_CHARACTERS = 22
_CACHED_URLS = 8192
"""The most signed URLs that a process keeps, of about 500 bytes each. A URL that many users see is signed once."""
_CLOCK_SKEW = 60
"""Seconds by which the clock of another process may be ahead."""


class Images:
    """Signs and verifies the image URLs of one deployment."""

    def __init__(self, settings: Settings) -> None:
        self._hosts, self._loopback = frozenset(settings.image_hosts), settings.env == "development"
        self._keys = {key.id: key.secret.get_secret_value().encode() for key in settings.image_keys}
        self._key_id, self._key = next(iter(self._keys.items()))
        self._lifetime, self._bucket = settings.images.lifetime, settings.images.bucket
        self._demo = settings.demo_url and f"{settings.demo_url}/"
        self._sign_cached: Callable[[str, int], str] = lru_cache(_CACHED_URLS)(self._sign_until)
        self._avatar_cached: Callable[[str], str | None] = lru_cache(_CACHED_URLS)(self._allowed_avatar)

    def canonical_url(self, url: str) -> str:
        """Returns the canonical form of an image URL, without signature. Raises ImageNotAllowed if posts, comments and
        profiles may not show this URL.
        """
        if self._demo and url.startswith(self._demo):
            url = _DEMO_PREFIX + url.removeprefix(self._demo)
        return urls.canonical(url, self._hosts, loopback=self._loopback)

    def sign(self, url: str, now_ms: int) -> str:
        """Signs a URL from `canonical_url`. Returns a URL that is valid for `lifetime` seconds, and up to a `bucket`
        longer.

        URLs are signed again at different times within a bucket, so that not all URLs miss caches in the same second.
        An http URL of this machine, which development allows, stays unsigned.
        """
        if not url.startswith(_SCHEME):
            return url
        soonest = now_ms // 1000 + self._lifetime
        return self._sign_cached(url, soonest + (crc32(url.encode()) - soonest) % self._bucket)

    def sign_avatar(self, url: str | None, now_ms: int) -> str | None:
        """Signs the URL of a user's picture. Returns None if there is none, or if its host is not allowed now."""
        allowed = self._avatar_cached(url) if url else None
        return self.sign(allowed, now_ms) if allowed else None

    def verify(self, host: str, uri: str, now_ms: int) -> int:
        """Returns the time at which a signed URL expires, in Unix seconds. `host` is the requested host, `uri` the
        requested path and query, not decoded. Raises BadSignature if the URL was not signed here or is not valid now.
        """
        host = urls.canonical_host(host)
        match = _SIGNED.fullmatch(uri) if len(uri) <= _LONGEST and uri.isascii() else None
        if not match or host not in self._hosts:
            raise BadSignature("unsigned")
        if (key := self._keys.get(match["key"])) is None:
            raise BadSignature("unknown key")
        if not hmac.compare_digest(match["signature"], _mac(key, host + match["message"])):
            raise BadSignature("altered")
        expires = int(match["expires"])
        if expires * 1000 <= now_ms:
            raise BadSignature("expired")
        if expires > now_ms // 1000 + self._lifetime + self._bucket + _CLOCK_SKEW:
            raise BadSignature("expires too late")
        return expires

    def _allowed_avatar(self, url: str) -> str | None:
        """Returns the canonical form of a stored avatar; None if profiles may not show it now. The list of hosts can
        change.
        """
        try:
            return self.canonical_url(url)
        except ImageNotAllowed:
            return None

    def _sign_until(self, url: str, expires: int) -> str:
        signed = f"{url}{'&' if '?' in url else '?'}e={expires}&k={self._key_id}"
        signed = f"{signed}&s={_mac(self._key, signed.removeprefix(_SCHEME))}"
        is_demo = self._demo and signed.startswith(_DEMO_PREFIX)
        return f"{self._demo}{signed.removeprefix(_DEMO_PREFIX)}" if is_demo else signed


def _mac(key: bytes, message: str) -> str:
    digest = hmac.digest(key, message.encode(), "sha256")
    return urlsafe_b64encode(digest[:_MAC_BYTES])[:_MAC_CHARACTERS].decode()
