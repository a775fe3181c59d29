"""The numbers of receipts of notices: whoever knows one reads what became of the notice, without a token.

A number contains the target, so that a notice is found on the server that has its target, and 63 bits that only the
deployment can compute.
"""

import base64
import binascii
import hashlib
import struct
from typing import NamedTuple

_FORMAT = struct.Struct(">HQQ")
_LENGTH = 29
"""The number of base32 characters of 18 bytes without padding."""
_PADDING = "==="
_LARGEST = (1 << 63) - 1


class NoticePlace(NamedTuple):
    """What a number says: the business and the id of the target, and the id of the notice among those of the target."""

    business_id: int
    entity_id: int
    notice_id: int


def notice_id(secret: bytes, actor_id: int, *names: str) -> int:
    """Returns the id of a notice. It is a keyed hash of its writer and of the names of the write, so that a repeated
    request has the same id, and nobody without the secret can compute it.
    """
    key = hashlib.blake2b(secret, digest_size=32).digest()
    said = "\0".join([str(actor_id), *names]).encode()
    return int.from_bytes(hashlib.blake2b(said, digest_size=8, key=key, person=b"notices").digest()) >> 1


def number_of(place: NoticePlace) -> str:
    """Returns the number of a receipt: 29 letters and digits."""
    return base64.b32encode(_FORMAT.pack(*place)).decode().rstrip("=")


def parse(number: str) -> NoticePlace | None:
    """Returns what a number says; None if the text is not a number of a receipt. Ignores case and white space at the
    ends.
    """
    text = number.strip().upper()
    if len(text) != _LENGTH or not text.isascii():
        return None
    try:
        place = NoticePlace(*_FORMAT.unpack(base64.b32decode(text + _PADDING)))
    except binascii.Error:
        return None
    return place if max(place) <= _LARGEST and place.business_id < 1 << 15 else None
