"""Reads claims from the payload of a verified token. Settings name the claims, because each identity provider uses
other names.

Input: the payload of a JSON Web Token. Output: Claims. Raises Unauthenticated for a token without a valid subject, or
for another audience. All other claims are optional: a value of an unexpected type counts as absent. Only `businesses`
restricts a token: if the value is not a list of names, the token allows no business.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from domain.errors import Unauthenticated
from identity.permissions import MODERATE, ModeratorRole
from settings import ModeratorRoleSettings, Settings

LEEWAY = 5.0
"""Seconds by which the identity provider's clock may differ from the clock of this process."""
_END_OF_TIME = 1 << 53


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of a verified token. `businesses` has the names of the businesses (kinds of content, such as `video`)
    to which the token is restricted. None means that the token has no claim `businesses`, and is not restricted.
    """

    issuer: str
    subject: str
    name: str | None = None
    handle: str | None = None
    email: str | None = None
    picture: str | None = None
    scopes: frozenset[str] = frozenset()
    role: ModeratorRole | None = None
    """The role of the user in moderation; None for users who do not moderate."""
    businesses: frozenset[str] | None = None
    age_band: str | None = None
    """The age band of the user; None if the token states none."""
    issued: float | None = None
    """The time at which the token was issued, in seconds since the Unix epoch; None if the token does not say."""
    expires: float = math.inf
    """The time at which the token expires, plus LEEWAY, in seconds since the Unix epoch."""


def read(payload: dict[str, Any], settings: Settings) -> Claims:
    """Returns the claims of the payload of a verified token. Raises Unauthenticated for an invalid subject or another
    audience.
    """
    check_audience(payload, settings)
    subject = payload["sub"]
    if not subject or len(subject) > 255 or not subject.isprintable() or subject != subject.strip():
        raise Unauthenticated("The token's subject is empty, too long, not printable, or has white space at its ends.")
    scopes = frozenset(_words(payload, settings.jwt_claims.scope))
    return Claims(
        issuer=payload["iss"],
        subject=subject,
        name=_text(payload, settings.jwt_claims.name),
        handle=_text(payload, settings.jwt_claims.handle),
        email=_text(payload, settings.jwt_claims.email),
        picture=_text(payload, settings.jwt_claims.picture),
        scopes=scopes,
        role=ModeratorRole.LEAD if MODERATE in scopes else _role(payload, settings.moderation.roles),
        businesses=frozenset(_texts(payload["businesses"])) if "businesses" in payload else None,
        age_band=_text(payload, settings.jwt_claims.age_band),
        issued=min(int(payload["iat"]), _END_OF_TIME) if isinstance(payload.get("iat"), int | float) else None,
        expires=min(int(payload["exp"]), _END_OF_TIME) + LEEWAY,
    )


def check_audience(payload: dict[str, Any], settings: Settings) -> None:
    """Raises Unauthenticated if a token is not meant for this API.

    `aud` must name one of `jwt_audience`. If the token has no `aud`, or `jwt_audience` is empty, `azp` (the client that
    received the token) must be one of `jwt_authorized_parties`. If both settings are empty, every token is accepted.
    """
    audience = payload.get("aud")
    if settings.jwt_audience and audience is not None:
        named = {audience} if isinstance(audience, str) else set(_texts(audience))
        if named.isdisjoint(settings.jwt_audience):
            raise Unauthenticated("The token is for another audience.")
    elif settings.jwt_authorized_parties:
        if payload.get("azp") not in settings.jwt_authorized_parties:
            raise Unauthenticated("The token was issued to a client that is not accepted here.")
    elif settings.jwt_audience:
        raise Unauthenticated("The token names no audience.")


def find(payload: Any, path: str) -> Any:
    """Returns the value of a claim, or None if the payload has no such claim.

    `a.b` is the claim with the name `a.b`, or else `b` in the object `a`. Names of claims may be URLs, which contain
    dots.
    """
    if not isinstance(payload, dict):
        return None
    if path in payload:
        return payload[path]
    dots = (i for i, character in enumerate(path) if character == ".")
    found = (find(payload[path[:i]], path[i + 1 :]) for i in dots if path[:i] in payload)
    return next((value for value in found if value is not None), None)


def _text(payload: dict[str, Any], paths: Iterable[str]) -> str | None:
    """Returns the value of the first of these claims that is a non-empty text, or None."""
    values = (find(payload, path) for path in paths)
    return next((value for value in values if isinstance(value, str) and value.strip()), None)


def _role(payload: dict[str, Any], roles: ModeratorRoleSettings) -> ModeratorRole | None:
    """Returns the highest role in moderation that the claims give, or None."""
    given = set(_words(payload, roles.claims))
    granting = {
        ModeratorRole.LEAD: roles.lead,
        ModeratorRole.MODERATOR: roles.moderator,
        ModeratorRole.VIEWER: roles.viewer,
        ModeratorRole.AUDITOR: roles.auditor,
    }
    return next((role for role, values in granting.items() if not given.isdisjoint(values)), None)


def _words(payload: dict[str, Any], paths: Iterable[str]) -> Iterator[str]:
    """Yields the scopes or roles in all of these claims: the words of a text, or the texts of a list."""
    for path in paths:
        value = find(payload, path)
        yield from value.split() if isinstance(value, str) else _texts(value)


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
