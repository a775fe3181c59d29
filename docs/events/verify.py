"""Verifies webhooks of Plaudit. Copy this file into your receiver."""

import base64
import hmac
import time
from collections.abc import Mapping

TOLERANCE = 300
"""The most seconds between the time of a request and now."""


def is_genuine(secret: str, headers: Mapping[str, str], body: bytes, now: float | None = None) -> bool:
    """Returns whether a request is signed with the secret (`whsec_…`) and recent. `headers` must have lower-case names.
    `body` are the bytes as they arrived, before any parsing.
    """
    id_, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{id_}.{timestamp}.".encode() + body, "sha256")
    expected = b"v1," + base64.b64encode(digest)
    return any(hmac.compare_digest(expected, one.encode()) for one in headers.get("webhook-signature", "").split(" "))
