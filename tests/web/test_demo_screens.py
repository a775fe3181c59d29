"""Every screen of the demo app: what axe finds, and screenshots for the docs.

With PLAUDIT_SCREENSHOTS=<folder> the screenshots are written there.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

from runner.ports import free_port
from settings import ModerationSettings, Settings
from tests.support.browser import LAPTOP, PHONE, launched, needs_chromium, page_on
from tests.support.demo import opened
from tests.support.deployment import ROOT
from tests.support.subscriptions import serving
from web.demo import MANIFEST

pytestmark = [
    pytest.mark.prove,
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

DEVICES: dict[str, dict[str, Any]] = {
    "laptop": {**LAPTOP, "color_scheme": "light"},
    "phone": {**PHONE, "color_scheme": "dark"},
}
SCREENS = {
    "home": "/",
    "square": "/square",
    "topic": "/topics/baking",
    "profile": "/users/bob",
    "own-profile": "/users/alice",
    "notifications": "/notifications",
    "favourites": "/favourites",
    "boundaries": "/boundaries",
    "unknown": "/users/nobody_has_this_name",
}
SERIOUS = ("serious", "critical")


async def test_axe_finds_nothing_serious_on_any_screen(make_settings: Callable[..., Settings]) -> None:
    changes: dict[str, Any] = {"persisted_manifests": (MANIFEST,), "moderation": ModerationSettings(new_account=0)}
    found: dict[str, list[str]] = {}
    settings = make_settings(port=free_port(), businesses_file=ROOT / "businesses.toml", **changes)
    async with serving(settings) as live, launched() as browser:
        await live.seed()
        await live.drain()
        for device, options in DEVICES.items():
            for name, path in SCREENS.items():
                async with page_on(browser, options) as page:
                    await opened(live, page, path)
                    await page.wait_for_load_state("networkidle")
                    await _shoot(page, f"{name}-{device}")
                    found[f"{name} on a {device}"] = await _serious(page)
            async with page_on(browser, options) as page:
                await opened(live, page, "/")
                await page.get_by_role("link", name="Comments").first.click()
                await page.get_by_role("button", name="More").first.click()
                await _shoot(page, f"menu-{device}")
                found[f"menu on a {device}"] = await _serious(page)
                await page.get_by_role("button", name="Close").click()
                await page.get_by_role("button", name="The GraphQL behind this").click()
                await page.locator(".drawer summary").first.click()
                await _shoot(page, f"drawer-{device}")
                found[f"drawer on a {device}"] = await _serious(page)
    assert {screen: rules for screen, rules in found.items() if rules} == {}


async def _serious(page: Page) -> list[str]:
    """Returns the rules that axe finds broken, with the first element of each."""
    results = await Axe().run(page)
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]}"
        for one in results.response["violations"]
        if one["impact"] in SERIOUS
    ]


async def _shoot(page: Page, name: str) -> None:
    if folder := os.environ.get("PLAUDIT_SCREENSHOTS"):
        await page.screenshot(path=Path(folder) / f"{name}.png")
