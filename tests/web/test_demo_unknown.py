"""The demo app while it is not known what the user has liked or saved, or how many notifications are unread."""

import pytest
from playwright.async_api import Browser, expect

from runner.postgres import Postgres
from runner.valkey import Valkey
from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.demo import opened, post
from tests.support.outages import stopped
from tests.support.subscriptions import Live

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

NEWEST = "Tea number 24"


async def newest_of(live: Live) -> str:
    ((newest,),) = await live.rows("SELECT max(post_id) FROM posts")
    return f"Post:{newest}"


async def test_a_like_is_unknown_without_postgres_and_a_press_likes(
    postgres: Postgres, live: Live, browser: Browser
) -> None:
    path = f"/posts/{await newest_of(live)}"
    async with page_on(browser, LAPTOP, expected="Failed to load resource") as page:
        await opened(live, page, path, "bob")  # fills the caches with everything but what alice has liked and saved
        await expect(post(page, NEWEST)).to_be_visible()
    async with page_on(browser, LAPTOP, expected="Failed to load resource") as page:
        async with stopped(postgres, live.state.postgres):
            await opened(live, page, path)
            for name in ("Like", "Favourite"):
                button = post(page, NEWEST).get_by_role("button", name=name)
                await expect(button).to_have_attribute("aria-pressed", "mixed")
                await expect(button).to_have_css("border-style", "dashed")
                await button.click()
                await expect(button).to_have_attribute("aria-pressed", "true")
        await live.drain()
        for name in ("Like", "Favourite"):
            button = post(page, NEWEST).get_by_role("button", name=name, pressed=True)
            await expect(button).to_contain_text("1")
    assert await live.rows("SELECT count(*) FROM like_log") == [(1,)]


async def test_a_number_of_unread_notifications_is_unknown_without_redis(
    valkey: Valkey, live: Live, browser: Browser
) -> None:
    async with page_on(browser, LAPTOP, expected="Failed to load resource") as page:
        unknown = page.get_by_label("unread: unknown")
        async with stopped(valkey, live.state.redis):
            await opened(live, page, "/users/bob")
            await expect(unknown).to_be_visible()
        await expect(unknown).to_have_count(0, timeout=60_000)
        await expect(page.get_by_label("0 unread")).to_have_count(0)
