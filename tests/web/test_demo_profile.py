"""Profiles, settings and notifications of the demo app, in a real Chromium."""

import re

import pytest
from playwright.async_api import Browser, expect

from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.comments import added
from tests.support.demo import likes, opened, post, settings
from tests.support.subscriptions import Live

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

FIRST = "Tea number 24"
GAP = """(words, side) => {
    const line = words.closest('p').getBoundingClientRect();
    return Math.abs(words.getBoundingClientRect()[side] - line[side]);
}"""
"""Returns how far words are from a side of their line."""
OWN = "{ viewer { user { displayName bio isPrivate quotePolicy } notificationPreferences { kind enabled } } }"


async def test_the_tabs_of_a_profile(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await likes(post(page, FIRST)).click()
        await live.drain()
        await page.get_by_role("link", name="Profile").click()
        await expect(page.get_by_role("tab", name="Posts")).to_have_attribute("aria-selected", "true")
        await page.get_by_role("tab", name="Posts").press("ArrowRight")
        await expect(page.get_by_role("tab", name="Likes")).to_be_focused()
        await expect(page).to_have_url(re.compile(r"/users/alice\?tab=likes$"))
        await expect(page.get_by_role("tabpanel", name="Likes").get_by_role("article")).to_contain_text(FIRST)
        await page.get_by_role("tab", name="Collections").click()
        await expect(page.get_by_text("There are no public collections.")).to_be_visible()
        await page.get_by_role("link", name="1 following").click()
        following = page.get_by_role("tabpanel", name="Following")
        await expect(following.get_by_role("link", name="bob")).to_be_visible()
        await following.get_by_role("link", name="bob").click()
        await expect(page.get_by_role("heading", name="bob", level=1)).to_be_focused()
        await page.get_by_role("link", name="1 follower").click()
        await expect(page.get_by_role("tabpanel", name="Followers").get_by_role("link", name="alice")).to_be_visible()


async def test_a_user_edits_the_profile(live: Live, browser: Browser) -> None:
    alice = live.person("alice")
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/users/alice")
        await page.get_by_role("button", name="Edit profile").click()
        form = page.get_by_role("dialog", name="Edit profile")
        await form.get_by_role("textbox", name="Name").fill("moderator")  # a reserved name
        await form.get_by_role("button", name="Save").click()
        await expect(form.get_by_role("alert")).to_be_visible()
        await form.get_by_role("textbox", name="Name").fill("Alice of the teas")
        await form.get_by_role("textbox", name="About you").fill("Green, black, white")
        await form.get_by_role("checkbox", name="Private account").check()
        await form.get_by_role("button", name="Save").click()
        await expect(form).to_have_count(0)

        await expect(page.get_by_role("heading", name="Alice of the teas")).to_be_visible()
        await expect(page.get_by_role("main")).to_contain_text("Green, black, white")
        await expect(page.get_by_role("main")).to_contain_text("Private")
        user = (await alice.ask(OWN))["viewer"]["user"]
        assert (user["displayName"], user["bio"]) == ("Alice of the teas", "Green, black, white")
        assert user["isPrivate"]


async def test_from_right_to_left_the_lines_of_a_profile_begin_at_the_right(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/users/bob")
        main = page.get_by_role("main")
        lines = main.locator("p").get_by_text("@bob", exact=True).first, main.get_by_text("Joined")
        for direction, side in (("ltr", "left"), ("rtl", "right")):
            await page.evaluate("direction => { document.documentElement.dir = direction; }", direction)
            for line in lines:
                await expect(line).to_be_visible()
                assert await line.evaluate(GAP, side) < 1, (direction, await line.inner_text())


async def test_settings_are_stored(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/users/alice")
        await settings(page)
        await page.get_by_role("combobox", name="Who may quote your posts").select_option("Nobody")
        await page.get_by_role("checkbox", name="Reposts").click()
        await expect(page.get_by_role("checkbox", name="Reposts")).not_to_be_checked()

        await page.wait_for_load_state("networkidle")
        viewer = (await live.person("alice").ask(OWN))["viewer"]
        assert viewer["user"]["quotePolicy"] == "NOBODY"
        kinds = {one["kind"]: one["enabled"] for one in viewer["notificationPreferences"]}
        assert [kind for kind, enabled in kinds.items() if not enabled] == ["REPOST"]
        await page.reload()
        await expect(page.get_by_role("combobox", name="Who may quote your posts")).to_have_value("NOBODY")
        await expect(page.get_by_role("checkbox", name="Reposts")).not_to_be_checked()
        await expect(page.get_by_role("checkbox", name="Mentions")).to_be_checked()


async def test_a_notification_shows_what_it_is_about_and_is_read_when_it_is_opened(
    live: Live, browser: Browser
) -> None:
    ((newest,),) = await live.rows("SELECT max(post_id) FROM posts")
    await added(live.person("alice"), f"Post:{newest}", "A comment with leaves")
    await live.drain()
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/notifications", "bob")
        told = page.get_by_role("article").filter(has_text="A comment with leaves")
        await expect(told).to_contain_text("Not read")
        await expect(told.get_by_role("link", name="alice", exact=True)).to_be_visible()
        await told.get_by_role("link", name=re.compile("commented")).click()
        await expect(page.get_by_role("heading", name="Post of bob")).to_be_visible()
        await page.go_back()
        await expect(told).to_be_visible()
        await expect(told).not_to_contain_text("Not read")
