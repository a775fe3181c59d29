"""Checks in a real Chromium what users of the demo app do not want to see, and what they learn about decisions."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from settings import Settings
from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.console import moderator_token
from tests.support.demo import community, open_menu, opened, post
from tests.support.labels import with_labels
from tests.support.posts import publish
from tests.support.subscriptions import Live
from tests.support.suspensions import suspend
from tests.support.system import Person

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(300),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]


async def test_a_labelled_post_is_behind_its_warning_until_the_reader_uncovers_it(
    make_settings: Callable[..., Settings], browser: Browser, tmp_path: Path
) -> None:
    async with community(make_settings, businesses_file=with_labels(tmp_path)) as live:
        async with page_on(browser, LAPTOP) as page:
            await opened(live, page, user="bob")
            form = page.get_by_role("form", name="New post")
            await form.get_by_role("textbox", name="Text of the post").fill("The butler did it.")
            await form.get_by_text("Warnings").click()
            await form.get_by_label("Spoilers").check()
            await form.get_by_label("What you warn of").fill("The end of the book")
            await form.get_by_role("button", name="Publish").click()
            await expect(form.get_by_role("status")).to_have_text("Published.")
        await live.drain()
        async with page_on(browser, LAPTOP) as page:
            await opened(live, page)
            card = post(page, "The end of the book")
            await expect(card).to_contain_text("Spoilers")
            await expect(page.get_by_text("The butler did it.")).to_have_count(0)
            await card.get_by_role("button", name="Show it").click()
            await expect(card).to_contain_text("The butler did it.")

            await page.goto(f"http://{live.address}/filters")
            await page.get_by_label("Spoilers").select_option("Hide")
            await expect(page.get_by_label("Violence")).to_be_disabled()
            await page.reload()
            await expect(page.get_by_label("Spoilers")).to_have_value("HIDE")
            await page.goto(f"http://{live.address}/square")
            await expect(post(page, "Tea number 24")).to_be_visible()
            await expect(post(page, "The end of the book")).to_have_count(0)

        ((post_id,),) = await live.rows("SELECT post_id FROM posts WHERE text = 'The butler did it.'")
        await publish(live.person("bob"), "Read this", quoteOf=f"Post:{post_id}")
        await live.drain()
        async with page_on(browser, LAPTOP) as page:
            await opened(live, page, "/square", user="carol")
            card = post(page, "Read this")
            await expect(card.get_by_role("blockquote")).to_contain_text("The end of the book")
            await expect(page.get_by_text("The butler did it.")).to_have_count(0)
            await card.get_by_role("button", name="Show it").click()
            await expect(card).to_contain_text("The butler did it.")


async def test_a_user_mutes_a_word_and_hides_a_post(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/filters")
        await page.get_by_role("textbox", name="Word").fill("24")
        await page.get_by_label("How long").select_option("For 7 days")
        await page.get_by_role("button", name="Mute", exact=True).click()
        await expect(page.get_by_role("button", name="Unmute 24")).to_be_visible()
        await expect(page.get_by_text("Until ")).to_be_visible()

        await page.goto(f"http://{live.address}/square")
        menu = await open_menu(post(page, "Tea number 23"))
        await expect(post(page, "Tea number 24")).to_have_count(0)
        await menu.get_by_role("button", name="Hide this post").click()
        await expect(page.get_by_text("You have hidden this post of")).to_be_visible()

        await page.goto(f"http://{live.address}/filters")
        await page.get_by_role("button", name="Unmute 24").click()
        await expect(page.get_by_text("You have muted no words.")).to_be_visible()
        await page.get_by_role("button", name="Show it again").click()
        await page.goto(f"http://{live.address}/square")
        for number in (23, 24):
            await expect(post(page, f"Tea number {number}")).to_be_visible()


async def test_a_suspended_user_reads_why_and_appeals(live: Live, browser: Browser) -> None:
    mia = Person(live.http, "mia", {"authorization": f"Bearer {moderator_token(live.settings)}"})
    await suspend(mia, await live.person("bob").id(), "READ_ONLY", reason="Insults after a warning")
    await live.drain()
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/account", "bob")
        decision = page.get_by_role("article").filter(has_text="Your account is suspended")
        await expect(decision).to_contain_text("Insults after a warning")
        await decision.get_by_role("textbox", name="Why the decision is wrong").fill("We are friends.")
        await decision.get_by_role("button", name="Appeal").click()
        await expect(decision).to_contain_text("You have appealed. A moderator decides: We are friends.")
        await expect(page.get_by_role("main").get_by_role("button", name="Download your data")).to_be_enabled()
        await expect(page.get_by_role("form", name="Delete the account")).to_be_visible()
