"""Signed image URLs: a URL that the API returns works for a limited time, so that copies on other sites stop working.

A signature is valid only for its host, path, query and expiry. Expiry times are rounded to buckets, which are periods
of fixed length: within a bucket, a URL always gets the same signature, so that caches can reuse the image.

    https://images.example.com/cat.jpg?w=200&e=1893456000&k=2029a&s=l5ayrh_kbcwhThnaW9gsAw

`e` is the expiry in Unix seconds, `k` the id of the key, and `s` the start of the HMAC-SHA256 of everything between
`https://` and `&s=`.
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
"""The most signed URLs that a process keeps, of about 500 bytes each, so that a URL that many users see
is signed once.
"""
_CLOCK_SKEW = 60
"""The number of seconds by which the clock of the process that signed a URL may be ahead."""


class Images:
    """Signs and verifies the image URLs of one deployment, with the hosts and keys of its settings."""

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
        """Returns a URL from `canonical_url` with a signature. The signature is valid for at least the setting
        `lifetime`, and for at most `lifetime` plus the setting `bucket`, both in seconds.

        Each URL gets its next signature at another time within a bucket, so that not all URLs miss caches in the same
        second. An http URL of this machine, which development allows, stays unsigned.
        """
        if not url.startswith(_SCHEME):
            return url
        soonest = now_ms // 1000 + self._lifetime
        return self._sign_cached(url, soonest + (crc32(url.encode()) - soonest) % self._bucket)

    def sign_avatar(self, url: str | None, now_ms: int) -> str | None:
        """Returns the signed URL of a user's avatar. Returns None if the user has none, or if its host is not allowed
        now.
        """
        allowed = self._avatar_cached(url) if url else None
        return self.sign(allowed, now_ms) if allowed else None

    def verify(self, host: str, uri: str, now_ms: int) -> int:
        """Returns the time at which a signed URL expires, in Unix seconds. `host` is the requested host, `uri` the
        requested path and query, not decoded. Raises BadSignature if this deployment did not sign the URL, or if the
        signature has expired.
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
        """Returns the canonical form of the URL of a stored avatar; None if profiles may not show the URL now, because
        the allowed hosts have changed.
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
