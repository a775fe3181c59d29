"""The demo app in a real Chromium, against a server on a real port."""

import asyncio
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from runner.valkey import Valkey
from settings import Settings
from store.write_log import redis_check
from tests.support.browser import LAPTOP, PHONE, needs_chromium, page_on
from tests.support.demo import POSTS, PUBLISH, comment, comments, community, lose_first_like, opened, post, settings
from tests.support.outages import stopped
from tests.support.subscriptions import PATIENCE, Live, eventually
from tests.support.wire import TEXT, is_of, unanswered, watched

pytestmark = [needs_chromium, pytest.mark.parametrize("redis_mode", ["standalone"])]


@pytest.mark.parametrize("device", [pytest.param(LAPTOP, marks=pytest.mark.prove), PHONE], ids=["laptop", "phone"])
async def test_a_user_reads_likes_saves_comments_and_publishes(
    live: Live, browser: Browser, device: dict[str, Any]
) -> None:
    async with page_on(browser, device) as page:
        wire = watched(page)
        await opened(live, page, user=None)
        await expect(page.get_by_text("You are not signed in.")).to_be_visible()
        await expect(page.get_by_role("link", name="Square")).to_have_attribute("aria-current", "page")
        await expect(page.get_by_role("link", name="Home")).to_have_count(0)
        await page.get_by_role("combobox", name="Signed in as").select_option("alice")
        await expect(page.get_by_role("link", name="Home")).to_have_attribute("aria-current", "page")
        await expect(page.get_by_text("You are not signed in.")).to_have_count(0)
        newest = post(page, f"Tea number {POSTS - 1}")
        for name in ("Like", "Favourite"):
            button = newest.get_by_role("button", name=name)
            await button.click()
            await expect(button).to_have_attribute("aria-pressed", "true")
            await expect(button).to_contain_text("1")

        await newest.get_by_role("link", name="Comments").click()
        await comment(page, "With milk, please")

        await page.get_by_role("link", name="Home").click()
        await page.get_by_role("textbox", name="Text of the post").fill("My first #coffee")
        await page.get_by_role("button", name="Publish").click()
        await expect(post(page, "My first #coffee")).to_be_visible()
        await live.drain()  # announces the post to the page
        await live.person("bob").ask(PUBLISH, text="Tea again", key="again")
        await live.drain()
        await page.get_by_role("button", name="Show 1 new post").click()
        await expect(post(page, "Tea again")).to_be_visible()
        await expect(page.get_by_role("button", name=re.compile("new post"))).to_have_count(0)

        await page.get_by_role("link", name="Favourites").click()
        await expect(post(page, f"Tea number {POSTS - 1}")).to_be_visible()

    assert wire.hosts == {live.address}, "the page sends requests to other hosts"
    assert TEXT not in wire.operations, "an operation was sent as text"


async def test_the_next_page_is_read_at_the_end_of_the_list(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await expect(post(page, "Tea number 24")).to_be_visible()
        await scroll_to(page, post(page, "Tea number 0"))
        assert await page.get_by_role("article").count() == POSTS


async def scroll_to(page: Page, wanted: Locator) -> None:
    """Scrolls down, as a user does, until an element is shown."""
    async with asyncio.timeout(PATIENCE):
        while not await wanted.is_visible():
            await page.mouse.wheel(0, 20_000)
            await asyncio.sleep(0.2)


@pytest.mark.prove
async def test_a_list_goes_on_if_its_end_was_reached_while_it_was_read_anew(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await expect(post(page, "Tea number 24")).to_be_visible()
        await live.person("bob").ask(PUBLISH, text="Tea again", key="again")
        await live.drain()
        async with unanswered(page, is_of("Home")):
            await page.get_by_role("button", name="Show 1 new post").click()
            await expect(page.get_by_role("region", name="Home", exact=True)).to_have_attribute("aria-busy", "true")
            await scroll_to(page, post(page, "Tea number 5"))
            await page.keyboard.press("End")
            await asyncio.sleep(0.5)
        await expect(post(page, "Tea number 0")).to_be_visible()


async def test_a_like_in_one_browser_moves_the_count_in_another(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as one, page_on(browser, LAPTOP) as other:
        for page, user in ((one, "alice"), (other, "bob")):
            await opened(live, page, "/square", user)
            await expect(post(page, "Tea number 24")).to_be_visible()
        await post(one, "Tea number 24").get_by_role("button", name="Like").click()

        await shows_one_like(live, other)


async def shows_one_like(live: Live, page: Page) -> None:
    """Stores what arrives until a page shows the like of a post."""
    like = post(page, "Tea number 24").get_by_role("button", name="Like")
    async with asyncio.timeout(PATIENCE):
        while (await like.inner_text()).strip() != "1":
            await live.drain()
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("apq", [True, False], ids=["registration", "no-registration"])
async def test_the_app_sends_texts_to_an_api_that_does_not_know_its_operations(
    make_settings: Callable[..., Settings], browser: Browser, apq: bool
) -> None:
    async with (
        community(make_settings, persisted_manifests=(), apq=apq) as live,
        page_on(browser, LAPTOP) as one,
        page_on(browser, LAPTOP) as other,
    ):
        wire = watched(other)
        await opened(live, one, user="alice")
        await opened(live, other, "/square", "bob")
        await expect(post(other, "Tea number 24").get_by_role("button", name="Like")).to_contain_text("0")
        await post(one, "Tea number 24").get_by_role("button", name="Like").click()
        await shows_one_like(live, other)
        await other.get_by_role("button", name="Hot").click()
        await expect(post(other, "Tea number 24")).to_be_visible()

    assert TEXT in wire.operations, "the API knows the operations of the app"
    assert wire.repeated == []


async def test_a_like_whose_reply_is_lost_is_repeated_and_counts_once(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP, expected="net::ERR_CONNECTION_RESET") as page:
        await opened(live, page)
        newest = post(page, "Tea number 24")
        await expect(newest).to_be_visible()
        keys = await lose_first_like(page)
        like = newest.get_by_role("button", name="Like", pressed=True)
        await newest.get_by_role("button", name="Like").click()
        await expect(like).to_contain_text("1")
        await eventually(lambda: len(keys) == 2)
        await live.drain()
        await expect(like).to_contain_text("1")

    assert keys[0] == keys[1]
    assert await live.rows("SELECT count(*) FROM like_log") == [(1,)]


@pytest.fixture
def no_direct_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the API not notice that Redis is down for long. Otherwise it reads from Postgres after some seconds."""
    monkeypatch.setattr(redis_check, "_EVERY", 3600.0)


@pytest.mark.usefixtures("no_direct_writes")
async def test_while_redis_is_down_the_page_keeps_what_it_has_and_names_what_is_unknown(
    valkey: Valkey, live: Live, browser: Browser
) -> None:
    async with page_on(browser, LAPTOP, expected="Failed to load resource") as page:
        await opened(live, page, "/square")
        await expect(post(page, "Tea number 24")).to_be_visible()
        async with stopped(valkey, live.state.redis):
            await page.get_by_role("button", name="Hot").click()
            await expect(page.get_by_role("status").first).to_be_visible(timeout=20_000)
            await page.get_by_role("button", name="Newest").click()
            await expect(post(page, "Tea number 24")).to_be_visible()
        await expect(post(page, "Tea number 24").get_by_role("button", name="Like")).to_contain_text(
            "0", timeout=30_000
        )


@pytest.mark.prove
@pytest.mark.usefixtures("no_direct_writes")
async def test_a_new_page_while_redis_is_down_asks_ever_less_often_and_recovers(
    valkey: Valkey, live: Live, browser: Browser
) -> None:
    async with page_on(browser, LAPTOP, expected="Failed to load resource") as page:
        wire = watched(page)
        async with stopped(valkey, live.state.redis):
            await opened(live, page, "/users/bob")
            await expect(page.get_by_text("It is not known now whether you follow @bob.")).to_be_visible()
            await expect(page.get_by_role("button", name="Follow")).to_have_attribute("aria-pressed", "mixed")
            async with asyncio.timeout(120):
                while len(asked := wire.times_of("Profile")) < 4:
                    await asyncio.sleep(0.1)
        await expect(page.get_by_role("button", name="Follow")).to_have_attribute("aria-pressed", "true")
    pauses = [later - earlier for earlier, later in pairwise(asked)]
    assert all(pause >= 2**number for number, pause in enumerate(pauses)), pauses


async def test_new_comments_of_others_wait_behind_a_button(live: Live, browser: Browser) -> None:
    ((newest,),) = await live.rows("SELECT max(post_id) FROM posts")
    async with page_on(browser, LAPTOP) as alice, page_on(browser, LAPTOP) as bob:
        for page, user in ((alice, "alice"), (bob, "bob")):
            await opened(live, page, f"/posts/Post:{newest}", user)
            await expect(page.get_by_text("Nobody has commented yet.")).to_be_visible()
        await comment(bob, "Milk first")
        await comment(bob, "No, tea first")
        await live.drain()
        await expect(alice.get_by_role("button", name="Show 2 new comments")).to_be_visible()
        await expect(comments(alice)).to_have_count(0)
        await expect(alice.get_by_text("Nobody has commented yet.")).to_have_count(0)
        await alice.get_by_role("button", name="Show 2 new comments").click()
        await expect(comments(alice)).to_contain_text(["No, tea first", "Milk first"])

        await comment(alice, "Neither")
        await live.drain()
        await expect(bob.get_by_role("button", name="Show 1 new comment")).to_be_visible()
        await expect(alice.get_by_role("button", name=re.compile("new comment"))).to_have_count(0)


async def test_a_blocked_user_disappears_and_can_be_unblocked(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/users/bob")
        await page.get_by_role("button", name="Block", exact=True).click()
        await expect(page.get_by_text("You have blocked @bob.")).to_be_visible()
        await page.get_by_role("link", name="Square").click()
        await expect(page.get_by_text("There are no posts yet.")).to_be_visible()
        await page.get_by_role("link", name="Profile").click()
        await settings(page)
        await page.get_by_role("link", name="Blocked and muted users").click()
        await page.get_by_role("button", name="Unblock").click()
        await expect(page.get_by_text("You have blocked nobody.")).to_be_visible()
        await page.get_by_role("link", name="Square").click()
        await expect(post(page, "Tea number 24")).to_be_visible()
