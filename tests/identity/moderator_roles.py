"""People with a role in moderation, which a claim of their token gives."""

import time
from typing import Any

import jwt

from identity.permissions import ModeratorRole
from settings import ModeratorRoleSettings
from tests.support.system import Api, Person

ROLES = ModeratorRoleSettings(
    claims=("realm_access.roles", "groups"),
    auditor=("plaudit-auditor",),
    viewer=("plaudit-viewer",),
    moderator=("plaudit-moderator",),
    lead=("plaudit-lead", "/staff/leads"),
)


def claiming(api: Api, handle: str, **claims: Any) -> Person:
    """Returns a person whose token has these claims."""
    secret = api.settings.jwt_secret
    assert secret
    payload = {"iss": api.settings.issuer, "sub": handle, "exp": int(time.time()) + 600, "preferred_username": handle}
    token = jwt.encode(payload | claims, secret.get_secret_value())
    return Person(api.http, handle, {"authorization": f"Bearer {token}"})


def with_role(api: Api, handle: str, role: ModeratorRole, **claims: Any) -> Person:
    """Returns a person with a role, as Keycloak gives it."""
    roles = ["offline_access", f"plaudit-{role.name.lower()}"]
    return claiming(api, handle, realm_access={"roles": roles}, **claims)
