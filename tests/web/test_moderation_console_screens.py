"""Every page of the moderation console with a lively queue: what axe finds, and screenshots for the docs."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import product
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from runner.ports import free_port
from settings import Settings
from tests.support.appeals import appeal
from tests.support.browser import LAPTOP, launched, looks, needs_chromium, page_on
from tests.support.comments import MODERATE, added
from tests.support.console import case, moderator_token, signed_in
from tests.support.deployment import ROOT
from tests.support.posts import decide, published
from tests.support.reports import reported
from tests.support.screens import faults_of
from tests.support.subscriptions import Live, serving
from tests.support.suspensions import suspend
from tests.support.system import LENIENT, LIMITLESS, Person

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(900),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

TABLET: dict[str, Any] = {"viewport": {"width": 820, "height": 1180}, "has_touch": True}
DEVICES = looks(laptop=LAPTOP, tablet=TABLET)
IMAGES = "{ square(first: 50) { nodes { id images { url } } } }"


async def test_no_page_has_a_serious_fault(make_settings: Callable[..., Settings]) -> None:
    found: dict[str, list[str]] = {}
    chosen: dict[str, Any] = {"businesses_file": ROOT / "businesses.toml", "moderation": LENIENT}
    # The test opens pages faster than people do.
    settings = make_settings(port=free_port(), moderation_console=True, limits=LIMITLESS, **chosen)
    async with serving(settings) as live, launched() as browser:
        await live.seed()
        await live.drain()
        await community(live)
        for (device, options), pages in product(DEVICES.items(), (case_pages, other_pages)):
            async for name, page in pages(live, browser, options):
                await page.wait_for_load_state("networkidle")
                found[f"{name} on {device}"] = await faults_of(page, f"moderation-{name}-{device}")
    assert {screen: faults for screen, faults in found.items() if faults} == {}


async def community(live: Live) -> None:
    """Gives moderators of a seeded community something to do, and something to look back at."""
    alice, bob, carol, noah = (live.person(handle) for handle in ("alice", "bob", "carol", "noah"))
    noor = Person(
        live.http, "noor", {"authorization": f"Bearer {moderator_token(live.settings, 'noor', 'Noor Nasser')}"}
    )
    post, later = await published(alice, "Which tea do you drink in the morning? I cannot decide.", "Buy at my shop!")
    (judged,) = await published(noah, "My uncle sells tea. Ask me for a discount.")
    rude, fine = await published(bob, "People who drink tea are fools, and you are the worst.", "I drink coffee.")
    await live.drain()
    root = await added(noah, post, "Green tea, at 70 °C.")
    await live.drain()
    answer = await added(carol, post, "@noah 80 °C is better for sencha.", root)
    await live.drain()
    insult = await added(bob, post, "Nobody asked either of you.", answer)
    await live.drain()
    await noor.ask(MODERATE, id=insult, decision="REJECT", reason="Harassment or insults")
    await decide(noor, later, "REJECT", "Spam or advertising")
    await reported(alice, judged, "SPAM", "He only wants to sell")
    await live.drain()
    await decide(noor, judged, "APPROVE", "A single offer to friends is allowed")
    await live.drain()
    await appeal(bob, insult, "That was friendly banter. We know each other.")
    await reported(carol, rude, "HARASSMENT", "He means me. This is the third time this week.")
    await reported(alice, rude, "HATE")
    await reported(noah, fine, "OTHER", "I do not like coffee")
    await reported(alice, await bob.id(), "IMPERSONATION", "His picture is that of another person")
    with_images = [one["id"] for one in (await alice.ask(IMAGES))["square"]["nodes"] if one["images"]]
    await reported(carol, with_images[0], "INTELLECTUAL_PROPERTY", "This is my photo")
    await suspend(noor, await bob.id(), "READ_ONLY", until="2098-01-01T00:00:00Z", reason="Insults after a warning")
    await live.drain()


Pages = AsyncIterator[tuple[str, Page]]


async def case_pages(live: Live, browser: Browser, options: dict[str, Any]) -> Pages:
    """Opens the queue with one case after the other, and yields each page with its name."""
    async with console(live, browser, options, "/moderation?source=REPORTS&sort=MOST_REPORTED") as page:
        await expect(case(page)).to_contain_text("Tea at half price")
        yield "queue", page
        await page.keyboard.press("1")
        await page.keyboard.press("s")
        yield "suspend", page
        await page.get_by_role("heading", name="Queue").click()
        await page.keyboard.press("d")
        await expect(page.get_by_role("button", name="Undo (U)")).to_be_visible()
        yield "undo", page
        await page.keyboard.press("u")
        await page.keyboard.press("?")
        yield "keys", page
    async with console(live, browser, options, "/moderation?source=REPORTS&sort=NEWEST") as page:
        await expect(case(page)).to_contain_text("This is my photo")
        await expect(case(page).locator(".images img").first).to_have_js_property("complete", value=True)
        assert await case(page).locator(".images img").first.evaluate("image => image.naturalWidth") > 0
        yield "images", page
    async with console(live, browser, options, "/moderation?source=APPEALS") as page:
        await expect(case(page)).to_contain_text("friendly banter")
        yield "appeal", page
    async with console(live, browser, options, "/moderation?kind=USER&sort=NEWEST") as page:
        await expect(case(page)).to_contain_text("that of another person")
        yield "profile", page
    async with console(live, browser, options, "/moderation?status=RESOLVED") as page:
        await expect(case(page)).to_contain_text("Look at it again")
        yield "resolved", page


async def other_pages(live: Live, browser: Browser, options: dict[str, Any]) -> Pages:
    """Opens the other pages of the console one after the other, and yields each with its name."""
    bob = await live.person("bob").id()
    for name, path in (("log", "/moderation/log"), ("user", f"/moderation/users/{bob}")):
        async with console(live, browser, options, path) as page:
            await expect(page.get_by_role("article").first).to_be_visible()
            yield name, page
    async with page_on(browser, options, expected="Failed to load resource") as page:  # the API refuses the token
        await signed_in(page, f"http://{live.address}", moderator_token(live.settings, life=3))
        await expect(page.get_by_role("dialog", name="Your sign-in has ended")).to_be_visible(timeout=60_000)
        yield "renewal", page
    async with page_on(browser, options) as page:
        await page.goto(f"http://{live.address}/moderation")
        await expect(page.get_by_label("Paste a token")).to_be_visible()
        yield "sign-in", page


@asynccontextmanager
async def console(live: Live, browser: Browser, options: dict[str, Any], path: str) -> AsyncIterator[Page]:
    """Opens a page of the console as a moderator."""
    async with page_on(browser, options) as page:
        await signed_in(page, f"http://{live.address}", moderator_token(live.settings), path)
        yield page
