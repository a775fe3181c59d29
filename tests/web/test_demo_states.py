"""The demo app when something is missing: failed, degraded, empty and blocked screens, and screenshots for the docs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, Page, expect

from runner.valkey import Valkey
from tests.support.browser import needs_chromium, page_on
from tests.support.demo import opened
from tests.support.outages import stopped
from tests.support.reconciliation import execute
from tests.support.screens import DEVICES, faults_of
from tests.support.subscriptions import Live
from tests.support.wire import GRAPHQL

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(300),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
    pytest.mark.parametrize("device", ["laptop-light", "phone-dark"]),
]

UNAVAILABLE = "temporarily unavailable"
FAILED = "could not be loaded"
WORKER = "INSERT INTO workers (worker, seen_until) VALUES ('busy', now() + interval '5 minutes')"
"""Registers a worker that never looks at Redis."""
EMPTY = {
    "/": "Follow somebody to see posts here.",
    "/notifications": "Nothing has happened yet.",
    "/favourites": "You have saved nothing yet.",
    "/topics/nothing": "Nobody has posted about this yet.",
    "/users/carol": "No posts yet.",
}


def name_of(path: str) -> str:
    return path.strip("/").replace("/", "-").replace(":", "-") or "home"


async def test_empty_screens_say_so(live: Live, browser: Browser, device: str) -> None:
    await live.person("carol").ask("{ viewer { id } }")
    found = {}
    async with page_on(browser, DEVICES[device]) as page:
        for path, text in EMPTY.items():
            await opened(live, page, path, "carol")
            await expect(page.get_by_text(text)).to_be_visible()
            found[path] = await faults_of(page, f"empty-{name_of(path)}-{device}")
    assert {path: faults for path, faults in found.items() if faults} == {}


async def test_both_sides_of_a_block(seeded: Live, browser: Browser, device: str) -> None:
    async with page_on(browser, DEVICES[device]) as page:
        await opened(seeded, page, "/users/bob")
        await page.get_by_role("button", name="Block", exact=True).click()
        await expect(page.get_by_text("You have blocked @bob.")).to_be_visible()
        blocker = await faults_of(page, f"blocked-{device}")
    async with page_on(browser, DEVICES[device]) as page:
        await opened(seeded, page, "/users/alice", "bob")
        await expect(page.get_by_text("This user does not exist, or you may not see them.")).to_be_visible()
        blocked = await faults_of(page, f"blocks-me-{device}")
    assert (blocker, blocked) == ([], [])


async def test_without_a_connection_screens_say_so_and_come_back(seeded: Live, browser: Browser, device: str) -> None:
    async with page_on(browser, DEVICES[device], expected="ERR_CONNECTION_REFUSED") as page:
        await page.route(GRAPHQL, lambda route: route.abort("connectionrefused"))
        await opened(seeded, page, "/square")
        await expect(page.get_by_text(FAILED)).to_be_visible()
        faults = await faults_of(page, f"failed-{device}")
        await page.unroute_all()
        await expect(page.get_by_role("article").first).to_be_visible()
        await expect(page.get_by_text(FAILED)).to_have_count(0)
    assert faults == []


async def test_what_is_known_stays_while_redis_is_down(
    valkey: Valkey, seeded: Live, browser: Browser, device: str
) -> None:
    async with page_on(browser, DEVICES[device], expected="Failed to load resource") as page:
        await opened(seeded, page, "/users/bob")
        await expect(page.get_by_role("article").first).to_be_visible()
        counts = await page.get_by_text("followers").inner_text()
        await page.get_by_role("link", name="Square").click()
        await expect(page.get_by_role("heading", name="Square")).to_be_visible()  # until then the profile has articles
        await expect(page.get_by_role("article").first).to_be_visible()
        async with outage(valkey, seeded):
            await page.get_by_role("button", name="Hot").click()
            await expect(page.get_by_role("main").get_by_role("status")).to_be_visible()
            await page.get_by_role("button", name="Newest").click()
            await expect(page.get_by_text(f"The newest state {FAILED}")).to_be_visible()
            await expect(page.get_by_role("article").first).to_be_visible()
            faults = await faults_of(page, f"stale-{device}")
            await page.go_back()
            await expect(page.get_by_text("followers")).to_have_text(counts)
            await page.reload()
            await expect(page.get_by_text("followers")).to_contain_text("\u2013 followers")
            await expect(page.get_by_role("main").get_by_text(UNAVAILABLE)).to_be_visible()
            faults += await faults_of(page, f"degraded-{device}")
        await expect(page.get_by_text("followers")).to_have_text(counts)
    assert faults == []


async def test_every_screen_survives_the_loss_of_redis(
    valkey: Valkey, live: Live, browser: Browser, device: str
) -> None:
    """Each screen is loaded while Redis is down, and shows everything when Redis is back, without a reload."""
    ((newest,),) = await live.rows("SELECT max(post_id) FROM posts")
    screens = {
        "/": (UNAVAILABLE, "Tea number 24"),
        "/square": (FAILED, "Tea number 24"),
        "/topics/tea": (FAILED, "25 posts"),
        "/users/bob": ("\u2013 followers", "1 follower"),
        "/notifications": (UNAVAILABLE, "Nothing has happened yet."),
        "/favourites": (UNAVAILABLE, "You have saved nothing yet."),
        f"/posts/Post:{newest}": (FAILED, "Nobody has commented yet."),
    }
    faults = []
    async with page_on(browser, DEVICES[device], expected="Failed to load resource") as first:
        pages = {path: await first.context.new_page() for path in screens}
        async with outage(valkey, live):
            for path, page in pages.items():
                await opened(live, page, path)
            for path, page in pages.items():
                await shows(page, screens[path][0])
                faults += await faults_of(page, f"degraded-{name_of(path)}-{device}")
        for path, page in pages.items():
            await shows(page, screens[path][1])
            await expect(page.get_by_role("main").get_by_role("status").filter(has_text=UNAVAILABLE)).to_have_count(0)
    assert faults == []


@asynccontextmanager
async def outage(valkey: Valkey, live: Live) -> AsyncIterator[None]:
    """Stops Redis while the block runs. Meanwhile the API does not begin direct writes, because a worker could."""
    await execute(live, WORKER)
    async with stopped(valkey, live.state.redis):
        yield
        await execute(live, "DELETE FROM workers")


async def shows(page: Page, text: str) -> None:
    await expect(page.get_by_role("main")).to_contain_text(text, timeout=60_000)
