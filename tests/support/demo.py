"""A small community for web pages, and the demo app as a signed-in user."""

import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Locator, Page, Route, expect

from settings import ModerationSettings, Settings
from tests.support.subscriptions import Live, serving
from tests.support.wire import GRAPHQL, body_of
from web.demo import MANIFEST

PUBLISH = """mutation ($text: String!, $key: String!) {
    publishPost(input: {text: $text, topics: ["tea"], idempotencyKey: $key}) { post { id } }
}"""
POSTS = 25
"""The number of posts in the community."""


@asynccontextmanager
async def community(make_settings: Callable[..., Settings], **changes: Any) -> AsyncIterator[Live]:
    """Serves the demo app. Bob has published approved posts, "Tea number 0" and so on, and alice follows bob."""
    chosen: dict[str, Any] = {
        "persisted_manifests": (MANIFEST,),
        "moderation": ModerationSettings(new_account=0),
        "request_timeout": 3.0,
        "port": 0,
    }
    async with serving(make_settings(**(chosen | changes))) as live:
        bob, alice = live.person("bob"), live.person("alice")
        await bob.ask("{ viewer { id } }")
        ((bob_id,),) = await live.rows("SELECT user_id FROM users WHERE handle = 'bob'")
        await alice.ask("mutation ($id: ID!) { follow(input: {userId: $id}) { user { id } } }", id=f"User:{bob_id}")
        for number in range(POSTS):
            await bob.ask(PUBLISH, text=f"Tea number {number}", key=str(number))
        await live.drain()
        yield live


async def opened(live: Live, page: Page, path: str = "/", user: str | None = "alice") -> None:
    """Opens a page of the app as a user."""
    if user:
        choice = json.dumps({"kind": "user", "handle": user})
        await page.add_init_script(f"sessionStorage.setItem('plaudit.session', '{choice}')")
    await page.goto(f"http://{live.address}{path}")


async def settings(page: Page) -> None:
    """Opens the settings from one's own profile."""
    await page.get_by_role("main").get_by_role("link", name="Settings").click()


def post(page: Page, text: str) -> Locator:
    return page.get_by_role("article").filter(has_text=text)


def likes(card: Locator) -> Locator:
    """Returns the button that likes a post or comment, or takes the like back. It shows the number of likes."""
    return card.get_by_role("button", name=re.compile("like", re.IGNORECASE)).first


def comments(page: Page) -> Locator:
    """Returns the comments and replies that a post's page shows."""
    return page.get_by_label("Comments", exact=True).get_by_role("article")


async def comment(page: Page, text: str) -> None:
    """Adds a comment on a post's page."""
    await page.get_by_role("textbox", name="Add a comment").fill(text)
    await page.get_by_role("button", name="Send").click()
    await expect(comments(page).filter(has_text=text)).to_be_visible()


async def open_report(card: Locator) -> Locator:
    """Opens the reasons of a report in the menu of a post, comment or profile. Returns the dialog."""
    menu = await open_menu(card)
    await menu.get_by_role("button", name="Report").click()
    return menu


def replies_button(comment: Locator) -> Locator:
    """Returns the button that shows the replies to a comment, with their number."""
    return comment.locator("button[aria-expanded]").first


async def open_menu(card: Locator) -> Locator:
    """Opens the menu of a post, comment or profile. Returns the dialog."""
    await card.get_by_role("button", name="More").first.click()
    return card.get_by_role("dialog").first


def toast(page: Page, text: str) -> Locator:
    """Returns what a page says for some seconds about something that was done."""
    return page.get_by_role("status").filter(has_text=text)


async def lose_first_like(page: Page) -> list[str]:
    """Lets the API answer the page's next like, and drops the answer. Returns a list that grows by the idempotency key
    of each attempt.
    """
    keys: list[str] = []

    async def handle(route: Route) -> None:
        variables = body_of(route.request).get("variables", {})
        if "targetId" not in variables:
            await route.continue_()
            return
        keys.append(variables["idempotencyKey"])
        if len(keys) == 1:
            await route.fetch()
            await route.abort("connectionreset")
        else:
            await route.continue_()

    await page.route(GRAPHQL, handle)
    return keys
