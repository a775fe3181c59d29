"""Followed topics in the demo app, in a real Chromium."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.demo import opened, post
from tests.support.posts import publish
from tests.support.subscriptions import Live

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

TEXT = "Tea by a stranger"


async def turn(page: Page, *, on: bool) -> None:
    """Clicks the button that follows #tea, and waits until it has the new state."""
    button = page.get_by_role("button", name="Follow #tea")
    await expect(button).to_have_attribute("aria-pressed", str(not on).lower())
    await button.click()
    await expect(button if on else page.get_by_text("You follow no topics.")).to_be_visible()


async def test_a_topic_is_followed_shown_in_home_and_unfollowed(live: Live, browser: Browser) -> None:
    await publish(live.person("carol"), TEXT, "tea")
    await live.drain()
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/topics/tea")
        await turn(page, on=True)
        await expect(page.get_by_text("1 follower")).to_be_visible()
        await page.get_by_role("link", name="Home").click()
        await expect(post(page, "Tea number 24")).to_be_visible()
        await expect(post(page, TEXT)).to_have_count(0)

        await page.get_by_role("link", name="Topics that you follow").click()
        await expect(post(page, TEXT)).to_contain_text("From #tea")
        switch = page.get_by_role("checkbox", name="Show some of their posts in Home")
        await switch.click()
        await expect(switch).to_be_checked()
        await page.get_by_role("link", name="Home").click()
        await expect(post(page, TEXT)).to_contain_text("From #tea")
        await expect(post(page, "Tea number 24")).not_to_contain_text("From #tea")

        await page.get_by_role("link", name="Topics that you follow").click()
        await turn(page, on=False)
        await page.get_by_role("link", name="Home").click()
        await expect(post(page, "Tea number 24")).to_be_visible()
        await expect(post(page, TEXT)).to_have_count(0)
