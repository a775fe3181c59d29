"""Who is calling: JSON Web Tokens in, claims out. Knows nothing of users."""

import asyncio
import math
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import jwt

from errors import Unauthenticated, Unavailable
from settings import Settings

_MAX_TOKEN = 8192
_REQUIRED = ["exp", "iss", "sub"]
_LEEWAY = 5.0
"""Seconds by which the identity provider's clock may differ from ours."""
_END_OF_TIME = 1 << 53
_NO_KEYS = "The identity provider's keys cannot be fetched right now."


@dataclass(frozen=True, slots=True)
class Claims:
    """What a verified token says. `businesses` None means that the token is not restricted to some."""

    issuer: str
    subject: str
    name: str | None = None
    handle: str | None = None
    scopes: frozenset[str] = frozenset()
    businesses: frozenset[str] | None = None
    expires: float = math.inf
    """Until when the token is accepted, in seconds since the Unix epoch."""


class Verifier:
    """Trusts HS256 tokens signed with the shared secret, or tokens signed with a key of the JWKS; never a mixture."""

    def __init__(self, settings: Settings) -> None:
        self._secret = settings.jwt_secret.get_secret_value() if settings.jwt_secret else None
        self._jwks = jwt.PyJWKClient(settings.jwt_jwks_url, timeout=3) if settings.jwt_jwks_url else None
        self._algorithms = list(settings.jwt_algorithms)
        self._issuers = list(settings.issuers)
        self._audience = settings.jwt_audience

    async def verify(self, token: str) -> Claims:
        """The token's claims. Raises Unauthenticated for one that is expired, forged, or meant for somebody else."""
        if len(token) > _MAX_TOKEN:
            raise Unauthenticated("The token is too long.")
        try:
            key, algorithms = await self._key(token)
            payload = jwt.decode(
                token,
                key,
                algorithms=algorithms,
                issuer=self._issuers,
                audience=self._audience,
                leeway=_LEEWAY,
                options={"require": _REQUIRED},
            )
        except jwt.PyJWKClientConnectionError as error:
            raise Unavailable(_NO_KEYS) from error
        except jwt.PyJWTError as error:
            raise Unauthenticated(f"The token is not valid: {error}") from error
        except TypeError as error:  # the key it names is of another kind than its algorithm needs
            raise Unauthenticated("The token is not valid.") from error
        return _claims(payload)

    async def _key(self, token: str) -> tuple[Any, list[str]]:
        algorithm = jwt.get_unverified_header(token).get("alg")
        if self._secret and algorithm == "HS256":
            return self._secret, ["HS256"]
        if self._jwks and algorithm in self._algorithms:
            key = await asyncio.to_thread(_published, self._jwks, token)
            return key.key, [str(algorithm)]
        raise Unauthenticated("The token is signed in a way that is not accepted here.")


def _published(jwks: jwt.PyJWKClient, token: str) -> jwt.PyJWK:
    """The key that a token names. Raises Unavailable where there is no set of keys to look in."""
    try:
        jwks.get_signing_keys()
    except (jwt.PyJWKClientError, jwt.PyJWKSetError, ValueError, OSError) as error:
        raise Unavailable(_NO_KEYS) from error
    try:
        return jwks.get_signing_key_from_jwt(token)
    except (ValueError, OSError) as error:  # it was not among them, and the newer set cannot be read
        raise Unavailable(_NO_KEYS) from error


def _claims(payload: dict[str, Any]) -> Claims:
    subject = payload["sub"]
    if not subject or len(subject) > 255 or not subject.isprintable():
        raise Unauthenticated("The token's subject is empty, too long, or not printable.")
    scope = payload.get("scope", "")
    scopes = scope.split() if isinstance(scope, str) else _strings(scope)
    businesses = payload.get("businesses")
    return Claims(
        issuer=payload["iss"],
        subject=subject,
        name=_text(payload.get("name")),
        handle=_text(payload.get("preferred_username") or payload.get("handle")),
        scopes=frozenset(scopes),
        businesses=None if businesses is None else frozenset(_strings(businesses)),
        expires=min(int(payload["exp"]), _END_OF_TIME) + _LEEWAY,
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _strings(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def mint(
    settings: Settings,
    subject: str,
    *,
    name: str | None = None,
    scopes: Iterable[str] = (),
    businesses: Iterable[str] = (),
    life: float = 30 * 86_400,
) -> str:
    """A token of our own, signed with the shared secret; for development, tools and tests. Lives `life` seconds."""
    if settings.jwt_secret is None:
        raise ValueError("tokens can only be minted with PLAUDIT_JWT_SECRET; yours come from the identity provider")
    now = int(time.time())
    payload: dict[str, Any] = {"iss": settings.jwt_issuer, "sub": subject, "iat": now, "exp": now + int(life)}
    payload |= {"preferred_username": subject, "scope": " ".join(scopes)}
    if settings.jwt_audience:
        payload["aud"] = settings.jwt_audience
    if name:
        payload["name"] = name
    if businesses := list(businesses):
        payload["businesses"] = businesses
    return jwt.encode(payload, settings.jwt_secret.get_secret_value(), algorithm="HS256")
