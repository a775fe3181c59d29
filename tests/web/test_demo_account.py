"""Checks in a real Chromium how users of the demo app download, delete and restore their accounts."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.support.browser import LAPTOP, PHONE, needs_chromium, page_on
from tests.support.deletions import delete, deletion, finish
from tests.support.demo import opened, post, settings
from tests.support.reconciliation import execute
from tests.support.subscriptions import Live

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

REFUSED = "status of 403"
"""Chromium's message for an operation of a deleted account."""
REFUSED_OR_SIGNED_OUT = "status of 40"
"""A part of Chromium's messages for operations of a deleted account, and for the first one after the deletion has
ended, which may fail with UNAUTHENTICATED.
"""
WILL_BE_DELETED = re.compile("^This account will be deleted on ")
UNKNOWN = "This user does not exist, or you may not see them."


def heading(page: Page) -> Locator:
    return page.get_by_role("heading", level=1)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("main").get_by_role("button", name=name)


async def downloaded(page: Page) -> list[dict[str, Any]]:
    """Returns the records of the file that the page links to."""
    async with page.expect_download() as starting:
        await page.get_by_role("link", name="account.jsonl").click()
    download = await starting.value
    assert download.suggested_filename == "account.jsonl"
    return [json.loads(line) for line in Path(await download.path()).read_text().splitlines()]


async def delete_here(page: Page, mode: str, handle: str) -> None:
    """Fills in the form that deletes the account, and sends it. It can be sent only when it is complete."""
    form = page.get_by_role("form", name="Delete the account")
    send = form.get_by_role("button", name="Delete the account")
    await form.get_by_role("textbox", name="type your handle").fill(handle)
    await expect(send).to_be_disabled()
    await form.get_by_role("radio", name=mode).check()
    await form.get_by_role("textbox", name="type your handle").fill("someone")
    await expect(send).to_be_disabled()
    await form.get_by_role("textbox", name="type your handle").fill(handle)
    await send.click()


async def test_a_user_downloads_deletes_and_restores_the_account(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP, REFUSED) as page, page_on(browser, PHONE) as other:
        await opened(live, page, "/users/bob", "bob")
        await settings(page)
        await page.get_by_role("link", name="Account").click()
        await button(page, "Download your data").click()
        records = await downloaded(page)
        assert (records[0]["kind"], records[-1]["kind"]) == ("account", "end")
        assert sum(record["kind"] == "post" for record in records) == 25

        await opened(live, other, "/users/bob", "alice")
        await expect(post(other, "Tea number 24")).to_be_visible()
        await delete_here(page, "Remove them", "bob")
        await expect(heading(page)).to_have_text(WILL_BE_DELETED)
        await expect(heading(page)).to_be_focused()
        assert (await deletion(live.person("bob")))["mode"] == "ERASE"
        await other.reload()
        await expect(other.get_by_text(UNKNOWN)).to_be_visible()
        await expect(post(other, "Tea number 24")).to_have_count(0)

        await page.reload()
        await expect(heading(page)).to_have_text(WILL_BE_DELETED)
        await expect(page.get_by_text("Your posts and comments are removed, too.")).to_be_visible()
        await expect(page.get_by_role("navigation")).to_have_count(0)
        assert (await downloaded(page))[-1]["kind"] == "end"

        await button(page, "Restore the account").click()
        await expect(heading(page)).to_have_text("bob")
        await expect(heading(page)).to_be_focused()
        await expect(post(page, "Tea number 24")).to_be_visible()
        await page.get_by_role("link", name="Home").click()
        await expect(post(page, "Tea number 24")).to_be_visible()
        await other.reload()
        await expect(post(other, "Tea number 24")).to_be_visible()


async def test_an_account_that_was_deleted_elsewhere_is_restored_or_signed_out(live: Live, browser: Browser) -> None:
    alice = live.person("alice")
    ((newest,),) = await live.rows("SELECT 'Post:' || max(post_id) FROM posts")
    async with page_on(browser, LAPTOP, REFUSED_OR_SIGNED_OUT) as page:
        await opened(live, page, "/square")
        await expect(post(page, "Tea number 24")).to_be_visible()
        await delete(alice, "ANONYMIZE", days=3)
        await live.person("bob").like(newest)  # the page receives the new count, or learns that it may not
        await live.drain()
        await expect(heading(page)).to_have_text(WILL_BE_DELETED)
        await expect(page.get_by_text("stay without your name")).to_be_visible()
        await button(page, "Sign out").click()
        await expect(page.get_by_text("You are not signed in.")).to_be_visible()

        await page.get_by_role("combobox", name="Signed in as").select_option("alice")
        await expect(heading(page)).to_have_text(WILL_BE_DELETED)
        await delete(alice, days=0)
        await live.drain()
        await finish(live)
        await button(page, "Restore the account").click()
        await expect(heading(page)).to_have_text("This account was deleted")
        await expect(button(page, "Restore the account")).to_have_count(0)
        await button(page, "Sign out").click()
        await page.get_by_role("combobox", name="Signed in as").select_option("alice")  # with the same token
        await expect(heading(page)).to_have_text("This account was deleted")


async def test_a_second_download_in_a_week_is_refused_with_the_time(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/account")
        await button(page, "Download your data").click()
        await expect(page.get_by_role("link", name="account.jsonl")).to_be_visible()
        await execute(live, "UPDATE exports SET requested_ms = requested_ms - 86400000")  # the URL has expired
        await page.reload()
        await button(page, "Download your data").click()
        await expect(page.get_by_role("alert")).to_contain_text("again")
        await expect(page.get_by_role("link", name="account.jsonl")).to_have_count(0)
