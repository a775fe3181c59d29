"""Opaque cursors: each contains the position at which a page ended, and a signature that is valid for one list."""

import base64
import binascii
import hashlib
import hmac

from domain.errors import BadCursor

_MAC_BYTES = 9
_LONGEST = 4096
"""The longest cursor in characters. A cursor can contain a hundred ids."""


class Cursors:
    """Makes and reads cursors with one signing key. The signature includes the list's name, so a cursor works only for
    its list.
    """

    def __init__(self, key: bytes) -> None:
        self._key = hashlib.sha256(b"cursors\0" + key).digest()

    def seal(self, scope: str, *position: int) -> str:
        """Returns a cursor for a position in the list named `scope`."""
        body = ",".join(map(str, position)).encode()
        return _encoded(self._mac(scope, body) + body)

    def open(self, scope: str, cursor: str) -> tuple[int, ...]:
        """Returns the position in a cursor. Raises BadCursor if this deployment did not make the cursor for
        this list.
        """
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
    """Returns the canonical base64 form of a cursor's bytes. Other base64 texts can stand for the same bytes."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
