"""Checks the cost of the screens of the demo app: requests, bytes, and operations with their points."""

import re
from collections import Counter
from statistics import median
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, expect

from tests.support.browser import LAPTOP, PHONE, needs_chromium, page_on
from tests.support.demo import opened
from tests.support.search import stored
from tests.support.subscriptions import Live, eventually
from tests.support.wire import Received, watched

pytestmark = [pytest.mark.prove, needs_chromium, pytest.mark.parametrize("redis_mode", ["standalone"])]

EVERYWHERE = {"Me": 19, "NotificationReceived": 46, "Discover": 246}
COUNTS_OF_A_PAGE = {"ReactableChanged": 361}
OPERATIONS = {
    "/": {"Home": 2625, "HomePostAdded": 102, **COUNTS_OF_A_PAGE},
    "/square": {"Square": 2322, **COUNTS_OF_A_PAGE},
    "/topics/tea": {"TopicFeed": 2330, **COUNTS_OF_A_PAGE},
    "/users/bob": {"Profile": 318, "UserFeed": 2325, **COUNTS_OF_A_PAGE},
    "/posts/{newest}": {"Post": 174, "Comments": 1567, "ReactableChanged": 19},
    "/notifications": {"Notifications": 887},
    "/favourites": {"Saved": 3425, "Collections": 705},
    "/search?q=tea": {"SearchPosts": 2371, **COUNTS_OF_A_PAGE},
    "/settings": {"QuotePolicy": 10, "Discoverable": 10, "NotificationPreferences": 10},
    "/account": {"Account": 14, "Discoverable": 10, "Statements": 725},
    "/boundaries": {"Blocks": 345, "Mutes": 365},
    "/sign-in": {"Person": 11},
    "/filters": {"LabelPreferences": 14, "MutedWords": 22, "HiddenPosts": 2145},
}
"""The operations of each screen with twenty posts, and their points. Nothing is asked twice. `Discover` is read by the
third column of a wide window.
"""

FIRST_VISIT = {
    "page": 1_500,
    "icon": 1_000,
    "script": 160_000,
    "style": 8_000,
    "session": 6_000,
    "answers": 35_000,
    "images": 13_000,
}
"""The most bytes of a first visit to the home timeline of the demo data, with headers. React is half of the script, and
the messages of one language are 6 kB of it. The images are about ten avatars and the photos of the first posts.
"""
SECOND_VISIT = {**FIRST_VISIT, "script": 0, "style": 0, "images": 0}
"""The most bytes of a second visit. The browser has the script, the style and the images."""

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
    await stored(live)
    expected = EVERYWHERE | OPERATIONS[path]
    async with page_on(browser, LAPTOP) as page:
        wire = watched(page)
        await opened(live, page, path.format(newest=f"Post:{newest}"))
        await eventually(lambda: wire.operations.keys() >= expected.keys())
        await page.wait_for_load_state("networkidle")
    assert wire.operations == expected
    assert wire.repeated == []


async def test_the_requests_of_a_visit(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        wire = watched(page)
        await opened(live, page)
        await expect(page.get_by_role("article").first).to_be_visible()
        await page.wait_for_load_state("networkidle")
        requests = Counter(_kind(urlsplit(request.url).path) for request in wire.finished)
    assert requests - Counter({"icon": 1}) == {"page": 1, "script": 4, "style": 1, "session": 1, "answers": 3}


def _kind(path: str) -> str:
    """Returns what a path has: the page, its files, the demo users with their tokens, answers of the API, images."""
    kinds = {"/": "page", "/graphiql/session": "session", "/graphql": "answers", "/icon.svg": "icon"}
    found = re.fullmatch(r"/(demo)/.*|/app/.*\.(js|css)", path)
    return {"demo": "images", "js": "script", "css": "style"}[found[1] or found[2]] if found else kinds[path]


def _by_kind(received: Received) -> dict[str, int]:
    """Returns the bytes of each kind."""
    kinds: Counter[str] = Counter()
    for path, size in received.sizes.items():
        kinds[_kind(path)] += size
    return kinds


@pytest.mark.timeout(300)
async def test_how_long_a_phone_waits_for_the_first_post_and_what_it_receives(
    seeded: Live, browser: Browser, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a slow connection, without and with a cache. Prints times after the navigation, and bytes."""
    times: dict[str, list[float]] = {"first visit": [], "second visit": []}
    bytes_of: dict[str, dict[str, int]] = {}
    for _ in range(ROUNDS):
        async with page_on(browser, PHONE) as page:
            session = await page.context.new_cdp_session(page)
            await session.send("Network.enable")
            await session.send("Network.emulateNetworkConditions", SLOW_4G)
            await page.add_init_script(FIRST_POST)
            for visit, moments in times.items():
                received = Received(session)
                await opened(seeded, page)
                await expect(page.get_by_role("article").first).to_be_visible()
                moments.append(await page.evaluate("firstPost"))
                await page.wait_for_load_state("networkidle")
                bytes_of[visit] = _by_kind(received)
    with capsys.disabled():
        for visit, moments in times.items():
            print(f"\n{visit}: {median(moments):.0f} ms ({min(moments):.0f} to {max(moments):.0f})", end="")
            print(f", {sum(bytes_of[visit].values())} bytes: {bytes_of[visit]}", end="")
        print()
    for visit, most in (("first visit", FIRST_VISIT), ("second visit", SECOND_VISIT)):
        too_many = {kind: size for kind, size in bytes_of[visit].items() if size > most[kind]}
        assert too_many == {}, visit
