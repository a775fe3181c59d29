"""Good and bad tokens, and people who send them."""

import base64
import json
import time
from typing import Any

import jwt

from tests.support.system import Person, System

ISSUER = "https://plaudit.local"


SECRET = "test-secret-of-thirty-two-bytes!"


ME = "{ viewer { id user { handle displayName } } }"


def payload(**changes: Any) -> dict[str, Any]:
    """Returns the claims of a good token. None removes a claim."""
    good = {"iss": ISSUER, "sub": "alice", "exp": int(time.time()) + 600, "preferred_username": "alice"}
    return {name: value for name, value in (good | changes).items() if value is not None}


def token(algorithm: str = "HS256", key: str = SECRET, **changes: Any) -> str:
    return jwt.encode(payload(**changes), key, algorithm=algorithm)


def by_hand(header: object, claims: object, signature: bytes = b"") -> str:
    """Returns a token that no library would make."""
    parts = [json.dumps(header).encode(), json.dumps(claims).encode(), signature]
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


def bearing(system: System, sent: str) -> Person:
    return Person(system.http, "", {"authorization": sent})
