"""How people move through the demo app: places in lists, reloads, and the keyboard alone."""

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.support.browser import LAPTOP, PHONE, needs_chromium, page_on
from tests.support.demo import POSTS, opened, post
from tests.support.subscriptions import Live

pytestmark = [needs_chromium, pytest.mark.parametrize("redis_mode", ["standalone"])]

FIRST, LAST = f"Tea number {POSTS - 1}", "Tea number 0"
MOST_STOPS = 260
"""Stops of the Tab key, more than any page has."""


async def read_to_the_end(page: Page) -> None:
    """Scrolls from the first post to the last one, which is on the second page of the list."""
    await expect(post(page, FIRST)).to_be_visible()
    await page.evaluate("scrollTo(0, document.body.scrollHeight)")
    await post(page, LAST).scroll_into_view_if_needed()
    await expect(post(page, LAST)).to_be_in_viewport()


@pytest.mark.parametrize("user", ["alice", None])
async def test_a_reload_keeps_the_user_and_the_place(live: Live, browser: Browser, user: str | None) -> None:
    async with page_on(browser, PHONE) as page:
        await opened(live, page, "/square", user)
        await read_to_the_end(page)
        await page.reload()
        await expect(post(page, LAST)).to_be_in_viewport()
        await expect(page.get_by_role("combobox", name="Signed in as")).to_have_value(user or "")


async def test_another_page_begins_at_its_top_and_back_returns_to_the_place(live: Live, browser: Browser) -> None:
    async with page_on(browser, PHONE) as page:
        await opened(live, page)
        await read_to_the_end(page)
        await post(page, LAST).get_by_role("link", name="Comments").click()
        await expect(page.get_by_role("heading", name="Comments")).to_be_visible()
        assert await page.evaluate("scrollY") == 0
        await page.go_back()
        await expect(post(page, LAST)).to_be_in_viewport()
        await page.go_forward()
        await expect(page.get_by_role("heading", name="Comments")).to_be_visible()


async def press_on(page: Page, target: Locator, key: str = "Enter") -> None:
    """Moves the focus with the Tab key until the target has it, then presses a key there."""
    await expect(target).to_be_visible()
    for _ in range(MOST_STOPS):
        if await target.evaluate("element => element === document.activeElement"):
            await page.keyboard.press(key)
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not reach {target}")


@pytest.mark.prove
async def test_the_app_can_be_used_with_the_keyboard_alone(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/square")
        first = post(page, FIRST)
        await press_on(page, page.get_by_role("link", name="Skip to the content"))
        await page.keyboard.press("Tab")
        await expect(page.get_by_role("main").locator(":focus")).to_have_count(1)

        await press_on(page, first.get_by_role("button", name="Like"), "Space")
        await expect(first.get_by_role("button", name="Like", pressed=True)).to_contain_text("1")
        await press_on(page, first.get_by_role("button", name="More"))
        await expect(page.get_by_role("dialog", name="Actions")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog", name="Actions")).to_be_hidden()
        await expect(first.get_by_role("button", name="More")).to_be_focused()

        await press_on(page, first.get_by_role("link", name="Comments"))
        await press_on(page, page.get_by_role("textbox", name="Add a comment"), "End")
        await page.keyboard.type("Written without a mouse")
        await press_on(page, page.get_by_role("button", name="Send"))
        await expect(page.get_by_role("region", name="Comments")).to_contain_text("Written without a mouse")
