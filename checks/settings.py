"""Checks that secrets are long and random, that tokens are verified safely, and that the process
does not run as root.
"""

import os
import re
from collections.abc import Iterator
from ipaddress import ip_address
from itertools import pairwise
from urllib.parse import urlsplit

from pydantic import SecretStr

from checks import interpreter
from checks.findings import Finding, Severity, assess
from settings import Settings

_MIN_BYTES = 32
"""The shortest allowed secret in bytes, as HS256 requires (RFC 7518, 3.2)."""
_MIN_DIFFERENT = 8
"""The fewest different characters of a secret. Secrets of 32 random characters have more."""
_COMMON_WORDS = re.compile("secret|passw|change|replace|plaudit|example|default|random|qwert|12345", re.IGNORECASE)
_MIN_CHANGES = 0.25
"""The smallest share of characters of a random secret that are of another kind (lower case, upper case, digit, other)
than the character before.
"""
_ADVICE = f"use at least {_MIN_BYTES} random bytes, for example from `openssl rand -base64 32`"


def findings(settings: Settings) -> list[Finding]:
    """Returns the findings about secrets, tokens, the user of this process, and the interpreter. These checks need no
    server.
    """
    return [*_secret_findings(settings), *_token_findings(settings), _user_finding(), interpreter.finding()]


def _secret_findings(settings: Settings) -> Iterator[Finding]:
    for name in ("jwt_secret", "secret_key"):
        secret: SecretStr | None = getattr(settings, name)
        if secret is None:
            continue
        value = secret.get_secret_value()
        is_good = len(value.encode()) >= _MIN_BYTES and len(set(value)) >= _MIN_DIFFERENT
        fact = f"PLAUDIT_{name.upper()} has {len(value.encode())} bytes"
        yield assess(f"settings.{name}", is_good, Severity.REFUSED, fact, _ADVICE)
        if is_good:
            is_random = not _is_guessable(value)
            fact = f"PLAUDIT_{name.upper()} looks {'random' if is_random else 'like words or a pattern'}"
            yield assess(f"settings.{name}_random", is_random, Severity.WARNING, fact, _ADVICE)


def _is_guessable(secret: str) -> bool:
    """Returns whether a secret repeats itself, contains a common word, or has long runs of letters or digits.

    In random hex or base64 text, about every second character is of another kind (lower case, upper case, digit, other)
    than the previous one.
    """
    if _COMMON_WORDS.search(secret):
        return True
    kinds = ["a" if c.islower() else "A" if c.isupper() else "1" if c.isdigit() else "-" for c in secret]
    changes = sum(one != other for one, other in pairwise(kinds))
    return secret in (secret + secret)[1:-1] or changes < _MIN_CHANGES * len(secret)


def _token_findings(settings: Settings) -> Iterator[Finding]:
    if settings.jwt_jwks_url:
        yield assess(
            "settings.jwt_audience",
            bool(settings.jwt_audience or settings.jwt_authorized_parties),
            Severity.WARNING,
            f"PLAUDIT_JWT_AUDIENCE is {', '.join(settings.jwt_audience) or 'not set'}",
            "tokens that the provider issued for other applications are accepted",
        )
        url = urlsplit(settings.jwt_jwks_url)
        yield assess(
            "settings.jwt_jwks_url",
            url.scheme == "https" or _is_loopback(url.hostname or ""),
            Severity.WARNING,
            f"PLAUDIT_JWT_JWKS_URL uses {url.scheme}",
            "an attacker on the network could replace the keys and sign tokens: use https",
        )


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _user_finding() -> Finding:
    is_root = os.geteuid() == 0
    return assess(
        "settings.root",
        not is_root,
        Severity.WARNING,
        f"this process runs as {'root' if is_root else 'an ordinary user'}",
        "an attacker who breaks into it controls the whole machine: run it as a separate user",
    )
