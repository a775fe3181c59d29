"""The examples of clients/examples, built and in a real Chromium, against a server on a real port."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from runner.ports import HOST, free_port
from runner.process import Command, Process
from runner.valkey import Valkey
from runner.waiting import finished
from settings import Settings
from tests.support.browser import LAPTOP, launched, needs_chromium, page_on
from tests.support.demo import PUBLISH, community, lose_first_like, post
from tests.support.deployment import ROOT
from tests.support.nginx import listens
from tests.support.node import PATH, needs_node, run
from tests.support.outages import stopped
from tests.support.subscriptions import Live, eventually
from tests.support.wire import watched

EXAMPLES = ROOT / "clients" / "examples"
VITE = ROOT / "node_modules" / ".bin" / "vite"
PREVIEW = (str(VITE), "preview", str(EXAMPLES), "--host", HOST, "--strictPort")
READY_SECONDS = 60

pytestmark = [
    pytest.mark.prove,
    needs_node,
    needs_chromium,
    pytest.mark.skipif(not VITE.exists() and "CI" not in os.environ, reason="`npm ci` was not run in the root"),
    pytest.mark.parametrize("redis_mode", ["standalone"]),
    pytest.mark.parametrize("example", ["apollo", "urql"]),
]


@pytest_asyncio.fixture(scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with launched() as browser:
        yield browser


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder with the built examples. Their types are checked."""
    folder = tmp_path_factory.mktemp("examples") / "dist"
    run(EXAMPLES, "npm", "run", "check")
    run(EXAMPLES, str(VITE), "build", "--outDir", str(folder))
    return folder


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings]) -> AsyncIterator[Live]:
    async with community(make_settings) as live:
        yield live


@pytest.fixture
def site(live: Live, built: Path, tmp_path: Path, example: str) -> Iterator[str]:
    """Serves the built examples, and passes `/graphql` on to the API. Returns the address of one example."""
    port = free_port()
    command = Command(
        argv=(
            str(VITE),
            "preview",
            str(EXAMPLES),
            "--outDir",
            str(built),
            "--host",
            HOST,
            "--port",
            str(port),
            "--strictPort",
        ),
        log=tmp_path / "vite.log",
        env={**os.environ, "PATH": PATH, "PLAUDIT_URL": f"http://{live.address}"},
    )
    process = finished(Process.starting(command, lambda _: listens(port), READY_SECONDS))
    yield f"http://{HOST}:{port}/{example}/"
    process.stop()


def like_button(page: Page, text: str) -> Locator:
    return post(page, text).get_by_role("button")


async def test_a_like_survives_a_lost_reply_and_a_notification_arrives(
    live: Live, site: str, browser: Browser, example: str
) -> None:
    alice, bob = live.person("alice"), live.person("bob")
    async with page_on(browser, LAPTOP, expected="net::ERR_CONNECTION_RESET") as page:
        wire = watched(page)
        await page.goto(site)
        newest = like_button(page, "Tea number 24")
        await expect(newest).to_have_text("Like 0")
        keys = await lose_first_like(page)
        await newest.click()
        await eventually(lambda: len(keys) == 2)
        await live.drain()
        await expect(newest).to_have_text("Like 1")
        await expect(newest).to_have_attribute("aria-pressed", "true")

        published = await alice.ask(PUBLISH, text="My own tea", key="mine")
        await live.drain()
        await bob.like(published["publishPost"]["post"]["id"])
        await live.drain()
        await expect(page.get_by_label("Notifications")).to_contain_text("1 unread")
        await page.get_by_role("button", name="Show more").click()
        await expect(like_button(page, "Tea number 0")).to_have_text("Like 0")

    assert keys[0] == keys[1]
    assert await live.rows("SELECT count(*) FROM like_log") == [(2,)]
    assert set(wire.operations) == {"Home", "Like", "NotificationReceived"}, "an operation was sent as text"
    assert len(wire.hosts) == 1, example


async def test_while_redis_is_down_a_like_waits_and_a_new_page_does_not_say_that_the_list_is_empty(
    valkey: Valkey, live: Live, site: str, browser: Browser
) -> None:
    down = {"expected": "Failed to load resource"}
    async with page_on(browser, LAPTOP, **down) as page, page_on(browser, LAPTOP, **down) as late:
        await page.goto(site)
        newest = like_button(page, "Tea number 24")
        await expect(newest).to_have_text("Like 0")
        async with stopped(valkey, live.state.redis):
            await newest.click()
            await late.goto(site)
            await expect(late.get_by_text("The posts cannot be read now.")).to_be_visible()
            await expect(newest).to_have_text("Like 1")
        await expect(like_button(late, "Tea number 23")).to_have_text("Like 0")
        await eventually_stored(live, likes=1)
        await expect(newest).to_have_text("Like 1")
        await expect(newest).to_have_attribute("aria-pressed", "true")
        await expect(page.get_by_role("alert")).to_have_count(0)


async def eventually_stored(live: Live, likes: int) -> None:
    """Returns when that many likes are stored."""
    async with asyncio.timeout(60):  # the pauses between attempts grow
        while await live.rows("SELECT count(*) FROM like_log") != [(likes,)]:
            await live.drain()
            await asyncio.sleep(0.1)
