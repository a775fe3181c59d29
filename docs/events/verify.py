"""Verifies webhooks of Plaudit. Copy this file into your receiver."""

import base64
import hmac
import re
import time
from collections.abc import Mapping

TOLERANCE = 300
"""The largest accepted difference between the time of a request and the current time, in seconds."""


def is_genuine(secret: str, headers: Mapping[str, str], body: bytes, now: float | None = None) -> bool:
    """Returns whether a request is signed with the secret (`whsec_…`), and its time is within TOLERANCE of `now`.
    `headers` must have lower-case names. `body` are the bytes as they arrived, before any parsing. `now` is in seconds
    since the Unix epoch; None stands for the current time.
    """
    id_, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    now = time.time() if now is None else now
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(now - int(timestamp)) > TOLERANCE:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{id_}.{timestamp}.".encode(errors="replace") + body, "sha256")
    expected = b"v1," + base64.b64encode(digest)
    given = headers.get("webhook-signature", "").encode(errors="replace")
    return any(hmac.compare_digest(expected, one) for one in given.split(b" "))
