"""Opaque cursors: where a page ended, signed for the list it belongs to."""

import base64
import binascii
import hashlib
import hmac

from domain.errors import BadCursor

_MAC_BYTES = 9
_LONGEST = 4096
"""Room for the hundred ids of a page that was served."""


class Cursors:
    """Signs positions with one key; the signature covers the list's name, so a cursor opens no other list."""

    def __init__(self, key: bytes) -> None:
        self._key = hashlib.sha256(b"cursors\0" + key).digest()

    def seal(self, scope: str, *position: int) -> str:
        """A cursor for a position within the list named `scope`."""
        body = ",".join(map(str, position)).encode()
        return _encoded(self._mac(scope, body) + body)

    def open(self, scope: str, cursor: str) -> tuple[int, ...]:
        """The position. Raises BadCursor for anything this deployment did not seal for this list."""
        if len(cursor) > _LONGEST:
            raise BadCursor("This is not a cursor of this list.")
        try:
            raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError) as error:
            raise BadCursor("This is not a cursor of this list.") from error
        mac, body = raw[:_MAC_BYTES], raw[_MAC_BYTES:]
        if _encoded(raw) != cursor or not hmac.compare_digest(mac, self._mac(scope, body)):
            raise BadCursor("This is not a cursor of this list.")
        return tuple(int(part) for part in body.split(b","))

    def _mac(self, scope: str, body: bytes) -> bytes:
        return hmac.digest(self._key, scope.encode() + b"\0" + body, "sha256")[:_MAC_BYTES]


def _encoded(raw: bytes) -> str:
    """The one spelling of a cursor: base64 has others of the same bytes."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
