"""The demo app while a list that it shows is being read anew: what a user does meanwhile takes effect at once."""

import pytest
from playwright.async_api import Browser, Request, expect

from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.demo import likes, opened, post
from tests.support.subscriptions import Live
from tests.support.wire import body_of, unanswered
from tests.support.workers import LIKE

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]


def _reads_a_list(request: Request) -> bool:
    return "first" in body_of(request).get("variables", {})


async def test_a_like_is_shown_while_its_list_is_being_read(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await page.route_web_socket("**/graphql", lambda _: None)  # nothing arrives on it, as during an outage
        await opened(live, page)
        button = likes(post(page, "Tea number 24"))
        await expect(button).to_have_attribute("aria-pressed", "false")
        await page.get_by_role("link", name="Notifications").click()
        await expect(page.get_by_text("Nothing has happened yet.")).to_be_visible()
        async with unanswered(page, lambda _: True):
            async with page.expect_request(_reads_a_list):
                await page.get_by_role("link", name="Home").click()
            await button.click()
            await expect(button).to_have_attribute("aria-pressed", "true")
            await expect(button).to_contain_text("1")
        await expect(page.get_by_label("Home", exact=True)).to_have_attribute("aria-busy", "false")
        await expect(button).to_have_attribute("aria-pressed", "true")
        await page.get_by_role("link", name="Square").click()
        await expect(button).to_contain_text("1")
    await live.drain()
    assert await live.rows("SELECT count(*) FROM reactions WHERE state = 1") == [(1,)]


async def test_notifications_are_marked_as_read_while_the_list_is_being_read(live: Live, browser: Browser) -> None:
    ids = [f"Post:{number}" for (number,) in await live.rows("SELECT post_id FROM posts ORDER BY post_id LIMIT 2")]
    alice = live.person("alice")
    await alice.ask(LIKE, id=ids[0])
    await live.drain()
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/notifications", "bob")
        unread = page.locator(".unread")
        await expect(unread).to_have_count(2)  # alice also follows bob
        async with unanswered(page, _reads_a_list):
            async with page.expect_request(_reads_a_list):
                await alice.ask(LIKE, id=ids[1])
                await live.drain()
            async with page.expect_request(lambda request: '"upTo"' in (request.post_data or "")):
                await page.get_by_role("button", name="Mark all as read").click()
        await expect(page.get_by_role("article")).to_have_count(3)
        await expect(unread).to_have_count(1)  # the one that was not in the list yet
