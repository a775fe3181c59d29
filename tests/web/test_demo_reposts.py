"""The demo app: a user reposts, quotes and detaches; home says who has reposted."""

import pytest
from playwright.async_api import Browser, expect

from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.demo import POSTS, opened, post
from tests.support.follows import follow
from tests.support.reposts import repost
from tests.support.subscriptions import Live

pytestmark = [needs_chromium, pytest.mark.parametrize("redis_mode", ["standalone"])]
NEWEST = f"Tea number {POSTS - 1}"


async def test_a_user_reposts_and_quotes_a_post(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/square")
        newest = post(page, NEWEST)
        button = newest.get_by_role("button", name="Repost")
        await button.click()
        await expect(button).to_have_attribute("aria-pressed", "true")
        await expect(button).to_contain_text("1")
        await newest.get_by_role("button", name="Quote").click()
        form = newest.get_by_role("form", name="New quote")
        await form.get_by_role("textbox", name="Text of the quote").fill("Look at this tea")
        await form.get_by_role("button", name="Publish").click()
        quote = post(page, "Look at this tea")
        await expect(quote.get_by_role("blockquote", name="Quoted post")).to_contain_text(NEWEST)


async def test_home_says_who_has_reposted(live: Live, browser: Browser) -> None:
    alice, carol = live.person("alice"), live.person("carol")
    await follow(alice, await carol.id())
    ((oldest,),) = await live.rows("SELECT min(post_id) FROM posts")
    await repost(carol, f"Post:{oldest}")
    await live.drain()
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        first = page.get_by_role("article").first
        await expect(first).to_contain_text("Reposted by")
        await expect(first).to_contain_text("@carol")
        await expect(first).to_contain_text("Tea number 0")
