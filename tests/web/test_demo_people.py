"""Checks how people of the demo app interact in a real Chromium: follows, mutes, reports, notifications."""

import re

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.demo import open_menu, open_report, opened, post, settings, toast
from tests.support.notifications import unread
from tests.support.posts import published
from tests.support.reports import queue
from tests.support.subscriptions import Live

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

FIRST = "Tea number 24"
NOTHING_UNREAD = re.compile(r"^\s*Notifications\s*$")


def switch(page: Page, name: str) -> Locator:
    """Returns the button of a profile that turns a relation on and off, also if it says so with another name."""
    return page.get_by_role("main").get_by_role("button", name=re.compile(f"^(un)?{name}", re.IGNORECASE))


async def turned(button: Locator, *, on: bool) -> None:
    """Clicks a button that is not yet in this state, and waits until it is."""
    await expect(button).to_have_attribute("aria-pressed", str(not on).lower())
    await button.click()
    await expect(button).to_have_attribute("aria-pressed", str(on).lower())


async def test_a_user_follows_and_unfollows(live: Live, browser: Browser) -> None:
    await published(live.person("carol"), "Coffee is better")
    await live.drain()
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/users/carol")
        followers = page.get_by_text(re.compile("followers?"))
        await expect(followers).to_contain_text("0 followers")
        await turned(switch(page, "follow"), on=True)
        await expect(followers).to_contain_text("1 follower")
        await live.drain()
        await page.get_by_role("link", name="Home").click()
        await expect(post(page, "Coffee is better")).to_be_visible()
        await expect(post(page, FIRST)).to_be_visible()

        await post(page, "Coffee is better").get_by_role("link", name="carol").click()
        await turned(switch(page, "follow"), on=False)
        await expect(followers).to_contain_text("0 followers")
        await live.drain()
        await page.reload()
        await expect(switch(page, "follow")).to_have_attribute("aria-pressed", "false")
        await page.get_by_role("link", name="Home").click()
        await expect(post(page, FIRST)).to_be_visible()
        await expect(post(page, "Coffee is better")).to_have_count(0)


async def test_a_user_mutes_and_unmutes(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/users/bob")
        await turned(switch(page, "mute"), on=True)
        await page.get_by_role("link", name="Home").click()
        await expect(page.get_by_text("Follow somebody to see posts here.")).to_be_visible()
        await page.get_by_role("link", name="Profile").click()
        await settings(page)
        await page.get_by_role("link", name="Blocked and muted users").click()
        muted = page.get_by_role("region", name="Muted users")
        await expect(muted).to_contain_text("@bob")
        await muted.get_by_role("button", name="Unmute").click()
        await expect(page.get_by_text("You have muted nobody.")).to_be_visible()
        await page.get_by_role("link", name="Home").click()
        await expect(post(page, FIRST)).to_be_visible()


async def test_the_menu_of_a_post_mutes_its_author(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        menu = await open_menu(post(page, FIRST))
        await menu.get_by_role("button", name="Mute @bob").click()
        await expect(post(page, FIRST)).to_have_count(0)
        await page.goto(f"http://{live.address}/users/bob")
        await expect(switch(page, "mute")).to_have_attribute("aria-pressed", "true")


async def test_a_report_reaches_the_moderation_queue(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        menu = await open_report(post(page, FIRST))
        await menu.get_by_role("button", name="Spam").click()
        await expect(toast(page, "moderator")).to_be_visible()
    await live.drain()
    (case,) = [edge["case"] for edge in await queue(live.person("mia", "moderate"))]
    assert case["reportReasons"] == [{"reason": "SPAM", "count": 1}]
    assert [report["reporter"]["handle"] for report in case["newestReports"]] == ["alice"]


async def test_the_number_of_unread_notifications_moves_and_all_are_marked_as_read(
    live: Live, browser: Browser
) -> None:
    alice, bob = live.person("alice"), live.person("bob")
    posts = await published(alice, "First of alice", "Second of alice", "Third of alice")
    await live.drain()
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/square")
        await expect(post(page, "First of alice")).to_be_visible()
        bell = page.get_by_role("navigation").get_by_role("link", name="Notifications")
        await expect(bell).to_have_text(NOTHING_UNREAD)
        for number, one in enumerate(posts[:2], start=1):
            await bob.like(one)
            await live.drain()
            await expect(bell).to_contain_text(str(number))

        await bell.click()
        items = page.get_by_role("region", name="Notifications").get_by_role("article")
        await expect(items).to_have_count(2)
        await bob.like(posts[2])  # arrives while the page is open
        await live.drain()
        await expect(items).to_have_count(3)
        await expect(bell).to_contain_text("3")

        await page.get_by_role("button", name="Mark all as read").click()
        await expect(bell).to_have_text(NOTHING_UNREAD)
        await expect(items.and_(page.locator(".unread"))).to_have_count(0)
        await expect(items).to_have_count(3)
        await live.drain()
        await page.reload()
        await expect(items).to_have_count(3)
        await expect(items.and_(page.locator(".unread"))).to_have_count(0)
        await expect(bell).to_have_text(NOTHING_UNREAD)
        await items.first.get_by_role("link").last.click()  # the first links lead to users
        await expect(post(page, "Third of alice")).to_be_visible()
    assert await unread(alice) == 0
