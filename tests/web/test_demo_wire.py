"""What the screens of the demo app cost: requests, bytes, and operations with their points."""

import re
from collections import Counter
from statistics import median
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, expect

from tests.support.browser import LAPTOP, PHONE, needs_chromium, page_on
from tests.support.demo import opened
from tests.support.subscriptions import Live, eventually
from tests.support.wire import watched

pytestmark = [pytest.mark.prove, needs_chromium, pytest.mark.parametrize("redis_mode", ["standalone"])]

EVERYWHERE = {"Me": 14, "NotificationReceived": 34}
COUNTS_OF_A_PAGE = {"ReactableChanged": 201}
OPERATIONS = {
    "/": {"Home": 845, "HomePostAdded": 35, **COUNTS_OF_A_PAGE},
    "/square": {"Square": 842, **COUNTS_OF_A_PAGE},
    "/topics/tea": {"TopicFeed": 847, **COUNTS_OF_A_PAGE},
    "/users/bob": {"Profile": 116, "UserFeed": 845, **COUNTS_OF_A_PAGE},
    "/posts/{newest}": {"Post": 73, "Comments": 887, "ReactableChanged": 11},
    "/notifications": {"Notifications": 666},
    "/favourites": {"Saved": 1545, "Collections": 705},
    "/boundaries": {"Blocks": 345, "Mutes": 365},
}
"""The operations of each screen with twenty posts, and their points. Nothing is asked twice."""

SCRIPT_BYTES, STYLE_BYTES = 140_000, 2_500
"""The most bytes of the app's first files, compressed. React has half of them."""

SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
ROUNDS = 5
FIRST_POST = """new MutationObserver((_, observer) => {
    if (!document.querySelector("article")) return;
    window.firstPost = performance.now();
    observer.disconnect();
}).observe(document, { childList: true, subtree: true });"""


@pytest.mark.parametrize("path", OPERATIONS)
async def test_the_operations_of_a_screen(live: Live, browser: Browser, path: str) -> None:
    ((newest,),) = await live.rows("SELECT max(post_id) FROM posts")
    expected = EVERYWHERE | OPERATIONS[path]
    async with page_on(browser, LAPTOP) as page:
        wire = watched(page)
        await opened(live, page, path.format(newest=f"Post:{newest}"))
        await eventually(lambda: wire.operations.keys() >= expected.keys())
        await page.wait_for_load_state("networkidle")
    assert wire.operations == expected
    assert wire.repeated == []


async def test_the_requests_and_bytes_of_a_first_visit(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        wire = watched(page)
        await opened(live, page)
        await expect(page.get_by_role("article").first).to_be_visible()
        await page.wait_for_load_state("networkidle")
        sizes = {_kind(path): size for path, size in (await wire.bodies()).items()}
        requests = Counter(_kind(urlsplit(request.url).path) for request in wire.finished)
    assert requests - Counter({"/icon.svg": 1}) == {
        "/": 1,
        "script": 1,
        "style": 1,
        "/graphiql/session": 1,
        "/graphql": 2,
    }
    assert sizes["script"] < SCRIPT_BYTES
    assert sizes["style"] < STYLE_BYTES


def _kind(path: str) -> str:
    found = re.fullmatch(r"/app/.*\.(js|css)", path)
    return {"js": "script", "css": "style"}[found[1]] if found else path


async def test_how_long_a_phone_waits_for_the_first_post(
    seeded: Live, browser: Browser, capsys: pytest.CaptureFixture[str]
) -> None:
    """Prints how long after the navigation the first post is shown, on a slow connection without and with a cache."""
    times: dict[str, list[float]] = {"first visit": [], "second visit": []}
    sizes: list[dict[str, int]] = []
    for _ in range(ROUNDS):
        async with page_on(browser, PHONE) as page:
            session = await page.context.new_cdp_session(page)
            await session.send("Network.enable")
            await session.send("Network.emulateNetworkConditions", SLOW_4G)
            await page.add_init_script(FIRST_POST)
            for moments in times.values():
                wire = watched(page)
                await opened(seeded, page)
                await expect(page.get_by_role("article").first).to_be_visible()
                moments.append(await page.evaluate("firstPost"))
                await page.wait_for_load_state("networkidle")
                sizes[-1:] = [await wire.bodies()]
    with capsys.disabled():
        for visit, moments in times.items():
            print(f"\n{visit}: {median(moments):.0f} ms ({min(moments):.0f} to {max(moments):.0f})", end="")
        print(f"\nbytes of the second visit: {sizes}")
