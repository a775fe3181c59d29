"""What axe finds on pages with the components: light, dark, right to left, in Chinese. Takes screenshots."""

import pytest
from playwright.async_api import Browser, expect

from tests.clients.react.article import add, address, shown
from tests.support.browser import LAPTOP, PHONE, needs_chromium, page_on
from tests.support.demo import PUBLISH
from tests.support.node import needs_compiler
from tests.support.screens import faults_of
from tests.support.subscriptions import Live

pytestmark = [
    pytest.mark.prove,
    needs_compiler,
    needs_chromium,
    pytest.mark.timeout(300),
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

LOOKS = {
    "light": (LAPTOP | {"color_scheme": "light"}, {}),
    "dark": (LAPTOP | {"color_scheme": "dark"}, {}),
    "right-to-left": (PHONE | {"color_scheme": "light"}, {"dir": "rtl"}),
    "chinese": (PHONE | {"color_scheme": "dark"}, {"language": "zh-Hans"}),
}
SCREENS = ("like", "follow", "composer", "reactions", "collections", "notifications")


@pytest.mark.parametrize("look", LOOKS)
async def test_axe_finds_no_serious_fault(live: Live, origin: str, browser: Browser, look: str) -> None:
    device, parameters = LOOKS[look]
    await live.person("bob").ask(PUBLISH, text="A post about tea", key="post")
    await add(live, "bob", "Green tea is best", "Black tea is better")
    (own,) = await add(live, "alice", "White tea")
    await live.person("bob").like(own)
    await live.drain()
    found: dict[str, list[str]] = {}
    for screen in SCREENS:
        async with page_on(browser, device) as page:
            target = "bob" if screen == "follow" else "video:v1"
            await page.goto(address(live, origin, show=screen, target=target, **parameters))
            await expect(page.get_by_role("button").first).to_be_visible()
            found[screen] = await faults_of(page, f"components-{screen}-{look}")
    async with page_on(browser, device) as page:
        await page.goto(address(live, origin, **parameters))
        comment = shown(page, "Green tea")
        await comment.get_by_role("button").nth(1).click()
        await expect(comment.get_by_role("textbox")).to_be_visible()
        found["comments"] = await faults_of(page, f"components-comments-{look}")
        await comment.get_by_role("button").nth(2).click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        found["report"] = await faults_of(page, f"components-report-{look}")
    assert {screen: faults for screen, faults in found.items() if faults} == {}
