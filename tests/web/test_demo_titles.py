"""Checks the title of each screen of the demo app, and which element has the focus."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.demo import opened, post, settings
from tests.support.subscriptions import Live

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]


async def arrived(page: Page, title: str, heading: str | None = None) -> None:
    """Returns when a screen has its title, and its main heading has the focus."""
    await expect(page).to_have_title(f"{title} · Plaudit demo")
    found = page.get_by_role("heading", level=1)
    await expect(found).to_have_text(heading or title)
    await expect(found).to_be_focused()


async def test_each_screen_has_a_title_and_gives_its_heading_the_focus(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await expect(page).to_have_title("Home · Plaudit demo")
        await expect(page.get_by_role("heading", level=1)).not_to_be_focused()
        for name in ("Square", "Notifications", "Favourites"):
            await page.get_by_role("link", name=name).click()
            await arrived(page, name)
        await page.get_by_role("link", name="Profile").click()
        await arrived(page, "alice")
        await settings(page)
        await arrived(page, "Settings")
        await page.get_by_role("link", name="Account").click()
        await arrived(page, "Account")
        await page.get_by_role("link", name="Profile").click()
        await settings(page)
        await page.get_by_role("link", name="Blocked and muted users").click()
        await arrived(page, "Blocked and muted users")
        await page.get_by_role("link", name="Home").click()
        await post(page, "Tea number 24").get_by_role("link", name="#tea").click()
        await arrived(page, "#tea")
        await post(page, "Tea number 24").get_by_role("link", name="Comments").click()
        await arrived(page, "Post of bob")
        await page.get_by_role("link", name="bob @bob").click()
        await arrived(page, "bob")
        await page.go_back()
        await arrived(page, "Post of bob")


async def test_a_heading_that_arrives_late_takes_no_focus_from_what_a_person_uses(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/square")
        await page.get_by_role("link", name="Home").click()
        await arrived(page, "Home")
        text = page.get_by_role("textbox", name="Text of the post")
        await text.fill("Still here")
        await page.get_by_role("button", name="Publish").click()
        await text.fill("And here")
        await expect(post(page, "Still here")).to_be_visible()
        await expect(text).to_be_focused()
