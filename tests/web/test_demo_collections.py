"""Collections of favourites in the demo app, in a real Chromium."""

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.collections import own
from tests.support.comments import added
from tests.support.demo import comments, open_menu, opened, post, toast
from tests.support.subscriptions import Live

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

NAME = "Teas to try"


async def create(page: Page, name: str) -> None:
    await page.get_by_role("link", name="Favourites").click()
    await page.get_by_role("region", name="Collections").get_by_role("textbox").fill(name)
    await page.get_by_role("button", name="Create").click()
    await expect(collection(page, name)).to_be_visible()


def collection(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name="Collections").get_by_role("link", name=name)


async def save_into(card: Locator, name: str) -> None:
    menu = await open_menu(card)
    await menu.get_by_role("button", name=name).click()
    await expect(toast(card.page, f"Saved in {name}.")).to_be_visible()
    await expect(menu).to_have_count(0)


async def test_a_collection_is_made_filled_emptied_and_deleted(live: Live, browser: Browser) -> None:
    ((newest,),) = await live.rows("SELECT max(post_id) FROM posts")
    await added(live.person("bob"), f"Post:{newest}", "Not with milk")
    await live.drain()
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await create(page, NAME)
        await page.get_by_role("link", name="Square").click()
        await save_into(post(page, "Tea number 24"), NAME)
        await post(page, "Tea number 24").get_by_role("link", name="Comments").click()
        await save_into(comments(page).filter(has_text="Not with milk"), NAME)

        await page.get_by_role("link", name="Favourites").click()
        await expect(post(page, "Not with milk")).to_be_visible()
        await collection(page, NAME).click()
        await expect(page.get_by_role("heading", name=NAME)).to_be_visible()
        await expect(post(page, "Tea number 24")).to_be_visible()
        await post(page, "Not with milk").get_by_role("button", name="Remove").click()
        await expect(post(page, "Not with milk")).to_have_count(0)
        await expect(post(page, "Tea number 24")).to_be_visible()
        await page.reload()
        await expect(post(page, "Tea number 24")).to_be_visible()
        await expect(post(page, "Not with milk")).to_have_count(0)

        await page.get_by_role("button", name="Delete").first.click()
        await expect(page.get_by_role("heading", name="Favourites")).to_be_visible()
        await expect(collection(page, NAME)).to_have_count(0)
        await expect(post(page, "Tea number 24")).to_be_visible()  # what it held stays saved
        await live.drain()
    assert await own(live.person("alice")) == []


async def test_others_do_not_see_a_private_collection(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await create(page, NAME)
        await collection(page, NAME).click()
        await expect(page.get_by_role("heading", name=NAME)).to_be_visible()
        await expect(page.get_by_text("This collection is empty.")).to_be_visible()
        address = page.url
    await live.drain()
    async with page_on(browser, LAPTOP) as other:
        await opened(live, other, "/", "bob")
        await other.goto(address)
        await expect(other.get_by_role("heading", level=1)).to_be_visible()
        await expect(other.get_by_text(NAME)).to_have_count(0)
        await expect(other.get_by_role("button", name="Delete")).to_have_count(0)
