"""The moderation console is served only on purpose, with strict headers, and without any part of the demo app."""

import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from pydantic import SecretStr, ValidationError

from app import create_app
from settings import ImageKey, ImageSettings, ModerationSettings, Settings, SignInSettings
from tests.support.persisted_operations import LOCKED, outcome, post
from tests.support.stores import standalone
from tests.support.system import running
from web.demo import MANIFEST

FILES = MANIFEST.parent / "moderation"
CONSOLE = ("/moderation", "/moderation/log", "/moderation/users/User:1", "/moderation/content/Post:1")
OTHERS = ("/", "/square", "/app", "/icon.svg", "/graphiql", "/graphiql/session", "/moderation/", "/moderation/x")
OPERATIONS = json.loads((FILES / "persisted-documents.json").read_text())


def production(**changes: Any) -> Settings:
    return Settings(jwt_secret=SecretStr("s" * 32), **changes)


@asynccontextmanager
async def browsing(settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(create_app(settings))
    async with httpx.AsyncClient(transport=transport, base_url="https://plaudit.example.com") as client:
        yield client


def codes_of(response: httpx.Response) -> set[str]:
    """Returns the codes of the errors of a response."""
    return {error["extensions"]["code"] for error in response.json().get("errors", [])}


@pytest.mark.parametrize(("served", "status"), [(False, 404), (True, 200)])
async def test_production_serves_the_console_only_if_the_setting_says_so(served: bool, status: int) -> None:
    assets = [f"/moderation/assets/{file.name}" for file in (FILES / "assets").iterdir()]
    demo = [f"/app/{file.name}" for file in (MANIFEST.parent / "app").iterdir()]

    async with browsing(production(moderation_console=served)) as client:
        found = {path: (await client.get(path)).status_code for path in (*CONSOLE, *assets)}
        others = {path: (await client.get(path)).status_code for path in (*OTHERS, *demo)}

    assert len(assets) >= 3
    assert found == dict.fromkeys(found, status)
    assert others == dict.fromkeys(others, 404)


async def test_the_page_loads_only_from_its_origin_and_the_image_hosts() -> None:
    keys = (ImageKey(id="k", secret=SecretStr("s" * 32)),)
    images = ImageSettings(hosts=("media.example.com", "cdn.example.com:8443"), keys=keys)

    async with browsing(production(moderation_console=True, images=images)) as client:
        page = await client.get("/moderation")

    directives = dict(one.split(" ", 1) for one in page.headers["Content-Security-Policy"].split("; "))
    assert directives == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "connect-src": "'self'",
        "img-src": "'self' https://media.example.com https://cdn.example.com:8443",
        "media-src": "'self' https://media.example.com https://cdn.example.com:8443",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert page.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in page.headers
    loaded = re.findall(r'(?:src|href)="([^"]*)"', page.text)
    assert len(loaded) >= 3
    assert all(path.startswith("/moderation/assets/") for path in loaded), loaded
    assert not re.search(r"<script(?![^>]* src=)|<style| style=| on\w+=", page.text)


async def test_assets_are_kept_by_browsers_and_are_not_for_other_sites() -> None:
    (script,) = (FILES / "assets").glob("index-*.js")

    async with browsing(production(moderation_console=True)) as client:
        headers = (await client.get(f"/moderation/assets/{script.name}")).headers

    assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (None, 'data-sign-in=""'),
        (
            "https://staff.example.com/moderate?a=1&b=%22",
            'data-sign-in="https://staff.example.com/moderate?a=1&amp;b=%22"',
        ),
        ('https://staff.example.com/"><script>', 'data-sign-in="https://staff.example.com/&quot;&gt;&lt;script&gt;"'),
        ("http://localhost:3000/in", 'data-sign-in="http://localhost:3000/in"'),
    ],
)
async def test_the_page_names_the_sign_in_page_of_the_team(url: str | None, shown: str) -> None:
    async with browsing(production(moderation_console=True, moderation=ModerationSettings(sign_in_url=url))) as client:
        assert shown in (await client.get("/moderation/log")).text


@pytest.mark.parametrize("url", ["javascript:alert(1)", "http://staff.example.com", "/moderate", "https://a b", ""])
def test_other_sign_in_pages_are_refused(url: str) -> None:
    with pytest.raises(ValidationError):
        ModerationSettings(sign_in_url=url)


async def test_the_page_connects_to_the_issuer_and_to_no_other_origin() -> None:
    issuer = "https://sso.example.com:8443/realms/staff"
    sign_in = SignInSettings(issuer=issuer, client_id='a"b', scopes=("openid", "offline_access"))
    keys = {"jwt_issuer": (issuer,), "jwt_jwks_url": f"{issuer}/certs"}

    moderation = ModerationSettings(sign_in=sign_in)
    async with browsing(production(moderation_console=True, moderation=moderation, **keys)) as client:
        page = await client.get("/moderation")

    policy = page.headers["Content-Security-Policy"].split("; ")
    assert "connect-src 'self' https://sso.example.com:8443" in policy
    assert [one for one in policy if "sso" in one] == ["connect-src 'self' https://sso.example.com:8443"]
    shown = f'data-sign-in="" data-issuer="{issuer}" data-client-id="a&quot;b" data-scopes="openid offline_access"'
    assert shown in page.text


@pytest.mark.parametrize(
    "issuer",
    [
        *("http://sso.example.com", "https://sso.example.com;script-src", "https://a b", "https://u@sso.example.com"),
        *("https://sso.example.com?a", "https://sso.example.com#a", "https://*", "javascript:alert(1)", "sso", ""),
    ],
)
def test_other_issuers_are_refused(issuer: str) -> None:
    with pytest.raises(ValidationError, match="issuer"):
        SignInSettings(issuer=issuer, client_id="console")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"jwt_issuer": ("https://sso.example.com/",)}, "its issuer in PLAUDIT_JWT_ISSUER"),
        ({"jwt_jwks_url": None}, "needs PLAUDIT_JWT_JWKS_URL"),
    ],
    ids=["another issuer", "no keys"],
)
def test_an_issuer_whose_tokens_the_api_would_refuse_is_refused(changes: dict[str, Any], reason: str) -> None:
    issuer = "https://sso.example.com"
    moderation = ModerationSettings(sign_in=SignInSettings(issuer=issuer, client_id="console"))
    good = {"moderation": moderation, "jwt_issuer": (issuer,), "jwt_jwks_url": f"{issuer}/certs"}
    production(**good)
    with pytest.raises(ValidationError, match=reason):
        production(**good | changes)


def test_moderators_sign_in_at_one_place() -> None:
    sign_in = SignInSettings(issuer="https://sso.example.com", client_id="console")
    with pytest.raises(ValidationError, match="set either sign_in or sign_in_url"):
        ModerationSettings(sign_in=sign_in, sign_in_url="https://staff.example.com")
    with pytest.raises(ValidationError, match="must include openid"):
        SignInSettings(issuer="https://sso.example.com", client_id="console", scopes=("profile",))


def test_the_console_has_no_part_of_the_demo_app() -> None:
    code = "".join(file.read_text() for file in (FILES / "assets").glob("*.js"))
    demo = "".join(file.read_text() for file in (MANIFEST.parent / "app").glob("*.js"))

    for words in ("graphiql/session", "Not signed in", "The GraphQL behind this", "PublishPost"):
        assert words in demo
        assert words not in code


@standalone
async def test_in_lockdown_only_the_operations_of_the_console_run(make_settings: Callable[..., Settings]) -> None:
    """A document that runs for nobody is answered with another error than a document that may not run."""
    demo = json.loads(MANIFEST.read_text())
    assert OPERATIONS.items() < demo.items()

    async with running(make_settings(persisted_only=True, moderation_console=True)) as system:
        codes = [codes_of(await post(system, documentId=id_, variables={})) for id_ in OPERATIONS]
        locked = [outcome(await post(system, query=demo[id_])) for id_ in demo.keys() - OPERATIONS.keys()]
        moderator = next(id_ for id_, text in OPERATIONS.items() if "query Moderator " in text)
        mia = system.person("mia", "moderate")
        answer = await system.http.post("/graphql", json={"documentId": moderator}, headers=mia.headers)
    async with running(make_settings(persisted_only=True)) as system:
        off = codes_of(await post(system, documentId=moderator))

    assert set().union(*codes) <= {"UNAUTHENTICATED", "BAD_INPUT"}
    assert len(codes) >= 12
    assert locked == [LOCKED] * len(locked)
    assert answer.json()["data"]["viewer"]["user"]["handle"] == "mia"
    assert off == {"PERSISTED_QUERY_NOT_FOUND"}
