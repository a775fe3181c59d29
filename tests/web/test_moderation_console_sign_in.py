"""Moderators sign in to the console at an OpenID Connect issuer, in a real Chromium. The console shows what their role
may do.
"""

import json
import re
import shlex
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from identity.permissions import ModeratorRole
from settings import ModerationSettings, Settings
from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.console import case, has_sent, moderator_token
from tests.support.posts import published
from tests.support.reports import reported
from tests.support.subscriptions import Live, eventually, serving
from tests.support.system import LENIENT
from tests.web.openid_issuer import OpenIdIssuer, issuing
from web.demo import MANIFEST

pytestmark = [pytest.mark.timeout(180), needs_chromium, pytest.mark.parametrize("redis_mode", ["standalone"])]

REFUSED = "Failed to load resource"
"""Chromium reports refused requests, and requests that get no answer, as errors of the page."""
GUIDE = (Path(__file__).parents[2] / "docs/build/moderators.md").read_text()
NAMES = {"aud": "Aud Iter", "vic": "Vic Viewer", "mia": "Mia Moser", "lea": "Lea Lead"}


@pytest.fixture
def issuer() -> Iterator[OpenIdIssuer]:
    """Runs an issuer with a person of each role, and with bob, who has none."""
    with issuing() as issuer:
        for handle, role in zip(NAMES, ModeratorRole, strict=True):
            issuer.people[handle] = NAMES[handle], ["offline_access", f"plaudit-{role.name.lower()}"]
        issuer.people["bob"] = "Bob Baker", ["offline_access"]
        yield issuer


def settings_of_the_guide(issuer: OpenIdIssuer) -> dict[str, Any]:
    """Returns the settings that the guide gives for Keycloak, with the address of this issuer."""
    section = GUIDE.split("\n### Keycloak\n")[1]
    block = re.search(r"```sh\n(.*?)```", section, re.DOTALL)
    assert block
    words = shlex.split(block[1].replace("https://sso.example.com", f"http://127.0.0.1:{issuer.port}"))
    found = dict(word.split("=", 1) for word in words)
    return found | {"PLAUDIT_MODERATION": json.loads(found["PLAUDIT_MODERATION"])}


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings], issuer: OpenIdIssuer) -> AsyncIterator[Live]:
    """Serves the console with the issuer, with the settings of the guide. Alice has reported a post of carol."""
    guided = settings_of_the_guide(issuer)
    changes: dict[str, Any] = {
        "moderation": ModerationSettings(**LENIENT.model_dump(exclude_unset=True), **guided["PLAUDIT_MODERATION"]),
        "jwt_issuer": ("https://plaudit.local", guided["PLAUDIT_JWT_ISSUER"]),
        "jwt_jwks_url": guided["PLAUDIT_JWT_JWKS_URL"],
        "jwt_audience": (guided["PLAUDIT_JWT_AUDIENCE"],),
        "persisted_manifests": (MANIFEST,),
        "moderation_console": True,
        "local_cache_seconds": 0,
    }
    async with serving(make_settings(port=0, **changes)) as live:
        issuer.redirect_uri = f"http://{live.address}/moderation"
        (post,) = await published(live.person("carol"), "The first post")
        await live.drain()
        await reported(live.person("alice"), post, "HARASSMENT", "This is about me")
        await live.drain()
        yield live


def problem(page: Page) -> Any:
    return page.get_by_role("alert")


async def sign_in(page: Page, username: str) -> None:
    """Signs in at the issuer's page, from the console."""
    await page.get_by_role("button", name="Sign in").click()
    await page.get_by_label("Username").fill(username)
    await page.get_by_role("button", name="Sign In").click()


async def opened(live: Live, page: Page, username: str, path: str = "/moderation") -> None:
    """Opens the console as one of the issuer's users."""
    await page.goto(f"http://{live.address}{path}")
    await sign_in(page, username)
    await expect(page.locator(".who")).to_contain_text(NAMES[username])


async def kept(page: Page) -> str:
    """Returns all that the tab and the browser keep for the page."""
    return str(await page.evaluate("JSON.stringify([{...sessionStorage}, {...localStorage}])"))


async def test_a_moderator_signs_in_and_out_at_the_issuer(live: Live, issuer: OpenIdIssuer, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        await opened(live, page, "mia", "/moderation?kind=POST")
        await expect(case(page)).to_contain_text("The first post")
        assert page.url == f"http://{live.address}/moderation?kind=POST"
        assert issuer.grants == ["authorization_code"]
        assert await page.evaluate("localStorage.length") == 0
        sent = next(url for url in asked if "/protocol/openid-connect/auth?" in url)
        assert re.search("[?&]code_challenge_method=S256&", sent + "&")
        assert re.search("[?&]nonce=[^&]", sent)

        await page.get_by_role("button", name="Sign out").click()
        await expect(page.get_by_role("button", name="Sign in")).to_be_visible()
        assert page.url == issuer.redirect_uri
        assert "access_token" not in await kept(page)
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.get_by_label("Username")).to_be_visible()  # the issuer has ended its session


@pytest.mark.prove
async def test_tokens_are_renewed_silently_before_they_expire(
    live: Live, issuer: OpenIdIssuer, browser: Browser
) -> None:
    issuer.token_seconds = 32
    async with page_on(browser, LAPTOP) as page:  # a refused request would be an error of the page
        await opened(live, page, "mia")
        await page.get_by_label("Reason, which the author").fill("Half a sentence")
        await expect(case(page).get_by_text("Warn or suspend (S)")).to_have_count(0)
        issuer.people["mia"] = NAMES["mia"], issuer.people["lea"][1]
        await eventually(lambda: issuer.grants.count("refresh_token") >= 3)
        await expect(case(page).get_by_text("Warn or suspend (S)")).to_have_count(1)
        await page.get_by_role("button", name="Reject (R)").click()
        await has_sent(page)
        await live.drain()
        assert await live.rows("SELECT reason FROM moderation_log WHERE reason = 'Half a sentence' AND action = 3")


@pytest.mark.prove
async def test_a_request_with_an_expired_token_is_sent_again_with_a_new_one(
    live: Live, issuer: OpenIdIssuer, browser: Browser
) -> None:
    """A laptop that slept renews nothing in time."""
    issuer.token_seconds, issuer.told_seconds = 1, 3600
    async with page_on(browser, LAPTOP, expected=REFUSED) as page:
        await opened(live, page, "mia")
        await expect(case(page)).to_contain_text("The first post")
        await page.wait_for_timeout(7000)  # the API accepts an expired token for five seconds
        await page.keyboard.press("r")
        await has_sent(page)
        await live.drain()
        assert "refresh_token" in issuer.grants
        assert await live.rows("SELECT status FROM posts WHERE text = 'The first post'") == [(2,)]


@pytest.mark.prove
async def test_an_issuer_that_is_down_is_told_plainly(live: Live, issuer: OpenIdIssuer, browser: Browser) -> None:
    down = "The sign-in service does not answer. Try again."
    async with page_on(browser, LAPTOP, expected=REFUSED) as page:
        issuer.stop()
        await page.goto(f"http://{live.address}/moderation")
        await page.get_by_role("button", name="Sign in").click()
        await expect(problem(page)).to_have_text(down)

        issuer.start()
        issuer.token_seconds, issuer.told_seconds = 1, 3600
        await sign_in(page, "mia")
        await expect(case(page)).to_contain_text("The first post")
        issuer.stop()
        dialog = page.get_by_role("dialog", name="Your sign-in has ended")
        await expect(dialog.get_by_role("alert")).to_have_text(down, timeout=40_000)
        await dialog.get_by_role("button", name="Try again").click()
        await expect(dialog.get_by_role("alert")).to_have_text(down)
        issuer.start()
        await dialog.get_by_role("button", name="Try again").click()
        await expect(dialog).to_be_hidden()
        await expect(case(page)).to_contain_text("The first post")

        issuer.end_sessions()
        ended = "The sign-in service has ended your sign-in. Sign in again."
        await expect(dialog.get_by_role("alert")).to_have_text(ended, timeout=40_000)
        await sign_in(page, "mia")
        await expect(case(page)).to_contain_text("The first post")

        issuer.stop()
        await page.get_by_role("button", name="Sign out").click()
        await expect(problem(page)).to_contain_text("You are signed out here. The sign-in service does not answer")
        assert "access_token" not in await kept(page)


@pytest.mark.prove
async def test_a_user_without_a_role_is_told_so_and_signs_in_as_another(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await page.goto(f"http://{live.address}/moderation")
        await sign_in(page, "bob")
        await expect(problem(page)).to_contain_text(
            "Bob Baker may not moderate: this account has no role in moderation."
        )
        await page.get_by_role("button", name="Sign out").click()
        await expect(problem(page)).to_have_count(0)
        await sign_in(page, "mia")
        await expect(case(page)).to_contain_text("The first post")


@pytest.mark.prove
async def test_a_changed_answer_of_the_issuer_is_refused(live: Live, issuer: OpenIdIssuer, browser: Browser) -> None:
    foreign = "This answer of the sign-in service is not for this tab. Sign in again."
    async with page_on(browser, LAPTOP) as page:
        await page.goto(f"http://{live.address}/moderation")
        issuer.state = "of another sign-in"
        await sign_in(page, "mia")
        await expect(problem(page)).to_have_text(foreign)
        assert page.url == issuer.redirect_uri
        assert issuer.grants == []  # the code was not used

        issuer.state, issuer.nonce = None, "of another sign-in"
        await page.get_by_role("button", name="Sign in").click()
        await eventually(lambda: issuer.grants == ["authorization_code"])
        await expect(problem(page)).to_have_text(foreign)
        assert "access_token" not in await kept(page)


@pytest.mark.prove
async def test_no_link_signs_a_moderator_in_if_there_is_an_issuer(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await page.goto(f"http://{live.address}/moderation#token={moderator_token(live.settings)}")
        await expect(page.get_by_role("button", name="Sign in")).to_be_visible()
        await expect(page.get_by_label("Paste a token")).to_have_count(0)
        assert page.url == f"http://{live.address}/moderation"
        assert await page.evaluate("sessionStorage.length") == 0


@pytest.mark.prove
async def test_the_console_shows_what_the_role_may_do(live: Live, browser: Browser) -> None:
    for username, can_decide, can_suspend in (("vic", False, False), ("mia", True, False), ("lea", True, True)):
        async with page_on(browser, LAPTOP) as page:
            await opened(live, page, username)
            await expect(case(page)).to_contain_text("The first post")
            await expect(page.get_by_label("All shown")).to_have_count(int(can_decide))
            for name, is_shown in (("Reject (R)", can_decide), ("Take (T)", can_decide)):
                await expect(case(page).get_by_role("button", name=name)).to_have_count(int(is_shown))
            await expect(case(page).get_by_text("Warn or suspend (S)")).to_have_count(int(can_suspend))
            await page.get_by_role("link", name="History of @carol").click()
            await expect(page.get_by_role("heading", name="Newest posts")).to_be_visible()
            await expect(page.get_by_role("button", name="Warn")).to_have_count(int(can_suspend))
            await page.get_by_role("link", name="The first post").click()
            await expect(page.get_by_role("heading", name="Decisions")).to_be_visible()
            await expect(page.get_by_role("button", name="Reject (R)")).to_have_count(int(can_decide))
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "aud")
        await expect(page.get_by_role("heading", name="Log")).to_be_visible()
        assert page.url == f"http://{live.address}/moderation/log"
        await expect(page.get_by_role("link", name="Queue")).to_have_count(0)
