"""Every screen of the demo app: what axe finds, texts instead of ids; and screenshots for the docs."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.support.browser import needs_chromium, page_on
from tests.support.collections import created, save_into
from tests.support.deletions import delete
from tests.support.demo import comments, open_menu, opened, replies_button
from tests.support.exports import requested
from tests.support.screens import DEVICES, faults_of
from tests.support.subscriptions import Live
from tests.support.wire import TEXT, watched

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(900),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

SCREENS = {
    "home": "/",
    "square": "/square",
    "search": "/search",
    "search-posts": "/search?q=tea&tab=posts",
    "search-people": "/search?q=a&tab=people",
    "topic": "/topics/baking",
    "profile": "/users/bob",
    "own-profile": "/users/alice",
    "notifications": "/notifications",
    "favourites": "/favourites",
    "boundaries": "/boundaries",
    "filters": "/filters",
    "account": "/account",
    "settings": "/settings",
    "profile-likes": "/users/bob?tab=likes",
    "profile-followers": "/users/bob?tab=followers",
    "unknown": "/users/nobody_has_this_name",
    "entity": "/entities/Entity:video:bv-003",
    "missing-post": "/posts/Post:1",
    "sign-in": "/sign-in",
}
RIGHT_TO_LEFT = "addEventListener('DOMContentLoaded', () => { document.documentElement.dir = 'rtl' })"
THREADS = """{ square(sort: HOT, first: 50) {
  nodes { id commentCount comments(first: 5) { nodes { id replyCount } } } } }"""


async def test_no_screen_has_a_serious_fault(seeded: Live, browser: Browser) -> None:
    post = await _thread(seeded)
    screens = SCREENS | {"collection": await _collection(seeded, post), "post": f"/posts/{post}"}
    await requested(seeded.person("alice"))
    anonymous = {"anonymous-square": "/square", "anonymous-sign-in": "/sign-in", "anonymous-post": f"/posts/{post}"}
    found: dict[str, list[str]] = {}
    for device in DEVICES:
        for user, paths in (("alice", screens), (None, anonymous)):
            for name, path in paths.items():
                found[f"{name}-{device}"] = await _look(seeded, browser, device, name, path, user)
        found |= await _look_closer(seeded, browser, device, f"/posts/{post}")
    await delete(seeded.person("bob"), days=30)
    for device in DEVICES:
        found[f"deleted-{device}"] = await _look(seeded, browser, device, "deleted", "/", "bob", expected="403")
    assert {screen: faults for screen, faults in found.items() if faults} == {}


async def _thread(live: Live) -> str:
    """Returns the id of the post with most comments among those that have replies."""
    nodes = (await live.person("alice").ask(THREADS))["square"]["nodes"]
    answered = [node for node in nodes if any(comment["replyCount"] for comment in node["comments"]["nodes"])]
    return str(max(answered, key=lambda node: node["commentCount"])["id"])


async def _collection(live: Live, post: str) -> str:
    """Lets alice save a post in a new collection. Returns the path of its page."""
    alice = live.person("alice")
    collection = await created(alice, "To read again")
    await save_into(alice, collection, post)
    await live.drain()
    return f"/collections/{collection}"


async def _look(
    live: Live, browser: Browser, device: str, name: str, path: str, user: str | None, expected: str | None = None
) -> list[str]:
    async with page_on(browser, DEVICES[device], expected) as page:
        wire = watched(page)
        await opened(live, page, path, user)
        await page.wait_for_load_state("networkidle")
        faults = await faults_of(page, f"{name}-{device}")
    return [*faults, *(["sends a text"] if TEXT in wire.operations else [])]


async def _look_closer(live: Live, browser: Browser, device: str, post: str) -> dict[str, list[str]]:
    """Opens the replies and the menu of a post, the form for a new post, the panel with the operations, and the form
    for the profile.
    """
    found = {}
    async with page_on(browser, DEVICES[device]) as page:
        await opened(live, page, post)
        await replies_button(comments(page)).first.click()
        await expect(page.get_by_label("Replies").get_by_role("article").first).to_be_visible()
        found["thread"] = await faults_of(page, f"thread-{device}")
        menu = await open_menu(page.get_by_role("main"))
        await expect(menu.get_by_role("button", name="Report")).to_be_visible()
        found["menu"] = await faults_of(page, f"menu-{device}")
        await menu.get_by_role("button", name="Report").click()
        found["report"] = await faults_of(page, f"report-{device}")
        await menu.get_by_role("button", name="Close").click()
        await page.get_by_role("button", name="Post", exact=True).click()
        await expect(page.get_by_role("form", name="New post")).to_be_visible()
        found["write"] = await faults_of(page, f"write-{device}")
        await page.keyboard.press("Escape")
    async with page_on(browser, DEVICES[device]) as page:
        await _open_panel(live, page)
        found["panel"] = await faults_of(page, f"panel-{device}")
        await page.get_by_role("link", name="Profile").click()
        await page.get_by_role("button", name="Edit profile").click()
        found["edit-profile"] = await faults_of(page, f"edit-profile-{device}")
    return {f"{name}-{device}": faults for name, faults in found.items()}


async def _open_panel(live: Live, page: Page) -> None:
    """Opens home with the panel beside it, and the text of an operation."""
    await opened(live, page)
    await page.get_by_role("button", name="GraphQL").click()
    await page.wait_for_load_state("networkidle")
    await page.locator(".operation").filter(has_text="query Home(").first.click()


@pytest.mark.parametrize("device", ["laptop-light", "phone-dark"])
async def test_no_screen_has_a_serious_fault_from_right_to_left(seeded: Live, browser: Browser, device: str) -> None:
    """The app has no language that is written from right to left yet. The test turns the page."""
    found = {}
    async with page_on(browser, DEVICES[device]) as page:
        await page.add_init_script(RIGHT_TO_LEFT)
        await _open_panel(seeded, page)
        found["panel"] = await faults_of(page, f"panel-right-to-left-{device}")
        await page.get_by_role("button", name="Close the panel").click()
        for name in ("home", "profile", "profile-followers", "notifications", "settings"):
            await opened(seeded, page, SCREENS[name])
            await page.wait_for_load_state("networkidle")
            found[name] = await faults_of(page, f"{name}-right-to-left-{device}")
    assert {screen: faults for screen, faults in found.items() if faults} == {}
