"""A day of a moderator in the console, and a day of a suspended person in the demo app, in a real Chromium."""

import csv
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from models.moderation_log import ModerationAction
from runner.ports import free_port
from seed.pictures import photo
from settings import Settings
from tests.support import demo
from tests.support.appeals import appeal
from tests.support.browser import LAPTOP, launched, needs_chromium, page_on
from tests.support.console import case, has_sent, moderator_token, signed_in
from tests.support.deletions import deletion
from tests.support.external_reviewer import json_response, listening, review_all, with_reviewer
from tests.support.labels import LABELS, with_labels
from tests.support.posts import edit, publish, published
from tests.support.reports import reported
from tests.support.screens import faults_of
from tests.support.statements import statements
from tests.support.subscriptions import Live, serving
from tests.support.suspensions import suspend, suspension
from web.demo import MANIFEST

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(300),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

GROUNDS = """
[[ground]]
name = "spam"
title = "Rule 1: no advertising"
reasons = ["Advertising is not allowed here", "This link leads to a fraud"]
deceptive = true

[[ground]]
name = "rules"
title = "Our rules"
default = true
"""
MATCH = {"decision": "match", "reason": "hash 12 of list 7"}
REFUSED = "status of 40"
"""A part of Chromium's messages for operations of a deleted account, which the API refuses."""


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings], tmp_path: Path) -> AsyncIterator[Live]:
    """Serves the console and the demo app, with labels, grounds with reasons, and an external reviewer that recognizes
    the post "Look at this".
    """
    file = with_labels(tmp_path, LABELS + GROUNDS)
    async with listening() as server:
        changes: dict[str, Any] = {"persisted_manifests": (MANIFEST,), "moderation_console": True}
        changes |= {"moderation": with_reviewer(server), "businesses_file": file, "local_cache_seconds": 0}
        changes |= {"database_timeout": 15.0}
        async with serving(make_settings(port=free_port(), **changes)) as live:
            server.answer = json_response(MATCH)
            url, alt, *_ = photo(Random(1))
            dora = live.person("dora")
            post = (await publish(dora, "Look at this", images=[{"url": url, "alt": alt}]))["post"]["id"]
            await review_all(live)
            await appeal(dora, post, "This is my own photo")
            server.answer = json_response({"decision": "approve"})
            yield live


async def opened(live: Live, page: Page, path: str = "/moderation") -> None:
    await signed_in(page, f"http://{live.address}", moderator_token(live.settings), path)


def listed(page: Page) -> Locator:
    """Returns the cases in the list."""
    return page.get_by_role("navigation", name="Cases").get_by_role("listitem")


async def test_a_day_of_a_moderator(live: Live, browser: Browser) -> None:
    alice, bob, carol = live.person("alice"), live.person("bob"), live.person("carol")
    adverts = await published(bob, "Watches at half price", "Bags at half price", "Shoes at half price")
    (film,) = await published(carol, "The murderer is the cook")
    await review_all(live)
    assert (await edit(carol, film, text="I liked the film"))["userErrors"] == []
    await review_all(live)
    noor, bob_id = live.person("noor", "moderate"), await bob.id()
    for target in (*adverts, film, bob_id):
        await reported(alice, target, "SPAM")
    await suspend(noor, bob_id, "READ_ONLY", reason="Spam again and again")
    await live.drain()
    await appeal(bob, (await statements(bob))[0]["id"], "I did not know the rule")
    await live.drain()

    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await filters_are_saved(page)
        await an_image_is_blurred(live, page)
        await adverts_are_rejected_together(live, page)
        await an_appeal_is_granted(live, page, bob_id)
        await a_label_is_set(live, page)
        await decisions_are_counted(page)
    async with page_on(browser, LAPTOP) as page:  # another machine
        await opened(live, page)
        await expect(page.get_by_role("link", name="Reported by users")).to_be_visible()


async def filters_are_saved(page: Page) -> None:
    """Saves filters, renames the queue, and opens it."""
    await page.get_by_label("Why").select_option("REPORTS")
    await page.get_by_text("Save these filters").click()
    await page.get_by_label("Name of the queue").fill("Reports")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_role("link", name="Reports", exact=True)).to_be_visible()
    await page.get_by_label("Name of the queue").fill("Reported by users")
    await page.get_by_role("button", name="Rename").click()
    await expect(page.get_by_role("link", name="Reported by users")).to_have_attribute("aria-current", "page")
    await page.get_by_role("link", name="Queue").click()
    await expect(page.get_by_label("Why")).to_have_value("")


async def an_image_is_blurred(live: Live, page: Page) -> None:
    """Opens known illegal content, and its case. Shows the image with the keyboard."""
    ((post_id,),) = await live.rows("SELECT post_id FROM posts WHERE text = 'Look at this'")
    await page.goto(f"http://{live.address}/moderation/content/Post:{post_id}")
    await expect(page.get_by_role("article").filter(has_text="the external reviewer")).to_be_visible()
    await expect(page.locator(".blurred[inert] img")).to_have_count(1)
    await page.get_by_role("link", name="Queue").click()
    await listed(page).filter(has_text="Look at this").get_by_role("button").click()
    await expect(case(page).locator(".blurred[inert] img")).to_have_count(1)
    assert await faults_of(page, "moderation-blurred") == []
    show = case(page).get_by_role("button", name="Show this image. It is known to be illegal.")
    await show.focus()
    await page.keyboard.press("Enter")
    await expect(case(page).locator(".blurred")).to_have_count(0)
    await expect(case(page).get_by_role("img")).to_be_visible()
    await page.get_by_label("Blur all images").check()
    await page.reload()
    await expect(page.get_by_label("Blur all images")).to_be_checked()


async def adverts_are_rejected_together(live: Live, page: Page) -> None:
    """Chooses three posts with Shift, and a user. Rejects them with a ground and its reason, which does not fit the
    user. The first attempt is undone.
    """
    await page.get_by_role("link", name="Reported by users").click()
    await expect(listed(page)).to_have_count(5)
    await expect(page.get_by_text("Case 1 of 5")).to_be_visible()
    await chosen(page)
    bulk = page.get_by_role("region", name="Decision about the chosen cases")
    await expect(bulk).to_contain_text("4 cases are chosen.")
    assert await faults_of(page, "moderation-bulk") == []
    await bulk.get_by_label("Ground").select_option(label="Rule 1: no advertising")
    await bulk.get_by_role("button", name="Advertising is not allowed here").click()
    await bulk.get_by_role("button", name="Reject all").click()
    await expect(listed(page)).to_have_count(1)
    await page.keyboard.press("u")
    await expect(listed(page)).to_have_count(5)
    await chosen(page)
    await bulk.get_by_role("button", name="Advertising is not allowed here").click()
    await bulk.get_by_role("button", name="Reject all").click()
    summary = page.get_by_role("alert").filter(has_text="Done: 3. Not done: 1.")
    await expect(summary).to_contain_text(
        re.compile("bob @bob.*This decision does not fit this kind of case"), timeout=60_000
    )
    await expect(listed(page)).to_have_count(2)
    await live.drain()
    told = "SELECT text FROM posts WHERE status = 2 AND text LIKE '%half price' ORDER BY text"
    assert [text for (text,) in await live.rows(told)] == [
        "Bags at half price",
        "Shoes at half price",
        "Watches at half price",
    ]
    reasons = {(one["ground"]["name"], one["facts"]) for one in await statements(live.person("bob"))}
    assert ("spam", "Advertising is not allowed here") in reasons


async def chosen(page: Page) -> None:
    """Chooses the three posts of bob, and bob."""
    await page.get_by_label("Choose “Watches at half price”").check()
    await page.get_by_label("Choose “Shoes at half price”").click(modifiers=["Shift"])
    await page.get_by_label("Choose “bob @bob”").check()


async def an_appeal_is_granted(live: Live, page: Page, user_id: str) -> None:
    """Grants the appeal against a suspension. The queue and the case show its deadline."""
    await page.goto(f"http://{live.address}/moderation?source=APPEALS&kind=USER")
    await expect(listed(page).first).to_contain_text(re.compile("Due in [0-9]+ days"))
    shown = case(page).get_by_role("article", name=re.compile("Suspension"))
    await expect(shown).to_contain_text("Spam again and again")
    await expect(shown).to_contain_text("I did not know the rule")
    assert await faults_of(page, "moderation-statement") == []
    await shown.get_by_label("Reason for the decision").fill("The rule was new")
    await shown.get_by_role("button", name="Grant the appeal").click()
    await has_sent(page)
    await live.drain()
    assert await suspension(live.person("mia", "moderate"), user_id) is None


async def a_label_is_set(live: Live, page: Page) -> None:
    """Reads the earlier version of a post, and sets a label."""
    await page.goto(f"http://{live.address}/moderation?source=REPORTS")
    await listed(page).filter(has_text="I liked the film").get_by_role("button").click()
    await case(page).get_by_text("Earlier versions").click()
    await expect(case(page)).to_contain_text("The murderer is the cook")
    await case(page).get_by_text("Labels", exact=True).click()
    await case(page).get_by_role("checkbox", name="Spoilers").check()
    await case(page).get_by_label("Reason for the labels").fill("The comments tell the end")
    assert await faults_of(page, "moderation-labels") == []
    await case(page).get_by_role("button", name="Set labels").click()
    await expect(case(page)).to_contain_text("The labels are set.")
    await live.drain()
    assert await live.rows("SELECT action FROM moderation_log WHERE reason = 'The comments tell the end'") == [
        (ModerationAction.LABELED,)
    ]


async def decisions_are_counted(page: Page) -> None:
    """Counts the decisions of this year, and downloads the counts."""
    await page.get_by_role("link", name="Transparency").click()
    year = await page.evaluate("new Date().getUTCFullYear()")
    await page.get_by_label("From").fill(f"{year}-01-01")
    await page.get_by_label("Until, without this day").fill(f"{year + 1}-01-01")
    await page.get_by_role("button", name="Count").click()
    table = page.get_by_role("table", name="statements of reasons")
    await expect(table.get_by_role("row", name=re.compile("statements of reasons spam 3"))).to_be_visible()
    assert await faults_of(page, "moderation-transparency") == []
    async with page.expect_download() as starting:
        await page.get_by_role("button", name="Download CSV").click()
    rows = [*csv.reader(Path(await (await starting.value).path()).read_text().splitlines())]
    assert ["statements of reasons", "statements of reasons", "spam", "3", "number"] in rows


async def test_a_day_of_a_suspended_person(live: Live, browser: Browser) -> None:
    alice, bob, noor = live.person("alice"), live.person("bob"), live.person("noor", "moderate")
    await published(alice, "Tea in the morning")
    await review_all(live)
    bob_id = await bob.id()
    await suspend(noor, bob_id, "READ_ONLY", reason="Spam again and again", ground="spam")
    await live.drain()

    async with page_on(browser, LAPTOP, REFUSED) as page:
        await demo.opened(live, page, "/square", "bob")
        await expect(demo.post(page, "Tea in the morning")).to_be_visible()  # reads
        await page.get_by_role("link", name=re.compile("Notifications")).click()
        await expect(page.get_by_text("Spam again and again").first).to_be_visible()  # is told
        (statement,) = await statements(bob)
        assert (statement["ground"]["name"], statement["facts"]) == ("spam", "Spam again and again")
        assert (await appeal(bob, statement["id"], "I did not know the rule"))["userErrors"] == []
        await live.drain()

        await page.goto(f"http://{live.address}/users/bob")
        await demo.settings(page)
        await page.get_by_role("link", name="Account").click()
        await page.get_by_role("button", name="Download your data").click()
        async with page.expect_download() as starting:
            await page.get_by_role("link", name="account.jsonl").click()
        assert "I did not know the rule" in Path(await (await starting.value).path()).read_text()

        form = page.get_by_role("form", name="Delete the account")
        await form.get_by_role("radio", name="Remove them").check()
        await form.get_by_role("textbox", name="type your handle").fill("bob")
        await form.get_by_role("button", name="Delete the account").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^This account will be deleted on "))
        found = await deletion(bob)
        assert (found["state"], found["mode"]) == ("PENDING", "ERASE")


@pytest_asyncio.fixture(scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with launched() as browser:
        yield browser
