"""Own comments are edited in the demo app, in a real Chromium: in their place, with the keyboard, during an outage."""

import asyncio
from contextlib import suppress

import pytest
from playwright.async_api import Browser, Locator, Page, Route, expect

from runner.valkey import Valkey
from store.redis.client import RedisDown
from tests.support.browser import LAPTOP, PHONE, needs_chromium, page_on
from tests.support.comments import added
from tests.support.demo import comment, comments, open_menu, opened
from tests.support.outages import stopped
from tests.support.subscriptions import PATIENCE, Live
from tests.support.wire import GRAPHQL, body_of, is_of, lose_answer, unanswered

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

MOST = 2000
TEXTS = "SELECT text FROM comment_contents ORDER BY comment_id"


async def post_path(live: Live) -> str:
    """Returns the path of bob's newest post."""
    ((newest,),) = await live.rows("SELECT max(post_id) FROM posts")
    return f"/posts/Post:{newest}"


async def edit(own: Locator) -> Locator:
    """Opens the form for the text of a comment. Returns its field."""
    await (await open_menu(own)).get_by_role("button", name="Edit", exact=True).click()
    field = own.get_by_role("textbox", name="Text of the comment")
    await expect(field).to_be_focused()
    return field


def own_comment(page: Page) -> Locator:
    return comments(page).filter(has_text="@alice").first


async def test_an_own_comment_is_edited_in_its_place_and_others_see_that(live: Live, browser: Browser) -> None:
    path = await post_path(live)
    async with page_on(browser, PHONE) as page, page_on(browser, LAPTOP) as other:
        await opened(live, page, path)
        await comment(page, "Teh first")
        own = own_comment(page)
        field = await edit(own)
        await expect(field).to_have_value("Teh first")
        await field.fill("Tea first")
        await expect(own).to_contain_text(f"Characters left: {MOST - len('Tea first'):,}")
        await own.get_by_role("button", name="Save").click()
        await expect(field).to_have_count(0)
        await expect(own).to_contain_text("Tea first")
        await expect(own.get_by_text("edited", exact=True)).to_be_visible()
        await expect(own.get_by_role("button", name="More")).to_be_focused()
        await live.drain()
        await opened(live, other, path, "bob")
        await expect(comments(other)).to_contain_text(["Tea first"])
        await expect(comments(other).get_by_text("edited", exact=True)).to_be_visible()

    assert await live.rows(TEXTS) == [("Tea first",)]


async def test_the_keyboard_alone_opens_and_leaves_the_form(live: Live, browser: Browser) -> None:
    path = await post_path(live)
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, path)
        await comment(page, "Milk first")
        own = own_comment(page)
        more = own.get_by_role("button", name="More")
        await more.press("Enter")
        await own.get_by_role("dialog").get_by_role("button", name="Edit", exact=True).press("Enter")
        field = own.get_by_role("textbox", name="Text of the comment")
        await expect(field).to_be_focused()
        await page.keyboard.type("?")
        await expect(field).to_have_value("Milk first?")
        await page.keyboard.press("Escape")
        await expect(field).to_have_count(0)
        await expect(own).to_contain_text("Milk first")
        await expect(more).to_be_focused()
        await edit(own)
        await own.get_by_role("button", name="Cancel").press("Enter")
        await expect(more).to_be_focused()
        await expect(own.get_by_text("edited", exact=True)).to_have_count(0)
        await live.drain()

    assert await live.rows(TEXTS) == [("Milk first",)]


async def test_a_comment_of_another_person_has_no_such_entry(live: Live, browser: Browser) -> None:
    path = await post_path(live)
    await added(live.person("bob"), path.removeprefix("/posts/"), "Not yours")
    await live.drain()
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, path)
        await comment(page, "Mine")
        menu = await open_menu(comments(page).filter(has_text="Not yours"))
        await expect(menu.get_by_role("button", name="Report")).to_be_visible()
        await expect(menu.get_by_role("button", name="Edit", exact=True)).to_have_count(0)
        await page.keyboard.press("Escape")
        menu = await open_menu(own_comment(page))
        await expect(menu.get_by_role("button", name="Edit", exact=True)).to_be_visible()


async def test_a_refused_text_stays_in_the_field_with_the_reason(live: Live, browser: Browser) -> None:
    path = await post_path(live)
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, path)
        await comment(page, "Milk first")
        own = own_comment(page)
        field, save = await edit(own), own.get_by_role("button", name="Save")
        await field.fill("")
        await expect(save).to_be_disabled()
        await field.fill("x" * (MOST + 1))
        await expect(save).to_be_disabled()
        await expect(save).to_have_accessible_description("1 character too many")
        await field.fill("Tea\a first")
        await save.click()
        await expect(own.get_by_role("alert")).to_have_text("This text contains control characters.")
        await expect(field).to_have_value("Tea\a first")
        await field.fill("Tea first")
        await save.click()
        await expect(field).to_have_count(0)
        await live.drain()

    assert await live.rows(TEXTS) == [("Tea first",)]


async def test_an_edited_comment_that_the_answer_lacks_is_read_anew(live: Live, browser: Browser) -> None:
    path = await post_path(live)

    async def without_comment(route: Route) -> None:
        if body_of(route.request).get("operationName") != "EditComment":
            await route.continue_()
            return
        answer = await route.fetch()
        body = await answer.json()
        body["data"]["editComment"]["comment"] = None
        await route.fulfill(response=answer, json=body)

    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, path)
        await comment(page, "Milk first")
        await page.route(GRAPHQL, without_comment)
        own = own_comment(page)
        await (await edit(own)).fill("Tea first")
        await own.get_by_role("button", name="Save").click()
        await expect(own).to_contain_text("Tea first")
        await expect(own.get_by_text("edited", exact=True)).to_be_visible()


async def test_the_late_answer_to_an_edit_closes_no_form_with_another_text(live: Live, browser: Browser) -> None:
    path = await post_path(live)
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, path)
        await comment(page, "Milk first")
        own = own_comment(page)
        field = await edit(own)
        async with unanswered(page, is_of("EditComment")):
            await field.fill("Tea first")
            await own.get_by_role("button", name="Save").click()
            await field.press("Escape")
            await (await edit(own)).fill("Neither first")
        await expect(own.get_by_text("edited", exact=True)).to_be_visible()
        await expect(field).to_have_value("Neither first")


async def test_the_old_text_is_sent_again_after_an_edit_whose_answer_was_lost(live: Live, browser: Browser) -> None:
    path = await post_path(live)
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, path)
        await comment(page, "Milk first")
        await lose_answer(page, "EditComment")
        own = own_comment(page)
        field, save = await edit(own), own.get_by_role("button", name="Save")
        await field.fill("Tea first")
        await save.click()
        await expect(own.get_by_role("alert")).to_have_text("Lost")
        await field.fill("Milk first")
        await save.click()
        await expect(field).to_have_count(0)
        await live.drain()

    assert await live.rows(TEXTS) == [("Milk first",)]


async def test_a_comment_that_is_deleted_while_it_is_edited_has_no_form(live: Live, browser: Browser) -> None:
    path = await post_path(live)
    subject = path.removeprefix("/posts/")
    answered = await added(live.person("alice"), subject, "Milk first")
    await live.drain()
    await added(live.person("bob"), subject, "Why?", to=answered)  # so that the comment keeps its place
    await live.drain()
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, path)
        own = own_comment(page)
        await edit(own)
        await (await open_menu(own)).get_by_role("button", name="Delete").click()
        await expect(page.get_by_text("This comment was deleted.")).to_be_visible()


async def test_an_edit_while_redis_is_down_keeps_the_text_until_it_is_accepted(
    valkey: Valkey, live: Live, browser: Browser
) -> None:
    path = await post_path(live)
    async with page_on(browser, LAPTOP, expected="Failed to load resource") as page:
        await opened(live, page, path)
        await comment(page, "Milk first")
        await live.drain()
        own = own_comment(page)
        field = await edit(own)
        await field.fill("Tea first")
        async with stopped(valkey, live.state.redis):
            await own.get_by_role("button", name="Save").click()
            await expect(own.get_by_role("alert").or_(own.get_by_text("edited", exact=True))).to_be_visible(
                timeout=60_000
            )
        if await field.count():
            await expect(field).to_have_value("Tea first")
            await own.get_by_role("button", name="Save").click()
        await expect(field).to_have_count(0, timeout=60_000)
        await expect(own).to_contain_text("Tea first")
        await expect(own.get_by_text("edited", exact=True)).to_be_visible()
        async with asyncio.timeout(PATIENCE):
            while await live.rows(TEXTS) != [("Tea first",)]:
                with suppress(RedisDown):  # right after the start
                    await live.drain()
                await asyncio.sleep(0.1)
