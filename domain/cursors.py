"""Opaque cursors: each contains the position at which a page of a list ended, encrypted so that only this list accepts
it.

A position can name an object that the response hides, so clients must not be able to read it. AES-SIV encrypts the
position, and refuses altered cursors. The encryption is deterministic, so equal responses have equal ETags.
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
"""Maps the URL-safe alphabet of base64 to the standard one. `+` and `/`, which a cursor never contains, become `!`,
which the decoder refuses.
"""


class Cursors:
    """Makes and reads cursors. `key` is the secret from which the encryption key is derived. A cursor works only for
    the list for which it was made.
    """

    def __init__(self, key: bytes) -> None:
        self._cipher = AESSIV(hashlib.sha256(b"cursors\0" + key).digest())

    def seal(self, scope: str, *position: int) -> str:
        """Returns a cursor for a position in the list named `scope`. The position consists of whole numbers that the
        list itself chooses, such as a moment and an id.
        """
        return _encoded(self._cipher.encrypt(",".join(map(str, position)).encode(), [scope.encode()]))

    def open(self, scope: str, cursor: str) -> tuple[int, ...]:
        """Returns the numbers of the position in a cursor. Raises BadCursor if this deployment did not make the cursor
        for the list named `scope`.
        """
        try:
            body = self._cipher.decrypt(_decoded(cursor), [scope.encode()])
        except (binascii.Error, ValueError, InvalidTag) as error:
            raise BadCursor("This is not a cursor of this list.") from error
        return tuple(int(part) for part in body.split(b","))


def _decoded(cursor: str) -> bytes:
    """Returns the bytes of a cursor. Raises ValueError if the cursor is not the exact text that `_encoded` returns for
    these bytes.
    """
    raw = base64.b64decode(cursor[:_LONGEST].translate(_TO_BASE64) + "=" * (-len(cursor) % 4), validate=True)
    if _encoded(raw) != cursor:
        raise ValueError(cursor)
    return raw


def _encoded(raw: bytes) -> str:
    """Returns the bytes of a cursor as URL-safe base64 without `=`. Of all base64 texts for these bytes, only this one
    is accepted.
    """
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
