"""Whether the secrets of production are secrets, and whether this process has more rights than it needs."""

import os
import re
from collections.abc import Iterator
from ipaddress import ip_address
from itertools import pairwise
from urllib.parse import urlsplit

from pydantic import SecretStr

from checks.findings import Finding, Severity, judged
from settings import Settings

_BYTES = 32
"""What HS256 asks for (RFC 7518, 3.2)."""
_DIFFERENT = 8
"""Characters; made by chance, 32 of them have more."""
_EXAMPLE = re.compile("secret|passw|change|replace|plaudit|example|default|random|qwert|12345", re.IGNORECASE)
_CHANGING = 0.25
"""The least part of the characters of a random secret that are of another kind than the one before."""
_CHANCE = f"take {_BYTES} bytes or more that are made by chance, as `openssl rand -base64 32` does"


def findings(settings: Settings) -> list[Finding]:
    """What can be known without asking anybody."""
    return [*_secrets(settings), *_tokens(settings), _user()]


def _secrets(settings: Settings) -> Iterator[Finding]:
    for name in ("jwt_secret", "secret_key"):
        secret: SecretStr | None = getattr(settings, name)
        if secret is None:
            continue
        value = secret.get_secret_value()
        is_good = len(value.encode()) >= _BYTES and len(set(value)) >= _DIFFERENT
        fact = f"PLAUDIT_{name.upper()} has {len(value.encode())} bytes"
        yield judged(f"settings.{name}", is_good, Severity.REFUSED, fact, _CHANCE)
        if is_good:
            is_random = not _is_guessable(value)
            fact = f"PLAUDIT_{name.upper()} looks {'random' if is_random else 'like words or a pattern'}"
            yield judged(f"settings.{name}_random", is_random, Severity.WARNING, fact, _CHANCE)


def _is_guessable(secret: str) -> bool:
    """Whether a secret repeats itself, has a word of examples in it, or long runs of letters or digits, as words have.

    In random text in hex or base64 about every second character is of another kind than the one before.
    """
    if _EXAMPLE.search(secret):
        return True
    kinds = ["a" if c.islower() else "A" if c.isupper() else "1" if c.isdigit() else "-" for c in secret]
    changes = sum(one != other for one, other in pairwise(kinds))
    return secret in (secret + secret)[1:-1] or changes < _CHANGING * len(secret)


def _tokens(settings: Settings) -> Iterator[Finding]:
    if settings.jwt_jwks_url:
        names = settings.jwt_audience or settings.jwt_authorized_parties
        because = "tokens that the provider issued for other applications are accepted"
        fact = f"PLAUDIT_JWT_AUDIENCE is {', '.join(settings.jwt_audience) or 'not set'}"
        yield judged("settings.jwt_audience", bool(names), Severity.WARNING, fact, because)
        url = urlsplit(settings.jwt_jwks_url)
        is_safe = url.scheme == "https" or _is_loopback(url.hostname or "")
        because = "who is on the way to it can sign tokens: take https"
        fact = f"PLAUDIT_JWT_JWKS_URL begins with {url.scheme}"
        yield judged("settings.jwt_jwks_url", is_safe, Severity.WARNING, fact, because)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _user() -> Finding:
    is_root = os.geteuid() == 0
    because = "whoever breaks into it has the whole machine: run it as a user of its own"
    fact = f"this process runs as {'root' if is_root else 'an ordinary user'}"
    return judged("settings.root", not is_root, Severity.WARNING, fact, because)
