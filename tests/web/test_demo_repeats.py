"""Checks that the demo app makes a write only once if the reply is lost, and that the socket gets a new token."""

import time

import pytest
from playwright.async_api import Browser, Locator, Page, Route, expect

from identity import auth
from identity.claims import LEEWAY
from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.demo import opened, post
from tests.support.subscriptions import Live, eventually
from tests.support.wire import GRAPHQL, body_of

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

LOST = {"data": None, "errors": [{"message": "The answer was lost.", "extensions": {"code": "INTERNAL"}}]}
ATTEMPTS = 2
"""The attempts of the client before it shows the error."""


async def lose_replies(page: Page, operation: str) -> list[str]:
    """Lets the API answer an operation, and replaces its first answers by an error, until the client shows it. Returns
    a list that grows by the idempotency key of each attempt.
    """
    keys: list[str] = []

    async def handle(route: Route) -> None:
        body = body_of(route.request)
        if body.get("operationName") != operation:
            await route.continue_()
            return
        keys.append(body["variables"]["idempotencyKey"])
        if len(keys) <= ATTEMPTS:
            await route.fetch()
            await route.fulfill(json=LOST)
        else:
            await route.continue_()

    await page.route(GRAPHQL, handle)
    return keys


async def lost_comment(live: Live, page: Page, text: str) -> tuple[list[str], Locator, Locator]:
    """Sends a comment on the newest post and loses the reply. Returns the keys that the page sends, the text field
    and the button.
    """
    ((newest,),) = await live.rows("SELECT max(post_id) FROM posts")
    await opened(live, page, f"/posts/Post:{newest}")
    keys = await lose_replies(page, "AddComment")
    field, send = page.get_by_role("textbox", name="Add a comment"), page.get_by_role("button", name="Send")
    await field.fill(text)
    await send.click()
    await expect(page.get_by_role("alert")).to_have_text("The answer was lost.")
    return keys, field, send


async def test_a_comment_that_is_sent_again_after_an_error_is_added_once(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        keys, text, send = await lost_comment(live, page, "Only once, please")
        await send.click()
        await expect(text).to_have_value("")
        await text.fill("Only once, please")
        await send.click()
        await expect(text).to_have_value("")
        await live.drain()
        await expect(page.get_by_text("Only once, please")).to_have_count(2)

    assert [keys.index(key) for key in keys] == [0, 0, 0, 3], "a third press is a second comment"
    assert await live.rows("SELECT count(*) FROM comments") == [(2,)]


async def test_a_changed_comment_has_another_key(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        keys, text, send = await lost_comment(live, page, "Milk first")
        await text.fill("No, tea first")
        await send.click()
        await expect(text).to_have_value("")

    assert [keys.index(key) for key in keys] == [0, 0, 2]


async def test_a_collection_that_is_sent_again_after_an_error_is_created_once(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/favourites")
        keys = await lose_replies(page, "CreateCollection")
        await page.get_by_role("textbox", name="Name of a new collection").fill("For winter")
        create = page.get_by_role("button", name="Create")
        await create.click()
        await expect(page.get_by_role("alert")).to_be_visible()
        await create.click()
        await expect(page.get_by_role("link", name="For winter")).to_have_count(1)
        await live.drain()

    assert len(set(keys)) == 1
    assert await live.rows("SELECT count(*) FROM collections WHERE name = 'For winter'") == [(1,)]


async def test_the_socket_gets_a_new_token_after_the_api_has_refused_the_old_one(live: Live, browser: Browser) -> None:
    """The page sends no request by HTTP meanwhile. Only the socket can learn that the token has expired."""
    life = 3.0
    old = auth.mint(live.settings, "alice", name="Alice", life=life)
    expiry = time.monotonic() + life + LEEWAY
    renewed: list[str] = []

    async def session(route: Route) -> None:
        if time.monotonic() < expiry:
            await route.fulfill(json={"users": [{"handle": "alice", "displayName": "Alice", "token": old}]})
        else:
            renewed.append(route.request.url)
            await route.continue_()

    async with page_on(browser, LAPTOP) as page:
        await page.route("**/graphiql/session", session)
        await opened(live, page, "/square")
        newest = post(page, "Tea number 24")
        await expect(newest).to_be_visible()
        await eventually(lambda: bool(renewed))
        ((post_id,),) = await live.rows("SELECT max(post_id) FROM posts")
        await live.person("bob").like(f"Post:{post_id}")
        await live.drain()
        await expect(newest.get_by_role("button", name="Like")).to_contain_text("1")
