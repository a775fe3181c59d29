"""Opaque cursors: each contains the position at which a page ended, encrypted so that only one list accepts it.

A position can name an object that the response hides. AES-SIV encrypts the position, and refuses altered cursors. The
encryption is deterministic, so equal responses have equal ETags.
"""

import base64
import binascii
import hashlib

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from domain.errors import BadCursor

_LONGEST = 4096
"""The longest cursor in characters. A cursor can contain a hundred ids."""
_TO_BASE64 = str.maketrans("-_+/", "+/!!")
"""From the URL-safe alphabet to that of base64. `!` is in neither, and is refused."""


class Cursors:
    """Makes and reads cursors with one key. A cursor works only for the list with the name for which it was made."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESSIV(hashlib.sha256(b"cursors\0" + key).digest())

    def seal(self, scope: str, *position: int) -> str:
        """Returns a cursor for a position in the list named `scope`."""
        return _encoded(self._cipher.encrypt(",".join(map(str, position)).encode(), [scope.encode()]))

    def open(self, scope: str, cursor: str) -> tuple[int, ...]:
        """Returns the position in a cursor. Raises BadCursor if this deployment did not make the cursor for
        this list.
        """
        try:
            body = self._cipher.decrypt(_decoded(cursor), [scope.encode()])
        except (binascii.Error, ValueError, InvalidTag) as error:
            raise BadCursor("This is not a cursor of this list.") from error
        return tuple(int(part) for part in body.split(b","))


def _decoded(cursor: str) -> bytes:
    """Returns the bytes of a cursor. Raises ValueError unless `_encoded` has made the cursor of them."""
    raw = base64.b64decode(cursor[:_LONGEST].translate(_TO_BASE64) + "=" * (-len(cursor) % 4), validate=True)
    if _encoded(raw) != cursor:
        raise ValueError(cursor)
    return raw


def _encoded(raw: bytes) -> str:
    """Returns the canonical base64 form of a cursor's bytes. Other base64 texts can stand for the same bytes."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
