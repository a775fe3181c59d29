"""Signed image URLs: what we give away works for a while, and a copy of it elsewhere stops to.

Enters: URLs as clients post them, as posts store them, as browsers ask for them. Leaves: the URL to store, the URL to
give away, a verdict. Promised: a signature is good for the host, path, query and expiry it was made for and nothing
else; within a bucket of time a URL is signed to the same characters, so that caches meet it again.

    https://images.example.com/cat.jpg?w=200&e=1893456000&k=2029a&s=l5ayrh_kbcwhThnaW9gsAw

`s` is the start of the HMAC-SHA256 of everything between `https://` and `&s=`.
"""

import hmac
import re
from base64 import urlsafe_b64encode
from collections.abc import Callable
from functools import lru_cache
from zlib import crc32

from domain.errors import BadSignature
from domain.media import urls
from settings import DEMO_HOST, Settings

_SCHEME = "https://"
_DEMO = f"{_SCHEME}{DEMO_HOST}/"
_SIGNED = re.compile(rf"(?P<message>/.*[?&]{urls.EXPIRY_AND_KEY})&{urls.SIGNATURE}")
_LONGEST = urls.LONGEST + urls.SIGNED_LONGER
_MAC_BYTES = 16
_MAC_CHARACTERS = 22
_REMEMBERED = 8192
"""The number of signed URLs that are kept, of about 500 bytes each, so that a URL that many users see is signed
once.
"""
_SKEW = 60
"""Seconds that the clock of another process may be ahead."""


class Images:
    """The images on the hosts of one deployment."""

    def __init__(self, settings: Settings) -> None:
        self._hosts = frozenset(settings.image_hosts)
        self._keys = {key.id: key.secret.get_secret_value().encode() for key in settings.image_keys}
        self._key_id, self._key = next(iter(self._keys.items()))
        self._lifetime, self._bucket = settings.images.lifetime, settings.images.bucket
        self._demo = settings.demo_url and f"{settings.demo_url}/"
        self._signed_until: Callable[[str, int], str] = lru_cache(_REMEMBERED)(self._sign)

    def allowed(self, url: str) -> str:
        """Returns the canonical form of a URL that may be posted, with or without a signature. Raises
        ImageNotAllowed.
        """
        if self._demo and url.startswith(self._demo):
            url = _DEMO + url.removeprefix(self._demo)
        return urls.canonical(url, self._hosts)

    def signed(self, url: str, now_ms: int) -> str:
        """Returns a signed form of a URL from `allowed`, valid for `lifetime` seconds and at most a `bucket` more.

        The moment in a bucket at which a URL changes depends on the URL, so that not all URLs miss caches in the same
        second.
        """
        soonest = now_ms // 1000 + self._lifetime
        return self._signed_until(url, soonest + (crc32(url.encode()) - soonest) % self._bucket)

    def avatar(self, url: str | None, now_ms: int) -> str | None:
        """Returns the URL of a user's picture: signed if it is one of the seed's pictures, otherwise unchanged."""
        return self.signed(url, now_ms) if url and self._demo and url.startswith(_DEMO) else url

    def verify(self, host: str, uri: str, now_ms: int) -> int:
        """Returns when a signed URL expires, in Unix seconds. `uri` is the requested path and query, not decoded.
        Raises BadSignature if the URL was not signed here or is not valid now.
        """
        host = urls.authority(host)
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
        if expires > now_ms // 1000 + self._lifetime + self._bucket + _SKEW:
            raise BadSignature("expires too late")
        return expires

    def _sign(self, url: str, expires: int) -> str:
        signed = f"{url}{'&' if '?' in url else '?'}e={expires}&k={self._key_id}"
        signed = f"{signed}&s={_mac(self._key, signed.removeprefix(_SCHEME))}"
        return self._demo + signed.removeprefix(_DEMO) if self._demo and signed.startswith(_DEMO) else signed


def _mac(key: bytes, message: str) -> str:
    digest = hmac.digest(key, message.encode(), "sha256")
    return urlsafe_b64encode(digest[:_MAC_BYTES])[:_MAC_CHARACTERS].decode()
