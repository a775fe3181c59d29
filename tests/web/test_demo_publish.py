"""Posts with images, published in the demo app in a real Chromium."""

from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from runner.ports import free_port
from settings import DEMO_HOST, Settings
from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.demo import community, opened, post
from tests.support.subscriptions import Live

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

IMAGE = f"https://{DEMO_HOST}/photo/dusk-7.svg"
"""An image that the API itself serves."""


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings]) -> AsyncIterator[Live]:
    """Serves the demo app on a port that the URLs of images contain."""
    async with community(make_settings, port=free_port()) as live:
        yield live


async def write(page: Page, text: str, image: str) -> None:
    form = page.get_by_role("form", name="New post")
    await form.locator("textarea").first.fill(text)
    await form.locator("input[type=url]").first.fill(image)
    await form.get_by_role("button", name="Publish").click()


async def test_others_see_the_image_of_a_post(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page, page_on(browser, LAPTOP) as other:
        await opened(live, page)
        await write(page, "The hills of my tea", IMAGE)
        await expect(post(page, "The hills of my tea")).to_be_visible()
        await expect(page.get_by_role("form", name="New post").locator("textarea").first).to_have_value("")
        await live.drain()
        await opened(live, other, "/square", "bob")
        image = post(other, "The hills of my tea").locator(".images img")
        await image.scroll_into_view_if_needed()
        await expect(image).to_have_js_property("complete", value=True)
        assert await image.evaluate("image => image.naturalWidth") > 0
        source = await image.get_attribute("src")
    assert source
    assert source.startswith(f"http://{live.address}/demo/photo/dusk-7.svg")


async def test_an_image_that_the_api_refuses_is_named_and_the_text_stays(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await write(page, "From an unsafe place", "http://images.example.com/tea.png")
        form = page.get_by_role("form", name="New post")
        await expect(form.get_by_role("status").or_(form.get_by_role("alert")).first).to_contain_text("https")
        await expect(form.locator("textarea").first).to_have_value("From an unsafe place")
        await expect(post(page, "From an unsafe place")).to_have_count(0)
