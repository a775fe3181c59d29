"""Whether production's secrets are secrets."""

from collections.abc import Iterator

from pydantic import SecretStr

from checks.findings import Finding, Level, judged
from settings import Settings

_BYTES = 32
"""What HS256 asks for (RFC 7518, 3.2)."""
_DIFFERENT = 8
"""Characters; made by chance, 32 of them have more."""
_CHANCE = f"take {_BYTES} bytes or more that are made by chance, as `openssl rand -base64 32` does"


def findings(settings: Settings) -> list[Finding]:
    """What can be known without asking anybody."""
    return [*_secrets(settings), *_tokens(settings)]


def _secrets(settings: Settings) -> Iterator[Finding]:
    for name in ("jwt_secret", "secret_key"):
        secret: SecretStr | None = getattr(settings, name)
        if secret is None:
            continue
        value = secret.get_secret_value()
        is_good = len(value.encode()) >= _BYTES and len(set(value)) >= _DIFFERENT
        fact = f"PLAUDIT_{name.upper()} has {len(value.encode())} bytes"
        yield judged(f"settings.{name}", is_good, Level.REFUSED, fact, _CHANCE)


def _tokens(settings: Settings) -> Iterator[Finding]:
    if settings.jwt_jwks_url:
        names = settings.jwt_audience or settings.jwt_authorized_parties
        because = "tokens that the provider issued for other applications are accepted"
        fact = f"PLAUDIT_JWT_AUDIENCE is {', '.join(settings.jwt_audience) or 'not set'}"
        yield judged("settings.jwt_audience", bool(names), Level.WARNING, fact, because)
