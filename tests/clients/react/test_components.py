"""The components of clients/react in a real Chromium, on a page of another origin than the API."""

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, FilePayload, Locator, Page, Route, expect

from runner.file_store import storing
from settings import ImageSettings, ModerationSettings, Settings
from tests.clients.react.article import COMMENTS, LIKES, VIDEO, add, address, shown
from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.demo import PUBLISH, lose_first_like
from tests.support.node import needs_compiler
from tests.support.subscriptions import Live, eventually, serving
from tests.support.uploads import red
from tests.support.wire import GRAPHQL, body_of, is_of, lose_answer, unanswered

pytestmark = [
    needs_compiler,
    needs_chromium,
    pytest.mark.timeout(300),
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

TEXTS = "SELECT text FROM comment_contents ORDER BY comment_id"


async def refuse(page: Page, operation: str, **answer: Any) -> None:
    """Lets the page's requests for an operation fail: with an answer, or without a connection."""

    async def handle(route: Route) -> None:
        if body_of(route.request).get("operationName") != operation:
            await route.continue_()
        elif answer:
            await route.fulfill(headers={"access-control-allow-origin": "*"}, json=answer)
        else:
            await route.abort("internetdisconnected")

    await page.route(GRAPHQL, handle)


async def test_a_like_is_shown_by_all_buttons_at_once_and_counted_once_after_a_lost_reply(
    live: Live, origin: str, browser: Browser
) -> None:
    async with page_on(browser, LAPTOP, expected="net::ERR_CONNECTION_RESET") as page:
        await page.goto(address(live, origin, show="like"))
        first, second = page.get_by_role("button").first, page.get_by_role("button").last
        await expect(first).to_contain_text("0 likes")
        keys = await lose_first_like(page)
        await first.click()
        await expect(second).to_contain_text("1 like")
        await eventually(lambda: len(keys) == 2)
        await live.drain()
        await expect(first).to_have_attribute("aria-pressed", "true")

    assert keys[0] == keys[1]
    assert await live.rows(LIKES) == [(1,)]


async def test_a_like_that_fails_is_taken_back(live: Live, origin: str, browser: Browser) -> None:
    async with page_on(browser, LAPTOP, expected="ERR_INTERNET_DISCONNECTED") as page:
        await page.goto(address(live, origin, show="like", attempts="1"))
        button = page.get_by_role("button").first
        await expect(button).to_contain_text("0 likes")
        await refuse(page, "Like")
        await button.click()
        await expect(page.get_by_role("alert").first).to_have_text("There is no connection. Try again.")
        await expect(button).to_contain_text("0 likes")
        await expect(button).to_have_attribute("aria-pressed", "false")
        await page.unroute_all()
        await button.click()
        await expect(page.get_by_role("alert")).to_have_count(0)
        await live.drain()

    assert await live.rows(LIKES) == [(1,)]


async def test_a_person_who_is_not_signed_in_reads_and_is_asked_to_sign_in(
    live: Live, origin: str, browser: Browser
) -> None:
    await add(live, "bob", "Green tea is best")
    async with page_on(browser, LAPTOP) as page:
        await page.goto(address(live, origin, user=None, show="like"))
        await page.get_by_role("button").first.click()
        await expect(page).to_have_title("sign in")
        await page.goto(address(live, origin, user=None))
        await expect(shown(page, "Green tea")).to_be_visible()
        await expect(page.get_by_role("textbox")).to_have_count(0)
        await expect(page.get_by_role("button", name="Reply")).to_have_count(0)
        await page.get_by_role("button", name="Sign in to comment").click()
        await expect(page).to_have_title("sign in")
        await page.goto(address(live, origin, user=None, show="like", nobody="1"))
        await expect(page.get_by_role("button").first).to_be_disabled()

    assert await live.rows(LIKES) == [(0,)]


@pytest.mark.prove
async def test_a_person_whose_token_is_refused_is_asked_to_sign_in(live: Live, origin: str, browser: Browser) -> None:
    async with page_on(browser, LAPTOP, expected="Failed to load resource") as page:
        await page.goto(address(live, origin, user=None, show="like", token="no-token"))
        await page.get_by_role("button").first.click()
        await expect(page).to_have_title("sign in")


async def test_comments_are_written_answered_reported_and_deleted_with_the_keyboard_alone(
    live: Live, origin: str, browser: Browser
) -> None:
    await add(live, "bob", "Green tea is best")
    async with page_on(browser, LAPTOP) as page:
        await page.goto(address(live, origin))
        await expect(shown(page)).to_have_count(1)
        await tab_to(page, page.get_by_role("textbox", name="Add a comment"))
        await page.keyboard.type("Black tea is better")
        await page.keyboard.press("Control+Enter")
        await expect(shown(page, "Black tea is better")).to_have_count(1)
        await live.drain()

        theirs = shown(page, "Green tea")
        await tab_to(page, theirs.get_by_role("button", name="Like"))
        await page.keyboard.press("Space")
        await expect(theirs.get_by_role("button", name="Like")).to_contain_text("1 like")
        await tab_to(page, theirs.get_by_role("button", name="Reply", exact=True))
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("textbox", name="Write a reply to bob")).to_be_focused()
        await page.keyboard.type("Why?")
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await expect(theirs.get_by_role("article").filter(has_text="Why?")).to_be_visible()

        report = theirs.get_by_role("button", name="Report").first
        await tab_to(page, report)
        await page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name="Report this")
        await expect(dialog).to_be_visible()
        await tab_to(page, dialog.get_by_role("radio").first)
        await page.keyboard.press("Space")
        await tab_to(page, dialog.get_by_role("button", name="Send report"))
        await page.keyboard.press("Enter")
        await expect(dialog).to_contain_text("Moderators will look at it")
        await page.keyboard.press("Escape")
        await expect(dialog).to_have_count(0)
        await expect(report).to_be_focused()

        own = shown(page, "Black tea is better")
        await tab_to(page, own.get_by_role("button", name="Delete"))
        await page.keyboard.press("Enter")
        await expect(shown(page, "Black tea is better")).to_have_count(0)
        await live.drain()

    assert await live.rows("SELECT count(*) FROM reports") == [(1,)]
    assert await live.rows(LIKES) == [(1,)]


async def test_an_own_comment_is_edited_with_the_keyboard_alone(live: Live, origin: str, browser: Browser) -> None:
    await add(live, "bob", "Green tea is best")
    await add(live, "alice", "Blakc tea")
    async with page_on(browser, LAPTOP) as page:
        await page.goto(address(live, origin))
        own = shown(page, "@alice")
        entry, field = own.get_by_role("button", name="Edit"), own.get_by_role("textbox", name="Edit the comment")
        await expect(shown(page, "Green tea").get_by_role("button", name="Report")).to_be_visible()
        await expect(shown(page, "Green tea").get_by_role("button", name="Edit")).to_have_count(0)
        await tab_to(page, entry)
        await page.keyboard.press("Enter")
        await expect(field).to_be_focused()
        await expect(field).to_have_value("Blakc tea")
        await page.keyboard.type(" is better")
        await page.keyboard.press("Escape")
        await expect(field).to_have_count(0)
        await expect(own).to_contain_text("Blakc tea")
        await expect(own).not_to_contain_text("is better")
        await expect(entry).to_be_focused()

        await page.keyboard.press("Enter")
        await field.fill("Tea\a")
        await expect(own).to_contain_text("Characters left: 1,996")
        await own.get_by_role("button", name="Save").click()
        await expect(own.get_by_role("alert")).to_have_text("This text contains control characters.")
        await expect(field).to_have_value("Tea\a")
        await field.fill("Black tea")
        await page.keyboard.press("Control+Enter")
        await expect(field).to_have_count(0)
        await expect(own).to_contain_text("Black tea")
        await expect(own.get_by_text("edited", exact=True)).to_be_visible()
        await expect(entry).to_be_focused()
        await live.drain()

    assert await live.rows(TEXTS) == [("Green tea is best",), ("Black tea",)]


async def test_the_late_answer_to_an_edit_closes_no_form_with_another_text(
    live: Live, origin: str, browser: Browser
) -> None:
    await add(live, "alice", "Blakc tea")
    async with page_on(browser, LAPTOP) as page:
        await page.goto(address(live, origin))
        own = shown(page, "@alice")
        entry, field = own.get_by_role("button", name="Edit"), own.get_by_role("textbox", name="Edit the comment")
        await entry.click()
        async with unanswered(page, is_of("EditComment")):
            await field.fill("Black tea")
            await own.get_by_role("button", name="Save").click()
            await field.press("Escape")
            await entry.click()
            await field.fill("Green tea")
        await expect(own.get_by_text("edited", exact=True)).to_be_visible()
        await expect(field).to_have_value("Green tea")


async def test_the_old_text_is_sent_again_after_an_edit_whose_answer_was_lost(
    live: Live, origin: str, browser: Browser
) -> None:
    await add(live, "alice", "Black tea")
    async with page_on(browser, LAPTOP) as page:
        await page.goto(address(live, origin))
        await lose_answer(page, "EditComment")
        own = shown(page, "@alice")
        await own.get_by_role("button", name="Edit").click()
        field, save = own.get_by_role("textbox", name="Edit the comment"), own.get_by_role("button", name="Save")
        await field.fill("Green tea")
        await save.click()
        await expect(own.get_by_role("alert")).to_be_visible()
        await field.fill("Black tea")
        await save.click()
        await expect(field).to_have_count(0)
        await live.drain()

    assert await live.rows(TEXTS) == [("Black tea",)]


async def test_a_reply_that_is_written_while_another_one_is_sent_stays(
    live: Live, origin: str, browser: Browser
) -> None:
    await add(live, "bob", "Green tea is best")
    async with page_on(browser, LAPTOP) as page:
        await page.goto(address(live, origin))
        await shown(page, "@bob").get_by_role("button", name="Reply", exact=True).click()
        field = page.get_by_role("textbox", name="Write a reply to bob")
        async with unanswered(page, is_of("AddComment")):
            await field.fill("Why?")
            await page.keyboard.press("Control+Enter")
            await expect(field).to_have_value("")
            await field.fill("And how?")
        await expect(shown(page, "Why?").get_by_role("button", name="Delete")).to_have_count(1)
        await expect(field).to_have_value("And how?")


async def test_escape_ends_what_an_input_method_composes_and_not_the_edit(
    live: Live, origin: str, browser: Browser
) -> None:
    await add(live, "alice", "Black tea")
    async with page_on(browser, LAPTOP) as page:
        await page.goto(address(live, origin))
        own = shown(page, "@alice")
        await own.get_by_role("button", name="Edit").click()
        field = own.get_by_role("textbox", name="Edit the comment")
        await expect(field).to_be_focused()
        keyboard = await page.context.new_cdp_session(page)
        await keyboard.send("Input.imeSetComposition", {"text": "cha", "selectionStart": 3, "selectionEnd": 3})
        await page.keyboard.press("Escape")
        await expect(field).to_have_count(1)


async def tab_to(page: Page, wanted: Locator) -> None:
    """Presses the tabulator key until an element has the focus."""
    await expect(wanted).to_be_visible()
    for _ in range(60):
        if await wanted.evaluate("element => element === document.activeElement"):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"no way to {wanted}")


async def test_an_own_comment_is_shown_before_it_is_acknowledged_and_its_text_comes_back_if_it_fails(
    live: Live, origin: str, browser: Browser
) -> None:
    async with page_on(browser, LAPTOP, expected="ERR_INTERNET_DISCONNECTED") as page:
        await page.goto(address(live, origin, attempts="1"))
        field, send = page.get_by_role("textbox"), page.get_by_role("button", name="Send")
        await expect(page.get_by_text("No comments yet")).to_be_visible()
        gate = asyncio.Event()
        keys: list[str] = []

        async def handle(route: Route) -> None:
            variables = body_of(route.request).get("variables", {})
            if "text" not in variables:
                await route.continue_()
                return
            keys.append(variables["idempotencyKey"])
            await gate.wait()
            await (route.abort("internetdisconnected") if len(keys) == 1 else route.continue_())

        await page.route(GRAPHQL, handle)
        await field.fill("White tea")
        await send.click()
        await expect(shown(page, "White tea")).to_contain_text("Sending…")
        await expect(field).to_have_value("")
        gate.set()
        await expect(page.get_by_role("alert")).to_have_text("There is no connection. Try again.")
        await expect(shown(page)).to_have_count(0)
        await expect(field).to_have_value("White tea")
        await send.click()
        await expect(shown(page, "White tea").get_by_role("button", name="Like")).to_be_visible()
        await live.drain()

    assert keys[0] == keys[1]
    assert await live.rows(COMMENTS) == [(1,)]


@pytest.mark.prove
async def test_a_refused_comment_says_why_in_the_language_of_the_page(
    live: Live, origin: str, browser: Browser
) -> None:
    refusal = {"comment": None, "userErrors": [{"code": "BLOCKED", "message": "You are blocked.", "field": None}]}
    async with page_on(browser, LAPTOP) as page:
        await page.goto(address(live, origin, language="zh-CN", messages="send = 发表"))
        await refuse(page, "AddComment", data={"addComment": refusal})
        await page.get_by_role("textbox", name="写评论").fill("你好")
        await page.get_by_role("button", name="发表").click()
        await expect(page.get_by_role("alert")).to_contain_text("屏蔽")
        await expect(page.get_by_role("textbox")).to_have_value("你好")


@pytest.mark.prove
async def test_more_comments_are_read_page_by_page_in_the_chosen_order(
    live: Live, origin: str, browser: Browser
) -> None:
    await add(live, "bob", *(f"Comment {number}" for number in range(8)))
    async with page_on(browser, LAPTOP) as page:
        await page.goto(address(live, origin))
        await page.get_by_role("button", name="Oldest").click()
        await expect(shown(page).first).to_contain_text("Comment 0")
        await expect(shown(page)).to_have_count(5)
        await page.get_by_role("button", name="Show more").click()
        await expect(shown(page)).to_have_count(8)
        await expect(page.get_by_role("button", name="Show more")).to_have_count(0)
        await expect(page.get_by_role("heading", name=re.compile("Comments"))).to_contain_text("8 comments")


@pytest.mark.prove
async def test_new_comments_of_others_wait_behind_a_button(live: Live, origin: str, browser: Browser) -> None:
    await add(live, "bob", "First")
    async with page_on(browser, LAPTOP) as page:
        await page.goto(address(live, origin, realtime="1"))
        await expect(shown(page)).to_have_count(1)
        await eventually(lambda: live.connection_count == 1)
        await add(live, "bob", "Second")
        await page.get_by_role("button", name="Show 1 new comment").click()
        await expect(shown(page, "Second")).to_be_visible()
        await expect(page.get_by_role("button", name=re.compile("Show .* new"))).to_have_count(0)


@pytest.mark.prove
async def test_following_is_shown_at_once_and_taken_back_if_it_fails(live: Live, origin: str, browser: Browser) -> None:
    await live.person("carol").ask("{ viewer { id } }")
    async with page_on(browser, LAPTOP, expected="ERR_INTERNET_DISCONNECTED") as page:
        await page.goto(address(live, origin, show="follow", target="carol", attempts="1"))
        button = page.get_by_role("button", name="Follow carol")
        await expect(button).to_have_text("Follow")
        await refuse(page, "Follow")
        await button.click()
        await expect(page.get_by_role("alert")).to_be_visible()
        await expect(button).to_have_attribute("aria-pressed", "false")
        await page.unroute_all()
        await button.click()
        await expect(button).to_have_text("Following")
        await expect(button).to_have_attribute("aria-pressed", "true")
        await live.drain()
        assert await live.rows("SELECT count(*) FROM follows") == [(1,)]
        await page.goto(address(live, origin, show="follow", target="alice"))
        await expect(page.get_by_role("heading")).to_be_visible()
        await expect(page.get_by_role("button")).to_have_count(0)


async def test_counts_that_cannot_be_read_are_shown_as_a_dash(live: Live, origin: str, browser: Browser) -> None:
    missing = {"field": "Entity.likeCount", "effect": "MISSING", "path": ["node", "likeCount"]}
    state = {"likeCount": None, "viewerReaction": None, "saveCount": 0, "viewerSaved": False}
    node = {"__typename": "Entity", "id": f"Entity:{VIDEO}", **state}
    degraded = [missing | {"count": 1, "reason": "REDIS_DOWN", "retryAfter": 600}]
    async with page_on(browser, LAPTOP) as page:
        await refuse(page, "Target", data={"node": node}, extensions={"degraded": degraded})
        await page.goto(address(live, origin, show="like"))
        await expect(page.get_by_role("button").first).to_contain_text("likes: unknown")
        await expect(page.get_by_role("button").first).to_contain_text("\N{EN DASH}")


@pytest.mark.prove
async def test_a_comment_section_stands_under_an_article(live: Live, origin: str, browser: Browser) -> None:
    await live.videos("bv-003")
    async with page_on(browser, LAPTOP) as page:
        await page.goto(address(live, origin, page="article"))
        await page.get_by_role("textbox", name="Add a comment").fill("Nice article")
        await page.get_by_role("button", name="Send").click()
        await expect(shown(page, "Nice article").get_by_role("button", name="Like")).to_be_visible()


@pytest.mark.prove
async def test_a_comment_is_shown_although_the_list_was_read_before_it(
    live: Live, origin: str, browser: Browser
) -> None:
    await live.videos("bv-003")
    sent = asyncio.Event()
    held = list[str]()

    async def hold(route: Route) -> None:
        """Holds back the answers with the list until the comment is added."""
        if body_of(route.request).get("operationName") not in ("Comments", "CommentSubject") or sent.is_set():
            await route.continue_()
            return
        answer = await route.fetch()
        held.append(await answer.text())
        await sent.wait()
        await route.fulfill(response=answer)

    async with page_on(browser, LAPTOP) as page:
        await page.route(GRAPHQL, hold)
        await page.goto(address(live, origin, page="article"))
        await page.get_by_role("textbox", name="Add a comment").fill("Nice article")
        async with page.expect_response(lambda one: "AddComment" in (one.request.post_data or "")):
            await page.get_by_role("button", name="Send").click()
        sent.set()
        await expect(shown(page, "Nice article").get_by_role("button", name="Like")).to_be_visible()
    assert held
    assert not any("Nice article" in answer for answer in held)


@pytest.mark.prove
async def test_a_reaction_is_shown_at_once_and_taken_back(live: Live, origin: str, browser: Browser) -> None:
    await live.videos("c1", business="chat")
    async with page_on(browser, LAPTOP) as page:
        await page.goto(address(live, origin, show="reactions", target="chat:c1"))
        love, sad = (page.get_by_role("button", name=f"React with {kind}") for kind in ("love", "sad"))
        for button in (love, sad):
            await button.click()
            await expect(button).to_contain_text("1 reaction")
        await love.click()
        await expect(love).to_contain_text("0 reactions")
        await expect(sad).to_have_attribute("aria-pressed", "true")
        await expect(love).to_have_attribute("aria-pressed", "false")
        await live.drain()
        await page.reload()
        await expect(sad).to_contain_text("1 reaction")
        await expect(love).to_contain_text("0 reactions")


@pytest.mark.prove
@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
async def test_a_chosen_reaction_jumps_unless_the_user_prefers_reduced_motion(
    live: Live, origin: str, browser: Browser, motion: str
) -> None:
    await live.videos("c1", business="chat")
    async with page_on(browser, {**LAPTOP, "reduced_motion": motion}) as page:
        await page.goto(address(live, origin, show="reactions", target="chat:c1"))
        love = page.get_by_role("button", name="React with love")
        await love.click()
        await expect(love).to_have_attribute("aria-pressed", "true")
        expected = "none" if motion == "reduce" else "plaudit-jump"
        await expect(love.locator(".plaudit-emoji")).to_have_css("animation-name", expected)


@pytest.mark.prove
async def test_a_post_is_published_with_a_picture_that_has_a_description(
    make_settings: Callable[..., Settings], origin: str, browser: Browser, tmp_path: Path
) -> None:
    pictures = [FilePayload(name=f"{name}.png", mimeType="image/png", buffer=red(40, 20)) for name in ("cup", "pot")]
    with storing(tmp_path) as images:
        changes = {"images": ImageSettings(**json.loads(images)), "moderation": ModerationSettings(new_account=0)}
        async with (
            serving(make_settings(port=0, cors_origins=(origin,), **changes)) as live,
            page_on(browser, LAPTOP) as page,
        ):
            await page.goto(address(live, origin, show="composer"))
            publish = page.get_by_role("button", name="Publish")
            await page.locator("input[type=file]").set_input_files(pictures)
            cup, pot = (page.get_by_role("group", name=f"{name}.png") for name in ("cup", "pot"))
            await cup.get_by_role("textbox", name="What the file shows").fill("A red cup")
            await pot.get_by_role("button", name="Remove pot.png").click()
            await expect(pot).to_have_count(0)
            await publish.click()
            await expect(page.get_by_role("status").filter(has_text="Published")).to_be_visible()
            await expect(cup).to_have_count(0)
            await expect(publish).to_be_disabled()
            await live.drain()
            await page.reload()
            await expect(page.get_by_role("img", name="A red cup")).to_have_js_property("naturalWidth", 40)
            assert await live.rows("SELECT jsonb_array_length(images) FROM posts") == [(1,)]


@pytest.mark.prove
async def test_a_published_post_is_listed_and_a_post_is_saved_in_a_new_collection(
    live: Live, origin: str, browser: Browser
) -> None:
    for number in range(7):
        await live.person("bob").ask(PUBLISH, text=f"Tea number {number}", key=str(number))
    await live.drain()
    async with page_on(browser, LAPTOP) as page:
        await page.goto(address(live, origin, show="composer"))
        await expect(shown(page)).to_have_count(5)
        await page.get_by_role("textbox", name="Text of the post").fill("Oolong for everyone #tea")
        await page.get_by_role("button", name="Publish").click()
        await expect(page.get_by_text("Published", exact=True)).to_be_visible()
        await expect(shown(page, "Oolong for everyone")).to_be_visible()
        await page.get_by_role("button", name="Show more").click()
        await expect(shown(page)).to_have_count(8)

        post = shown(page, "Tea number 6")
        await post.get_by_role("button", name="Save in a collection").click()
        await post.get_by_role("textbox", name="New collection").fill("To try")
        await post.get_by_role("button", name="Create").click()
        await expect(post.get_by_text("Saved in To try")).to_be_visible()
        await expect(post.get_by_role("button", name="Save", exact=True)).to_have_attribute("aria-pressed", "true")
        await expect(post.get_by_role("button", name="To try")).to_be_visible()
        await live.drain()

    assert await live.rows("SELECT name FROM collections") == [("To try",)]
    assert await live.rows("SELECT count(*) FROM saves WHERE collection_id IS NOT NULL") == [(1,)]


@pytest.mark.prove
async def test_notifications_arrive_while_they_are_shown_and_are_marked_as_read(
    live: Live, origin: str, browser: Browser
) -> None:
    (own,) = await add(live, "alice", "My comment")
    async with page_on(browser, LAPTOP) as page:
        await page.goto(address(live, origin, show="notifications"))
        await expect(page.get_by_text("There are no notifications.")).to_be_visible()
        await eventually(lambda: live.connection_count == 1)
        await live.person("bob").like(own)
        await live.drain()
        item = page.get_by_role("listitem").filter(has_text="bob")
        await expect(item).to_contain_text("Unread")
        await page.get_by_role("button", name="Mark all as read").click()
        await expect(item).not_to_contain_text("Unread")
        await expect(page.get_by_role("button", name="Mark all as read")).to_have_count(0)


async def test_a_post_that_does_not_exist_is_not_an_empty_page(live: Live, origin: str, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await page.goto(address(live, origin, show="post", target="Post:1"))
        await expect(page.get_by_text("This post does not exist")).to_be_visible()
        await page.goto(address(live, origin, target="video:none"))
        await expect(page.get_by_text("There is nothing here to comment on.")).to_be_visible()
