"""Every screen of the demo app: what axe finds, other hosts, texts instead of ids; and screenshots for the docs."""

import pytest
from playwright.async_api import Browser

from tests.support.browser import needs_chromium, page_on
from tests.support.demo import opened
from tests.support.subscriptions import Live
from tests.support.wire import TEXT, watched
from tests.web.screens import DEVICES, faults_of

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(300),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

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


async def test_no_screen_has_a_serious_fault(seeded: Live, browser: Browser) -> None:
    found: dict[str, list[str]] = {}
    for device in DEVICES:
        for name, path in SCREENS.items():
            found[f"{name}-{device}"] = await _look(seeded, browser, device, name, path)
        found |= await _look_closer(seeded, browser, device)
    assert {screen: faults for screen, faults in found.items() if faults} == {}


async def _look(live: Live, browser: Browser, device: str, name: str, path: str) -> list[str]:
    async with page_on(browser, DEVICES[device]) as page:
        wire = watched(page)
        await opened(live, page, path)
        await page.wait_for_load_state("networkidle")
        faults = await faults_of(page, f"{name}-{device}")
    others = wire.hosts - {live.address}
    return [*faults, *(f"asks {host}" for host in others), *(["sends a text"] if TEXT in wire.operations else [])]


async def _look_closer(live: Live, browser: Browser, device: str) -> dict[str, list[str]]:
    """Opens the menu of a post, and the drawer with the operations."""
    async with page_on(browser, DEVICES[device]) as page:
        await opened(live, page, "/")
        await page.get_by_role("link", name="Comments").first.click()
        await page.get_by_role("button", name="More").first.click()
        menu = await faults_of(page, f"menu-{device}")
        await page.get_by_role("button", name="Close").click()
        await page.get_by_role("button", name="The GraphQL behind this").click()
        await page.locator(".drawer summary").first.click()
        return {f"menu-{device}": menu, f"drawer-{device}": await faults_of(page, f"drawer-{device}")}
