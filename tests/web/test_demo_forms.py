"""The forms of the demo app: a note in a report; and how they are laid out."""

import pytest
from playwright.async_api import Browser, expect

from tests.support.browser import LAPTOP, PHONE, needs_chromium, page_on
from tests.support.demo import open_report, opened, post, toast
from tests.support.subscriptions import Live

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]


async def test_a_report_carries_a_note(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        menu = await open_report(post(page, "Tea number 24"))
        await menu.get_by_role("textbox", name="Note for the moderators (optional)").fill("Not about tea at all")
        await menu.get_by_role("button", name="Spam").click()
        await expect(toast(page, "Thank you. A moderator looks at it.")).to_be_visible()
        await live.drain()

    assert await live.rows("SELECT note FROM reports") == [("Not about tea at all",)]


async def test_the_hint_in_a_report_is_not_cut_off_on_a_phone(live: Live, browser: Browser) -> None:
    async with page_on(browser, PHONE) as page:
        await opened(live, page)
        menu = await open_report(post(page, "Tea number 24"))
        note = menu.get_by_role("textbox")
        hint = await note.get_attribute("placeholder")
        await expect(note).to_be_visible()
        await note.fill(hint or "")  # a text takes the place that the hint takes
        assert await note.evaluate("field => field.scrollHeight <= field.clientHeight")
        box = await menu.bounding_box()
        assert box
        assert 0 <= box["x"] <= PHONE["viewport"]["width"] - box["width"]


async def test_the_icons_below_a_post_are_on_one_line(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        icons = post(page, "Tea number 24").locator("footer .icon")
        await expect(icons).to_have_count(5)
        tops = await icons.evaluate_all("icons => icons.map((icon) => icon.getBoundingClientRect().top)")
        assert tops == [tops[0]] * 5
