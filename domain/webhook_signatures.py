"""Signatures of webhook requests, as Standard Webhooks defines them (https://www.standardwebhooks.com)."""

import base64
import hmac
import secrets
from collections.abc import Iterable

_PREFIX = "whsec_"
_SECRET_BYTES = 32


def new_secret() -> str:
    """Returns a new random secret for signing, such as `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`."""
    return _PREFIX + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def headers(given: Iterable[str], id_: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Returns the signature headers of a webhook request with the id `id_` and the time `timestamp`, in seconds since
    the Unix epoch. They contain the id, the time, and one signature for each secret in `given`.

    A signature is an HMAC-SHA256 of id, time and body, separated by dots.
    """
    signed = b"%s.%d.%s" % (id_.encode(), timestamp, body)
    signatures = [
        base64.b64encode(hmac.digest(base64.b64decode(secret.removeprefix(_PREFIX)), signed, "sha256")).decode()
        for secret in given
    ]
    return {
        "webhook-id": id_,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(f"v1,{signature}" for signature in signatures),
    }
