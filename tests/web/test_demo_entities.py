"""Entities in the demo app: cards in posts, the page of an entity, and notifications of new posts."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from settings import Settings
from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.demo import comment, community, likes, opened, post
from tests.support.subscriptions import Live
from workers.announcements import announce
from workers.bells import ring

pytestmark = [needs_chromium, pytest.mark.parametrize("redis_mode", ["standalone"])]

BUSINESSES = '[[business]]\nid = 104\nname = "recipe"\nin_feeds = true\n'
REGISTER = """mutation { registerEntities(entities: [{business: "recipe", key: "soup", title: "Onion soup",
  url: "https://example.com/soup", owner: {externalId: "bob"}}]) { userErrors { code } } }"""


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings], tmp_path: Path) -> AsyncIterator[Live]:
    """Serves the demo app with a small community, in which recipes come into feeds."""
    file = tmp_path / "businesses.toml"
    file.write_text(BUSINESSES)
    async with community(make_settings, businesses_file=file) as live:
        yield live


async def test_a_follower_finds_a_new_entity_likes_it_and_comments_on_it(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/users/bob")
        await page.get_by_role("button", name="Notify me of posts").click()
        await expect(page.get_by_role("button", name="Notify me of posts")).to_have_attribute("aria-pressed", "true")
        await live.drain()
        await live.person("service", "entities:write").ask(REGISTER)
        await announce(live.state, lambda: True)
        await live.drain()
        await ring(live.state, lambda: True)

        await opened(live, page, "/notifications")
        await page.get_by_role("link", name="bob published a new recipe.").click()
        card = post(page, "Onion soup")
        await likes(card).click()
        await expect(likes(card)).to_contain_text("1")
        await page.get_by_role("link", name="Onion soup").click()
        await expect(page.get_by_role("link", name="https://example.com/soup")).to_be_visible()
        await expect(likes(page.get_by_role("article").first)).to_contain_text("1")
        await comment(page, "Tasty")
    await live.drain()
    assert await live.rows("SELECT business_id FROM reactions UNION ALL SELECT subject_business FROM comments") == [
        (104,),
        (104,),
    ]
