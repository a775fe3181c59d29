"""`plaudit token --explain`: shows the claims of a token, the values that the settings expect, and whether the API
accepts the token.

Fetches the keys of the identity provider as an API process does. Needs neither Redis nor Postgres.
"""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import jwt

from domain import handles
from domain.errors import Unauthenticated, Unavailable
from identity.auth import Verifier
from identity.claims import Claims
from settings import Settings

_LONGEST = 120
"""The most characters of a claim's value that are shown."""


@dataclass(frozen=True, slots=True)
class TokenExplanation:
    """The explanation of a token. `facts` are pairs of the name of a claim and its value. `refusal` is the reason why
    the API refuses the token, or None if the API accepts the token.
    """

    facts: list[tuple[str, str]]
    refusal: str | None


def explain(settings: Settings, token: str) -> TokenExplanation:
    """Returns the claims of a token, the values that the settings expect, and whether the API accepts the token."""
    token = token.strip().removeprefix("Bearer ").strip()
    try:
        header = jwt.get_unverified_header(token)
        payload = jwt.decode(token, options={"verify_signature": False})
    except (jwt.PyJWTError, ValueError) as error:
        return TokenExplanation([], f"This is not a JSON Web Token: {error}")
    facts = [*_signature(header, settings), *_expected(payload, settings), *_times(payload)]
    try:
        accepted = asyncio.run(Verifier(settings).verify(token))
    except (Unauthenticated, Unavailable) as error:
        return TokenExplanation(facts, str(error))
    return TokenExplanation([*facts, *_person(accepted, settings.people.handle_separators)], None)


def _signature(header: dict[str, Any], settings: Settings) -> Iterator[tuple[str, str]]:
    accepted = ["HS256"] * (settings.jwt_secret is not None)
    if settings.jwt_jwks_url:
        accepted += settings.jwt_algorithms
        yield "keys", settings.jwt_jwks_url
    yield "alg", f"{_shown(header.get('alg'))} (accepted: {', '.join(accepted)})"
    yield "kid", _shown(header.get("kid"))


def _expected(payload: dict[str, Any], settings: Settings) -> Iterator[tuple[str, str]]:
    """Yields the claims `iss`, `aud`, `azp` and `sub`, each as name and value. The values of the first three are
    followed by the accepted values, or by the name of the setting that is not set.
    """
    yield "iss", f"{_shown(payload.get('iss'))} (accepted: {', '.join(settings.jwt_issuer)})"
    yield "aud", f"{_shown(payload.get('aud'))} ({_accepted('PLAUDIT_JWT_AUDIENCE', settings.jwt_audience)})"
    parties = _accepted("PLAUDIT_JWT_AUTHORIZED_PARTIES", settings.jwt_authorized_parties)
    yield "azp", f"{_shown(payload.get('azp'))} ({parties})"
    yield "sub", _shown(payload.get("sub"))


def _accepted(setting: str, values: tuple[str, ...]) -> str:
    return f"accepted: {', '.join(values)}" if values else f"not checked: {setting} is not set"


def _times(payload: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name in ("iat", "nbf", "exp"):
        value = payload.get(name)
        if not isinstance(value, int) or not 0 <= value < 1 << 37:
            yield name, _shown(value)
            continue
        seconds = value - int(time.time())
        when = f"in {seconds} s" if seconds > 0 else f"{-seconds} s ago"
        yield name, f"{datetime.fromtimestamp(value, UTC):%Y-%m-%d %H:%M:%S} UTC ({when})"


def _person(accepted: Claims, separators: str) -> Iterator[tuple[str, str]]:
    """Yields the handles, name and picture that a new user would get from the token, the age band, and the token's
    permissions, with the role in moderation.
    """
    names = accepted.handle, accepted.name, accepted.email
    yield "handle", ", ".join(handles.candidates(*names, separators=separators))
    yield "name", _shown(accepted.name)
    yield "picture", _shown(accepted.picture)
    yield "age band", _shown(accepted.age_band)
    yield "scopes", ", ".join(sorted(accepted.scopes)) or "none"
    yield "role", accepted.role.name.lower() if accepted.role else "none"
    restricted = accepted.businesses is not None
    yield "businesses", ", ".join(sorted(accepted.businesses or ())) or "none" if restricted else "all"


def _shown(value: Any) -> str:
    """Returns the first 120 characters of a claim's value, or a note that the token lacks the claim. Replaces control
    characters, because they could affect the terminal.
    """
    text = "".join(one if one.isprintable() else "\ufffd" for one in str(value)[:_LONGEST])
    return "not in the token" if value is None else text
