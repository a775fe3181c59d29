"""Checks that secrets are long and random, that tokens are verified well, and that the process does not run as root."""

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
"""The least bytes of a secret, as HS256 requires (RFC 7518, 3.2)."""
_DIFFERENT = 8
"""The least number of different characters of a secret; 32 random characters have more."""
_EXAMPLE = re.compile("secret|passw|change|replace|plaudit|example|default|random|qwert|12345", re.IGNORECASE)
_CHANGING = 0.25
"""The least share of characters of a random secret that differ in kind from the character before."""
_CHANCE = f"use at least {_BYTES} random bytes, for example from `openssl rand -base64 32`"


def findings(settings: Settings) -> list[Finding]:
    """Returns the findings that need no server."""
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
    """Returns whether a secret repeats itself, contains a word of examples, or has long runs of letters or digits.

    In random hex or base64 text, about every second character differs in kind (lower case, upper case, digit, other)
    from the one before.
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
        because = "an attacker on the network could replace the keys and sign tokens: use https"
        fact = f"PLAUDIT_JWT_JWKS_URL uses {url.scheme}"
        yield judged("settings.jwt_jwks_url", is_safe, Severity.WARNING, fact, because)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _user() -> Finding:
    is_root = os.geteuid() == 0
    because = "an attacker who breaks into it controls the whole machine: run it as a separate user"
    fact = f"this process runs as {'root' if is_root else 'an ordinary user'}"
    return judged("settings.root", not is_root, Severity.WARNING, fact, because)
