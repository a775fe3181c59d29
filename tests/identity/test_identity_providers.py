"""Tokens as Auth0, Clerk, Keycloak and Supabase issue them, with the settings of docs/build/authentication.md."""

import re
import shlex
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jwt
import pytest

from settings import Settings
from tests.support.identity_provider import KEYS, IdentityProvider, serving
from tests.support.image_urls import LOCAL, REFUSED
from tests.support.system import Person, System, running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

GUIDE = (Path(__file__).parents[2] / "docs" / "build" / "authentication.md").read_text()
WHO = "{ viewer { user { handle displayName avatarUrl } } }"
SCOPED = 'mutation { registerUsers(users: [{externalId: "n", handle: "n_1"}]) { users { handle } } }'
PICTURE = "https://images.example.com/alice.png"

AUTH0: dict[str, Any] = {
    "iss": "https://acme.eu.auth0.com/",
    "sub": "auth0|65f1c0ffee",
    "aud": ["https://api.acme.example", "https://acme.eu.auth0.com/userinfo"],
    "azp": "kT2f9JdE",
    "scope": "openid profile email",
    "permissions": ["users:write"],
    "https://acme.example/username": "alice.m",
    "https://acme.example/name": "Alice Martin",
    "https://acme.example/picture": PICTURE,
}
CLERK: dict[str, Any] = {
    "iss": "https://happy-ibex-7.clerk.accounts.dev",
    "sub": "user_2abcDEF",
    "azp": "https://app.acme.example",
    "sid": "sess_2xyz",
    "sts": "active",
    "v": 2,
    "fva": [0, -1],
    "username": "alice.m",
    "name": "Alice Martin",
    "picture": PICTURE,
    "metadata": {"scopes": ["users:write"]},
}
KEYCLOAK: dict[str, Any] = {
    "iss": "https://sso.acme.example/realms/acme",
    "sub": "0f5a6f0e-9a9c-4b3e-8a55-7f7d0e3f1b11",
    "aud": "account",
    "azp": "acme-web",
    "typ": "Bearer",
    "realm_access": {"roles": ["offline_access"]},
    "resource_access": {"plaudit": {"roles": ["users:write"]}},
    "scope": "openid profile email",
    "preferred_username": "alice.m",
    "name": "Alice Martin",
    "picture": PICTURE,
}
SUPABASE: dict[str, Any] = {
    "iss": "https://abcdefgh.supabase.co/auth/v1",
    "sub": "9d6f2c1e-3333-4444-8888-0a1b2c3d4e5f",
    "aud": "authenticated",
    "role": "authenticated",
    "email": "alice@example.com",
    "is_anonymous": False,
    "app_metadata": {"provider": "github", "plaudit_scopes": ["users:write"]},
    "user_metadata": {"full_name": "Alice Martin", "user_name": "alice.m", "avatar_url": PICTURE, "role": "admin"},
}
PROVIDERS = {"Auth0": AUTH0, "Clerk": CLERK, "Keycloak": KEYCLOAK, "Supabase": SUPABASE}


@pytest.fixture
def provider() -> Iterator[IdentityProvider]:
    with serving() as provider:
        provider.publish(k1="RS256")
        yield provider


def guided(name: str) -> dict[str, str]:
    """Returns the environment variables that the guide gives for a provider."""
    section = GUIDE.split(f"\n## {name}\n")[1].split("\n## ")[0]
    block = re.search(r"```sh\n(.*?)```", section, re.DOTALL)
    assert block
    return dict(word.split("=", 1) for word in shlex.split(block[1]))


@pytest.fixture
def trusting(
    make_settings: Callable[..., Settings], provider: IdentityProvider, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Settings]:
    """Returns the settings of the guide for a provider, whose keys are served on loopback."""

    def of(name: str) -> Settings:
        for variable, value in guided(name).items():
            monkeypatch.setenv(variable, value)
        return make_settings(jwt_secret=None, secret_key="k" * 32, jwt_jwks_url=provider.url, **issuer())

    def issuer() -> dict[str, Any]:
        """Removes the issuer of the test settings, which would override the environment."""
        return {"jwt_issuer": Settings(jwt_jwks_url="https://x", secret_key="k" * 32).jwt_issuer}  # type: ignore[arg-type]

    return of


def bearer(system: System, claims: dict[str, Any], **changes: Any) -> Person:
    payload = {"iat": int(time.time()) - 5, "exp": int(time.time()) + 600} | claims | changes
    payload = {name: value for name, value in payload.items() if value is not None}
    token = jwt.encode(payload, KEYS["RS256"], algorithm="RS256", headers={"kid": "k1"})
    return Person(system.http, "", {"authorization": f"Bearer {token}"})


@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_token_signs_its_user_in_and_fills_the_profile(trusting: Callable[[str], Settings], name: str) -> None:
    async with running(trusting(name)) as system:
        user = (await bearer(system, PROVIDERS[name]).ask(WHO))["viewer"]["user"]

    assert user["avatarUrl"].startswith(f"{PICTURE}?")
    assert {**user, "avatarUrl": None} == {"handle": "alice_m", "displayName": "Alice Martin", "avatarUrl": None}


@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_token_has_the_scopes_that_the_provider_granted(trusting: Callable[[str], Settings], name: str) -> None:
    async with running(trusting(name)) as system:
        made = await bearer(system, PROVIDERS[name]).ask(SCOPED)

    assert made["registerUsers"]["users"] == [{"handle": "n_1"}]


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("Auth0", {"aud": ["https://other.acme.example"]}),
        ("Auth0", {"aud": None}),
        ("Clerk", {"azp": "https://evil.example"}),
        ("Clerk", {"azp": None}),
        ("Clerk", {"azp": ["https://app.acme.example"]}),
        ("Keycloak", {"azp": "another-client"}),
        ("Supabase", {"aud": "anon"}),
        ("Supabase", {"sub": None, "iss": "supabase", "role": "anon"}),
    ],
)
async def test_a_token_for_another_application_is_refused(
    trusting: Callable[[str], Settings], name: str, changes: dict[str, Any]
) -> None:
    async with running(trusting(name)) as system:
        response = await bearer(system, PROVIDERS[name], **changes).send(WHO)

    assert response.status_code == 401
    assert [error["extensions"]["code"] for error in response.json()["errors"]] == ["UNAUTHENTICATED"]


async def test_claims_that_users_can_edit_grant_no_scope(trusting: Callable[[str], Settings]) -> None:
    writable = {"user_metadata": {"scope": "users:write"}, "app_metadata": {}}
    async with running(trusting("Supabase")) as system:
        errors = await bearer(system, SUPABASE, **writable).errors(SCOPED)

    assert errors == [("FORBIDDEN", ["registerUsers"])]


async def test_a_picture_that_is_not_allowed_is_dropped(trusting: Callable[[str], Settings]) -> None:
    pictures = [url for url in REFUSED if len(url) < 3000 and url not in LOCAL]
    async with running(trusting("Keycloak")) as system:
        for i, picture in enumerate([*pictures, 7, "https://x/" + "a" * 3000]):
            user = (await bearer(system, KEYCLOAK, sub=f"u{i}", picture=picture).ask(WHO))["viewer"]["user"]
            assert user["avatarUrl"] is None, picture

        stored = await system.rows("SELECT count(*), count(avatar_url) FROM users")

    assert stored == [(len(pictures) + 2, 0)]
