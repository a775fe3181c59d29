"""Verifies JSON Web Tokens.

Input: a token. Output: its claims (identity/claims.py). Reads no users from a store.
"""

import asyncio
import hashlib
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

import jwt
from cachetools import LRUCache

from domain.errors import Unauthenticated, Unavailable
from identity import claims as token_claims
from identity.claims import LEEWAY, Claims
from settings import Settings

_MAX_TOKEN = 8192
_REQUIRED = ["exp", "iss", "sub"]
_START_CLAIMS = ["iat", "nbf"]
_NO_KEYS = "The identity provider's keys cannot be fetched right now."
MINTED_SECONDS = 30 * 86_400.0
"""How long a token of `plaudit token` and `plaudit dev` is valid by default, in seconds."""
_CACHE_BYTES = 16_000_000
_MIN_TOKEN_BYTES = 1000
"""The smallest size in bytes that is counted for a cached token. Even a short token takes this much memory with its
claims.
"""


class _Verified(NamedTuple):
    """The claims of a token that was verified. The token is valid from `valid_from`, in seconds since the Unix epoch.
    `size` is the approximate number of bytes in memory.
    """

    claims: Claims
    valid_from: float
    size: int


def _no_tokens() -> LRUCache[bytes, _Verified]:
    """Returns an empty cache of verified tokens by their digests."""
    return LRUCache(_CACHE_BYTES, lambda known: known.size)


class Verifier:
    """Verifies tokens: HS256 tokens with the shared secret, other tokens with a key of the identity provider (from its
    key set, the JWKS). A key is never used for the other kind of token.

    A valid token is verified once while the keys stay the same. When the keys are replaced or must be fetched again,
    all cached tokens are dropped.
    """

    def __init__(self, settings: Settings) -> None:
        self._secret = settings.jwt_secret.get_secret_value() if settings.jwt_secret else None
        self._jwks = jwt.PyJWKClient(settings.jwt_jwks_url, timeout=3) if settings.jwt_jwks_url else None
        self._algorithms = list(settings.jwt_algorithms)
        self._issuers = list(settings.jwt_issuer)
        self._settings = settings
        self._keys: jwt.PyJWKSet | None = None
        """The keys with which all tokens in `_verified` were verified."""
        self._verified = _no_tokens()

    async def verify(self, token: str) -> Claims:
        """Returns the claims of a token. Raises Unauthenticated if the token is not valid, for example expired, forged
        or made for another API; Unavailable if the identity provider's keys cannot be fetched.
        """
        if len(token) > _MAX_TOKEN:
            raise Unauthenticated("The token is too long.")
        keys = self._cached_keys()
        if keys is not self._keys:
            self._keys, self._verified = keys, _no_tokens()
        verified, digest = self._verified, hashlib.blake2b(token.encode(), digest_size=32).digest()
        known = verified.get(digest)
        if known and known.valid_from <= time.time() < known.claims.expires:
            return known.claims
        payload = await self._payload(token)
        claims = token_claims.read(payload, self._settings)
        if keys is self._cached_keys():  # otherwise it is unknown which keys verified the token
            valid_from = max(0, *(int(payload.get(name, 0)) for name in _START_CLAIMS)) - LEEWAY
            verified[digest] = _Verified(claims, valid_from, _MIN_TOKEN_BYTES + 4 * len(token))
        return claims

    def _cached_keys(self) -> jwt.PyJWKSet | None:
        """Returns the identity provider's cached keys, or None if they must be fetched or no provider is configured."""
        return self._jwks.jwk_set_cache.get() if self._jwks and self._jwks.jwk_set_cache else None

    async def _payload(self, token: str) -> dict[str, Any]:
        try:
            key, algorithms = await self._key(token)
            payload: dict[str, Any] = jwt.decode(
                token,
                key,
                algorithms=algorithms,
                issuer=self._issuers,
                leeway=LEEWAY,
                options={"require": _REQUIRED, "verify_aud": False},  # identity/claims.py checks the audience
            )
        except jwt.PyJWKClientConnectionError as error:
            raise Unavailable(_NO_KEYS) from error
        except jwt.ExpiredSignatureError as error:
            raise Unauthenticated("The token has expired. Sign in again, or get a new token.") from error
        except jwt.PyJWTError as error:
            raise Unauthenticated(f"The token is not valid: {error}") from error
        except TypeError as error:  # the named key does not fit the token's algorithm
            raise Unauthenticated("The token is not valid.") from error
        return payload

    async def _key(self, token: str) -> tuple[Any, list[str]]:
        algorithm = jwt.get_unverified_header(token).get("alg")
        if self._secret and algorithm == "HS256":
            return self._secret, ["HS256"]
        if self._jwks and algorithm in self._algorithms:
            key = await asyncio.to_thread(_provider_key, self._jwks, token)
            return key.key, [str(algorithm)]
        raise Unauthenticated("The token is signed in a way that is not accepted here.")


def _provider_key(jwks: jwt.PyJWKClient, token: str) -> jwt.PyJWK:
    """Returns the identity provider's key that signed a token. Raises Unavailable if the keys cannot be fetched."""
    try:
        jwks.get_signing_keys()
    except (jwt.PyJWKClientError, jwt.PyJWKSetError, ValueError, OSError) as error:
        raise Unavailable(_NO_KEYS) from error
    try:
        return jwks.get_signing_key_from_jwt(token)
    except (ValueError, OSError) as error:  # the key is not in the cached set, and a newer set cannot be fetched
        raise Unavailable(_NO_KEYS) from error


def mint(
    settings: Settings,
    subject: str,
    *,
    name: str | None = None,
    scopes: Iterable[str] = (),
    businesses: Iterable[str] = (),
    life: float = MINTED_SECONDS,
) -> str:
    """Returns a token signed with the shared secret, valid for `life` seconds. For development, tools and tests.

    The subject is also the handle; `name` is the display name. If `businesses` is not empty, the token is restricted to
    these businesses (kinds of content). Raises ValueError if there is no shared secret, or if `scopes` are given and
    the settings name no claim for them.
    """
    if settings.jwt_secret is None:
        raise ValueError("tokens can only be made with PLAUDIT_JWT_SECRET; otherwise the identity provider makes them")
    now = int(time.time())
    payload: dict[str, Any] = {"iss": settings.issuer, "sub": subject, "iat": now, "exp": now + int(life)}
    payload |= _claims(settings, subject, name, scopes)
    if settings.jwt_audience:
        payload["aud"] = settings.jwt_audience[0]
    elif settings.jwt_authorized_parties:
        payload["azp"] = settings.jwt_authorized_parties[0]
    if businesses := list(businesses):
        payload["businesses"] = businesses
    return jwt.encode(payload, settings.jwt_secret.get_secret_value(), algorithm="HS256")


def _claims(settings: Settings, handle: str, name: str | None, scopes: Iterable[str]) -> dict[str, str]:
    """Returns a handle, a display name and scopes as claims, named as in the settings. Leaves out a handle or name for
    which the settings have no claim. Raises ValueError if they have no claim for scopes.
    """
    granted = " ".join(scopes)
    if granted and not settings.jwt_claims.scope:
        raise ValueError("no claim grants scopes: scope in PLAUDIT_JWT_CLAIMS is empty")
    told = [
        (settings.jwt_claims.handle, handle),
        (settings.jwt_claims.name, name),
        (settings.jwt_claims.scope, granted),
    ]
    return {names[0]: value for names, value in told if names and value}
