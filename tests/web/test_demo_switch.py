"""The failure switch in the demo app, in a real Chromium: it stops and starts the Valkey of a development server."""

import asyncio
import re
from collections.abc import Iterator
from functools import partial

import httpx
import pytest
from playwright.async_api import Browser, Locator, Page, expect

from runner.running import Running
from runner.waiting import wait_until
from tests.support.browser import LAPTOP, PHONE, needs_chromium, page_on
from tests.support.demo import likes, post
from tests.support.developing import Alice, developing, found
from tests.support.screens import faults_of

pytestmark = [pytest.mark.prove, pytest.mark.timeout(400), needs_chromium]

STORES = "/graphiql/stores"
DEV = {"X-Plaudit-Dev": "1"}
TEXTS = (
    "Replaced a plugin by one query.",
    "Sourdough at six, again.",
    "A quiet ride along the canal.",
)
ACCEPTED = re.compile("from the API.*points.*Redis 0")
ALICE = """sessionStorage.setItem("plaudit.session", '{"kind": "user", "handle": "alice"}');
localStorage.setItem("plaudit.panel", "open");"""


@pytest.fixture(scope="module")
def dev(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data_dir = tmp_path_factory.mktemp("switch") / "data"
    with developing(data_dir):
        yield found(data_dir)


def alice(dev: Running) -> Alice:
    return Alice(dev.url, httpx.get(f"{dev.url}/graphiql/session", timeout=10).json()["users"][0]["token"])


def publishes(user: Alice, text: str) -> bool:
    """Returns whether the API accepts a post with this text. It may not yet, after a start."""
    return user.publishes(text) is not None


async def test_a_person_stops_redis_likes_and_starts_redis_again(dev: Running, browser: Browser) -> None:
    user = alice(dev)
    for text in TEXTS:
        assert wait_until(partial(publishes, user, text), 60)
    async with page_on(browser, LAPTOP, expected="Failed to load resource") as page:
        await page.add_init_script(ALICE)
        await page.goto(dev.url)
        await expect(page.get_by_role("article")).to_have_count(len(TEXTS))
        switch = page.get_by_role("region", name="Failure switch")
        banner = page.get_by_role("status").filter(has_text="Redis is stopped.")
        await expect(switch).to_contain_text("runs")

        await switch.get_by_role("button", name="Stop Redis").press("Enter")
        await expect(banner).to_be_visible()
        await expect(switch.get_by_role("list", name="Without Redis")).to_be_visible()
        assert (await states(dev))["redis"] == "stopped"
        like = likes(post(page, TEXTS[-1]))
        await like.click()
        await expect(like).to_have_attribute("aria-pressed", "true")
        sent = page.locator(".operation").filter(has_text="Like").first
        await expect(sent).to_contain_text(ACCEPTED, timeout=60_000)
        assert await faults_of(page, "switch-laptop-light") == []
        await page.get_by_role("button", name="Close the panel").click()
        await banner.get_by_role("button", name="Start Redis").click()
        await expect(page.locator(".outage p")).to_have_count(0, timeout=60_000)
        assert (await states(dev))["redis"] == "running"
        await page.reload()
        await expect(likes(post(page, TEXTS[-1]))).to_have_attribute("aria-pressed", "true", timeout=60_000)


async def test_the_banner_covers_no_button_of_a_phone(dev: Running, browser: Browser) -> None:
    async with page_on(browser, PHONE, expected="Failed to load resource") as page:
        await page.add_init_script(ALICE.splitlines()[0])
        await turn(dev, "stop")
        try:
            await page.goto(dev.url)
            banner = page.get_by_role("status").filter(has_text="Redis is stopped.")
            await expect(banner).to_be_visible()
            write = page.get_by_role("button", name="Post", exact=True)
            await write.click()
            await expect(page.get_by_role("dialog", name="New post")).to_be_visible()
            await page.keyboard.press("Escape")
            await page.get_by_role("link", name="Notifications").click()
            await expect(page.get_by_role("heading", name="Notifications", level=1)).to_be_visible()
            lifted = await height_above_the_bar(page, write)
            await banner.get_by_role("button", name="Start Redis").click()
            await expect(page.locator(".outage p")).to_have_count(0, timeout=60_000)
            await expect(page.locator("html")).to_have_css("--outage-height", "0px")  # in the next frame
            assert await height_above_the_bar(page, write) < 20 < lifted
        finally:
            await turn(dev, "start")


async def height_above_the_bar(page: Page, button: Locator) -> float:
    """Returns the pixels between a button and the bar at the bottom of a phone."""
    box, bar = await button.bounding_box(), await page.get_by_role("navigation").bounding_box()
    assert box
    assert bar
    return bar["y"] - (box["y"] + box["height"])


async def turn(dev: Running, action: str) -> None:
    """Stops or starts Redis."""
    await asyncio.to_thread(httpx.post, f"{dev.url}{STORES}/redis/{action}", headers=DEV, timeout=40)


async def states(dev: Running) -> dict[str, str]:
    """Returns the states of the stores, as the page sees them."""
    answer = await asyncio.to_thread(httpx.get, f"{dev.url}{STORES}", headers=DEV, timeout=40)
    found: dict[str, str] = answer.json()
    return found


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {**DEV, "Host": "evil.example"},
        {**DEV, "Sec-Fetch-Site": "same-site"},
        {**DEV, "Sec-Fetch-Site": "cross-site"},
    ],
    ids=["without the header", "rebound", "of another port", "of another site"],
)
def test_a_page_of_another_site_stops_nothing(dev: Running, headers: dict[str, str]) -> None:
    answer = httpx.post(f"{dev.url}{STORES}/redis/stop", headers=headers, timeout=40)

    assert answer.status_code == 403
    assert asyncio.run(states(dev)) == {"postgres": "running", "redis": "running"}
