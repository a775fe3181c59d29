"""Moderators at work in the console, in a real Chromium: two at once, expired tokens, keys, what each page shows."""

import re
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, expect

from settings import DEMO_HOST, Settings
from tests.support import demo
from tests.support.appeals import appeal
from tests.support.browser import LAPTOP, launched, needs_chromium, page_on
from tests.support.comments import MODERATE, added
from tests.support.console import case, has_sent, moderator_token, signed_in
from tests.support.posts import decide, published
from tests.support.reports import reported
from tests.support.subscriptions import Live, serving
from tests.support.suspensions import suspend, suspension
from tests.support.system import LENIENT
from tests.support.tokens import bearing, token
from tests.support.wire import GRAPHQL, body_of
from web.demo import MANIFEST

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

REFUSED = "Failed to load resource"
"""Chromium reports answers with 401 and 403 as errors of the page."""


@pytest_asyncio.fixture(scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with launched() as browser:
        yield browser


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings]) -> AsyncIterator[Live]:
    """Serves the console. Alice has reported two posts of bob."""
    changes: dict[str, Any] = {"persisted_manifests": (MANIFEST,), "moderation_console": True}
    settings = make_settings(port=0, moderation=LENIENT, local_cache_seconds=0, **changes)
    async with serving(settings) as live:
        bob, alice = live.person("bob"), live.person("alice")
        posts = await published(bob, "The first post", "The second post")
        await live.drain()
        for post in posts:
            await reported(alice, post, "HARASSMENT", "This is about me")
        await live.drain()
        yield live


async def opened(live: Live, page: Page, path: str = "/moderation", **token: Any) -> None:
    await signed_in(page, f"http://{live.address}", moderator_token(live.settings, **token), path)


async def test_one_moderator_sees_that_another_has_taken_and_decided_a_case(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as one, page_on(browser, LAPTOP) as other:
        await opened(live, one)
        await opened(live, other, handle="noor", name="Noor Nasser")
        for page in (one, other):
            await expect(case(page)).to_contain_text("The first post")
        await one.keyboard.press("t")
        await expect(case(one)).to_contain_text("Taken by you")
        await expect(case(other)).to_contain_text("Taken by Mia Moser")
        await other.keyboard.press("t")
        await expect(case(other).get_by_role("alert")).to_have_text("Another moderator works on this case.")

        await one.keyboard.press("r")
        await has_sent(one)
        await live.drain()
        await expect(case(other)).to_contain_text("Mia Moser @mia: Rejected (This breaks the guidelines)")
        await expect(case(other)).to_contain_text("This case is not in the queue any more.")
        await expect(case(other).get_by_role("button", name="Approve")).to_be_hidden()
        await other.keyboard.press("j")
        await expect(case(other)).to_contain_text("The second post")


async def test_a_decision_is_not_sent_if_another_moderator_was_faster(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await page.clock.install()
        await opened(live, page)
        await expect(case(page)).to_contain_text("The first post")
        ((post_id,),) = await live.rows("SELECT post_id FROM posts WHERE text = 'The first post'")
        await page.clock.pause_at(await page.evaluate("Date.now()") + 500)  # the decision waits meanwhile
        await page.keyboard.press("a")
        await decide(live.person("noor", "moderate"), f"Post:{post_id}", "REJECT", "Insults")
        await live.drain()
        await page.clock.resume()

        failed = page.get_by_role("alert").filter(has_text="Not done.")
        await expect(failed).to_contain_text("noor was faster: Rejected (Insults)")
        await live.drain()
        assert await live.rows("SELECT status FROM posts WHERE text = 'The first post'") == [(2,)]


async def test_a_decision_can_be_undone_for_some_seconds(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.post_data or ""))
        await opened(live, page)
        await expect(case(page)).to_contain_text("The first post")
        await page.keyboard.press("r")
        await expect(case(page)).to_contain_text("The second post")
        await page.keyboard.press("u")
        await has_sent(page)
        await expect(page.get_by_role("navigation", name="Cases").get_by_role("button")).to_have_count(2)
        await page.wait_for_timeout(7000)

    assert not [body for body in sent if '"decision"' in body]


async def test_a_token_that_expires_in_the_middle_of_work_is_renewed_without_a_loss(
    live: Live, browser: Browser
) -> None:
    async with page_on(browser, LAPTOP, expected=REFUSED) as page:
        await page.goto(f"http://{live.address}/moderation#token={moderator_token(live.settings, life=-3600)}")
        await expect(page.get_by_role("alert")).to_have_text("This token has expired. Sign in again for a new one.")

        await opened(live, page, life=6)  # the API accepts it for 5 more seconds
        dialog = page.get_by_role("dialog", name="Your sign-in has ended")
        await page.get_by_label("Reason, which the author").fill("Half a sentence")
        await expect(dialog).to_be_visible(timeout=40_000)
        await dialog.get_by_label("Paste a token").fill("nonsense")
        await dialog.get_by_role("button", name="Use this token").click()
        await expect(dialog.get_by_role("alert")).to_contain_text("The token is not valid")
        await dialog.get_by_label("Paste a token").fill(moderator_token(live.settings))
        await dialog.get_by_role("button", name="Use this token").click()
        await expect(dialog).to_be_hidden()
        await page.get_by_role("button", name="Reject (R)").click()
        await has_sent(page)
        await live.drain()
        assert await live.rows("SELECT reason FROM moderation_log WHERE reason = 'Half a sentence' AND action = 3")


async def test_another_moderators_token_loads_the_page_anew(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP, expected=REFUSED) as page:
        await opened(live, page, life=6)
        dialog = page.get_by_role("dialog", name="Your sign-in has ended")
        await expect(dialog).to_be_visible(timeout=40_000)
        await dialog.get_by_label("Paste a token").fill(moderator_token(live.settings, "noor", "Noor Nasser"))
        await dialog.get_by_role("button", name="Use this token").click()
        await expect(page.locator(".who")).to_contain_text("Noor Nasser")
        await expect(case(page)).to_contain_text("The first post")
        await page.get_by_role("button", name="Sign out").click()
        await expect(page.get_by_label("Paste a token")).to_be_visible()
        assert await page.evaluate("sessionStorage.length + localStorage.length") == 0


async def test_a_suspended_moderator_reads_and_cannot_decide(live: Live, browser: Browser) -> None:
    mia = live.person("mia", "moderate")
    await suspend(live.person("noor", "moderate"), await mia.id(), "READ_ONLY", reason="Under review")
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        banner = page.get_by_role("alert").filter(has_text="Your account is suspended without an end.")
        await expect(banner).to_contain_text("Under review")
        await expect(case(page)).to_contain_text("The first post")
        await page.keyboard.press("r")
        failed = page.get_by_role("alert").filter(has_text="Not done.")
        await expect(failed).to_contain_text("Your account is suspended.")
        await expect(page.get_by_role("navigation", name="Cases").get_by_role("button")).to_have_count(2)


async def test_a_moderator_suspends_and_reinstates_the_author(live: Live, browser: Browser) -> None:
    mia, bob = live.person("mia", "moderate"), await live.person("bob").id()
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await expect(case(page)).to_contain_text("The first post")
        await page.keyboard.press("s")
        await expect(page.get_by_label("Reason, which the user reads")).to_be_focused()
        await page.keyboard.type("Insults again and again")
        await page.get_by_label("A suspended user").select_option("HIDDEN")
        await page.get_by_role("button", name="Suspend", exact=True).click()
        await expect(page.get_by_text("The user is suspended.")).to_be_visible()
        await expect(case(page)).to_contain_text("cannot write, and is hidden from others")
        assert (await suspension(mia, bob))["mode"] == "HIDDEN"

        await page.get_by_role("link", name="History of @bob").click()
        await expect(page.get_by_role("article").filter(has_text="Suspended")).to_contain_text("Insults again")
        await page.get_by_role("button", name="Lift the suspension").click()
        await expect(page.get_by_text("The suspension is lifted.")).to_be_visible()
        await page.get_by_label("Reason, which the user reads").fill("Mind your words")
        await page.get_by_role("button", name="Warn").click()
        await expect(page.get_by_text("The user is warned.")).to_be_visible()
        await live.drain()
        assert await suspension(mia, bob) is None
        await page.reload()
        for action in ("Suspended", "Reinstated", "Warned"):
            await expect(page.get_by_role("article").filter(has_text=action)).to_be_visible()


async def test_the_log_is_filtered_and_a_decision_is_changed_there(live: Live, browser: Browser) -> None:
    (post,) = await published(live.person("bob"), "Judged by others")
    await live.drain()
    await decide(live.person("noor", "moderate"), post, "REJECT", "Too loud")
    await live.drain()
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/moderation/log")
        await page.get_by_label("By the moderator").fill("@noor")
        await page.get_by_role("button", name="Find").nth(2).click()
        await expect(page.get_by_role("article")).to_have_count(1)
        await page.get_by_label("About the user").fill("nobody_has_this_name")
        await page.get_by_role("button", name="Find").nth(1).click()
        await expect(page.get_by_text("There is no such user.")).to_be_visible()
        await page.get_by_role("link", name="Judged by others").click()
        await page.get_by_label("Reason, which the author").fill("It is loud, and allowed")
        await page.get_by_role("button", name="Approve (A)").click()
        await has_sent(page)
        await live.drain()
        await expect(page.get_by_role("article").filter(has_text="Approved")).to_contain_text("and allowed")


async def test_comments_show_their_thread_and_appeals_their_text(live: Live, browser: Browser) -> None:
    bob, alice, noor = live.person("bob"), live.person("alice"), live.person("noor", "moderate")
    (post,) = await published(alice, "A post about tea")
    await live.drain()
    root = await added(bob, post, "Green tea")
    await live.drain()
    answer = await added(alice, post, "Black tea", root)
    await live.drain()
    last = await added(bob, post, "You know nothing", answer)
    await live.drain()
    await noor.ask(MODERATE, id=last, decision="REJECT", reason="Insult")
    await live.drain()
    await appeal(bob, last, "It was a joke")
    await live.drain()
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/moderation?source=APPEALS")
        for text in ("A post about tea", "Green tea", "Black tea", "You know nothing", "It was a joke", "Insult"):
            await expect(case(page)).to_contain_text(text)
        await page.keyboard.press("a")
        await has_sent(page)
        await live.drain()
    assert await live.rows("SELECT status FROM comment_contents WHERE text = 'You know nothing'") == [(1,)]


async def test_a_token_for_posts_alone_decides_about_posts(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, businesses=("post",))
        await expect(case(page)).to_contain_text("The first post")
        await expect(case(page)).to_contain_text("Your decision may replace the decision of another moderator.")
        await page.keyboard.press("r")
        await has_sent(page)
        await expect(page.get_by_role("alert").filter(has_text="Not done.")).to_be_hidden()
        await page.get_by_role("link", name="Log").click()
        await expect(page.get_by_text("cannot read the log")).to_be_visible()
        await live.drain()
    assert await live.rows("SELECT status FROM posts WHERE text = 'The first post'") == [(2,)]


async def test_a_picture_that_cannot_be_loaded_is_a_link(live: Live, browser: Browser) -> None:
    claims = {"picture": f"https://{DEMO_HOST}/avatar/nobody.png"}
    eve = bearing(live, "Bearer " + token(sub="eve", preferred_username="eve", **claims))
    await reported(live.person("alice"), await eve.id(), "IMPERSONATION")
    await live.drain()
    async with page_on(browser, LAPTOP, expected="Failed to load resource") as page:
        await opened(live, page, "/moderation?kind=USER")
        link = page.get_by_role("link", name="Open the profile picture")
        await expect(link).to_have_attribute("href", re.compile("/demo/avatar/nobody.png"))
        await expect(link).to_have_attribute("rel", "noreferrer")


async def test_the_demo_app_hands_its_moderator_to_the_console(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await demo.opened(live, page, "/", "moderator")
        await page.get_by_role("link", name="Moderation").click()
        await expect(page.locator(".who")).to_contain_text("Sign out")
        await expect(case(page)).to_contain_text("The first post")
        assert page.url == f"http://{live.address}/moderation"


async def test_keys_can_be_switched_off_and_write_into_no_field(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await expect(case(page)).to_contain_text("The first post")
        await page.get_by_label("Reason, which the author").click()
        await page.keyboard.type("rare 1")
        await expect(page.get_by_label("Reason, which the author")).to_have_value("rare 1")
        await page.get_by_role("heading", name="Queue").click()
        await page.keyboard.press("?")
        await page.get_by_label("Use these keys").uncheck()
        await page.get_by_role("button", name="Close").click()
        await page.keyboard.press("r")
        await page.keyboard.press("j")
        await page.wait_for_timeout(500)
        await expect(page.get_by_text("Case 1 of 2")).to_be_visible()
        await expect(case(page)).to_contain_text("The first post")


async def test_counts_that_take_too_long_are_asked_for_once(live: Live, browser: Browser) -> None:
    asked = list[str]()
    error = {"message": "There is too much to count.", "path": ["transparency"], "extensions": {"code": "UNAVAILABLE"}}

    async def handle(route: Route) -> None:
        name = body_of(route.request).get("operationName")
        if name != "Transparency":
            await route.continue_()
            return
        asked.append(name)
        await route.fulfill(json={"data": {"transparency": None}, "errors": [error]})

    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await page.route(GRAPHQL, handle)
        await page.get_by_role("link", name="Transparency").click()
        await page.get_by_role("button", name="Count").click()
        await expect(page.get_by_text("There is too much to count.")).to_be_visible()
    assert asked == ["Transparency"]
