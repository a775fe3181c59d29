"""Threads of the demo app in a real Chromium: replies are opened, read page by page, and written."""

import asyncio

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.comments import added
from tests.support.demo import comment, comments, likes, open_menu, opened, replies_button
from tests.support.subscriptions import PATIENCE, Live
from tests.support.wire import is_of, unanswered

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

PAGE, REPLIES = 20, 23


async def thread(live: Live) -> str:
    """Adds a comment with more replies than a page has to bob's newest post. Returns the path of the post."""
    ((number,),) = await live.rows("SELECT max(post_id) FROM posts")
    alice, bob, post = live.person("alice"), live.person("bob"), f"Post:{number}"
    root = await added(alice, post, "Which tea is the best?")
    await live.drain()
    for number in range(REPLIES):
        await added(bob, post, f"Sort {number}", root)
    await live.drain()
    return f"/posts/{post}"


def root_of(page: Page) -> Locator:
    return comments(page).filter(has_text="Which tea is the best?").first


def replies(page: Page) -> Locator:
    return root_of(page).get_by_label("Replies").get_by_role("article")


async def reply(answered: Locator, text: str) -> None:
    await answered.get_by_role("button", name="Reply", exact=True).first.click()
    await answered.get_by_role("textbox").fill(text)
    await answered.get_by_role("button", name="Send").click()
    await expect(answered.get_by_role("textbox")).to_have_count(0)


async def written(live: Live, text: str) -> None:
    """Returns when a comment with this text is stored."""
    async with asyncio.timeout(PATIENCE):
        while (text,) not in await live.rows("SELECT text FROM comment_contents"):
            await live.drain()
            await asyncio.sleep(0.1)


async def test_replies_are_opened_and_read_to_their_end(live: Live, browser: Browser) -> None:
    path = await thread(live)
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, path)
        switch = replies_button(root_of(page))
        await expect(switch).to_contain_text(f"{REPLIES}")
        await expect(replies(page)).to_have_count(0)
        await switch.click()
        await expect(switch).to_have_attribute("aria-expanded", "true")
        await expect(replies(page)).to_have_count(PAGE)
        await replies(page).last.scroll_into_view_if_needed()
        await expect(replies(page)).to_have_count(REPLIES)
        await expect(replies(page)).to_contain_text([f"Sort {number}" for number in range(REPLIES)])
        await switch.click()
        await expect(replies(page)).to_have_count(0)


async def test_a_sent_reply_keeps_open_what_is_open(live: Live, browser: Browser) -> None:
    path = await thread(live)
    await added(live.person("bob"), path.removeprefix("/posts/"), "Is coffee a tea?")
    await live.drain()
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, path)
        await replies_button(root_of(page)).click()
        await expect(replies(page)).to_have_count(PAGE)
        question = comments(page).filter(has_text="Is coffee a tea?").first
        await reply(question, "No")
        await expect(question.get_by_label("Replies", exact=True)).to_contain_text("No")
        await replies_button(question).click()
        await replies_button(question).click()
        await expect(question.get_by_label("Replies", exact=True)).to_contain_text("No")
        await expect(replies(page).first).to_be_visible()

        await reply(replies(page).first, "Green, as I said")
        await expect(replies(page).last).to_contain_text("Green, as I said")
        await expect(question.get_by_label("Replies", exact=True)).to_contain_text("No")
        await comment(page, "One more question")
        await expect(question.get_by_label("Replies", exact=True)).to_contain_text("No")


async def test_ones_own_replies_are_shown_and_counted_without_a_reload(live: Live, browser: Browser) -> None:
    path = await thread(live)
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, path)
        await reply(root_of(page), "None of these")
        await expect(replies(page).last).to_contain_text("None of these")
        await written(live, "None of these")
        await expect(replies_button(root_of(page))).to_contain_text(f"{REPLIES + 1}")
        own = likes(replies(page).last)
        await own.click()
        await expect(own).to_have_attribute("aria-pressed", "true")

        await reply(root_of(page), "Nor of those")
        await expect(replies(page).last).to_contain_text("Nor of those")
        await replies(page).last.scroll_into_view_if_needed()
        texts = [*(f"Sort {number}" for number in range(REPLIES)), "None of these", "Nor of those"]
        await expect(replies(page)).to_contain_text(texts)
        await expect(replies(page)).to_have_count(len(texts))
        await written(live, "Nor of those")
        await expect(replies_button(root_of(page))).to_contain_text(f"{REPLIES + 2}")


async def test_a_reply_that_is_written_while_another_one_is_sent_stays(live: Live, browser: Browser) -> None:
    path = await thread(live)
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, path)
        await root_of(page).get_by_role("button", name="Reply", exact=True).first.click()
        field = root_of(page).get_by_role("textbox")
        async with unanswered(page, is_of("AddComment")):
            await field.fill("None of these")
            await root_of(page).get_by_role("button", name="Send").click()
            await field.fill("Or all of these")
        await expect(replies(page).filter(has_text="None of these")).to_have_count(1)
        await expect(field).to_have_value("Or all of these")


async def test_a_deleted_reply_of_ones_own_disappears(live: Live, browser: Browser) -> None:
    path = await thread(live)
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, path)
        await reply(root_of(page), "None of these")
        await expect(replies(page).last).to_contain_text("None of these")
        menu = await open_menu(replies(page).last)
        await menu.get_by_role("button", name="Delete").click()
        await expect(replies(page).filter(has_text="None of these")).to_have_count(0)


async def test_replies_are_written_to_a_comment_and_to_a_reply(live: Live, browser: Browser) -> None:
    path = await thread(live)
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, path)
        await reply(root_of(page), "None of these")
        await written(live, "None of these")
        await page.reload()
        await replies_button(root_of(page)).click()
        first = replies(page).first
        await likes(first).click()
        await expect(likes(first)).to_contain_text("1")
        await reply(first, "Green, as I said")
        await written(live, "Green, as I said")
    async with page_on(browser, LAPTOP) as other:
        await opened(live, other, path, "bob")
        await replies_button(root_of(other)).click()
        await replies(other).last.scroll_into_view_if_needed()
        await expect(replies(other)).to_have_count(REPLIES + 2)
        await expect(replies(other).filter(has_text="None of these")).to_be_visible()
        await expect(replies(other).filter(has_text="Green, as I said")).to_contain_text("@bob")
        await expect(likes(replies(other).first)).to_contain_text("1")
