"""Budgets of the demo app in a real Chromium: requests and bytes until the first post, moves of what is shown while
lists load, and requests of an interaction.
"""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.support.browser import LAPTOP, PHONE, needs_chromium, page_on
from tests.support.demo import likes, opened, post
from tests.support.subscriptions import Live
from tests.support.wire import Received, watched

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

FIRST = "Tea number 24"
MOST_BYTES = 200_000
"""Until the first post of home is shown: the page, the script with React, the style, and two answers."""
MOST_REQUESTS = 10
SHIFTS = """window.shifts = [];
new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
        const moved = entry.sources.map(({ node }) => node && (node.outerHTML || node.textContent).slice(0, 120));
        if (!entry.hadRecentInput) window.shifts.push([entry.value, ...moved]);
    }
}).observe({ type: "layout-shift", buffered: true });"""
PATHS = ["/", "/square", "/users/bob", "/notifications", "/settings"]


async def shifts(page: Page) -> list[list[object]]:
    """Returns the moves of elements so far, each with its score and its elements."""
    found: list[list[object]] = await page.evaluate("window.shifts")
    return found


async def test_what_a_browser_receives_until_the_first_post(live: Live, browser: Browser) -> None:
    async with page_on(browser, PHONE) as page:
        session = await page.context.new_cdp_session(page)
        await session.send("Network.enable")
        received = Received(session)
        await opened(live, page)
        await expect(post(page, FIRST)).to_be_visible()
        sizes = dict(received.sizes)
    assert sum(sizes.values()) <= MOST_BYTES, sizes
    assert len(sizes) <= MOST_REQUESTS, sizes


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
async def test_nothing_moves_while_a_screen_loads(
    live: Live, browser: Browser, device: dict[str, dict[str, int]], path: str
) -> None:
    async with page_on(browser, device) as page:
        await page.add_init_script(SHIFTS)
        await opened(live, page, path)
        await page.wait_for_load_state("networkidle")
        assert await shifts(page) == []


async def test_nothing_moves_while_the_next_page_of_a_list_loads(live: Live, browser: Browser) -> None:
    async with page_on(browser, PHONE) as page:
        await page.add_init_script(SHIFTS)
        await opened(live, page, "/square")
        await expect(post(page, FIRST)).to_be_visible()
        before = await shifts(page)
        await page.mouse.wheel(0, 5_000)
        await expect(page.get_by_role("article")).to_have_count(25)
        assert await shifts(page) == before


async def test_a_like_is_one_request(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await expect(post(page, FIRST)).to_be_visible()
        await expect(page.get_by_role("region", name="Who to follow")).to_be_visible()  # is read after the posts
        await page.wait_for_load_state("networkidle")
        wire = watched(page)
        async with page.expect_response("**/graphql"):
            await likes(post(page, FIRST)).click()
        await page.wait_for_load_state("networkidle")
        assert list(wire.operations) == ["Like"]
        assert wire.repeated == []
