"""The frame of the demo app in a real Chromium: columns, sheets, toasts with undo, skeletons, motion, sign-in."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.support.browser import LAPTOP, PHONE, needs_chromium, page_on
from tests.support.comments import added
from tests.support.demo import open_menu, open_report, opened, post, toast
from tests.support.screens import DEVICES, faults_of
from tests.support.subscriptions import Live
from tests.support.wire import GRAPHQL, watched

pytestmark = [
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

TABLET: dict[str, Any] = {"viewport": {"width": 900, "height": 900}}
STOPS = 12
"""Presses of the Tab key, more than a sheet has elements."""
STARTED = """window.started = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
    window.started += this.parentElement?.id === "main";
    return animate.apply(this, given);
};"""
"""Counts the animations with which screens appear."""


async def left_of(part: Locator) -> float:
    box = await part.bounding_box()
    assert box
    return box["x"]


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
async def test_a_laptop_has_three_columns(live: Live, browser: Browser, direction: str) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await page.evaluate("direction => { document.documentElement.dir = direction; }", direction)
        side = page.get_by_role("complementary", name="Discover")
        await expect(side.get_by_role("region", name="Trends")).to_be_visible()
        columns = [await left_of(one) for one in (page.get_by_role("navigation"), page.get_by_role("main"), side)]
        assert columns == sorted(columns, reverse=direction == "rtl")
        assert len(set(columns)) == 3


async def test_a_smaller_window_has_two_columns_and_a_phone_one(live: Live, browser: Browser) -> None:
    async with page_on(browser, TABLET) as page:
        await opened(live, page)
        navigation, main = page.get_by_role("navigation"), page.get_by_role("main")
        await expect(main.get_by_role("article").first).to_be_visible()
        assert await left_of(navigation) < await left_of(main)
        await expect(page.get_by_role("complementary")).to_have_count(0)
    async with page_on(browser, PHONE) as page:
        wire = watched(page)
        await opened(live, page)
        await expect(page.get_by_role("article").first).to_be_visible()
        await page.wait_for_load_state("networkidle")
        await expect(page.get_by_role("complementary")).to_have_count(0)
        bar = await page.get_by_role("navigation").bounding_box()
        assert bar
        assert bar["y"] + bar["height"] == PHONE["viewport"]["height"]
        assert "Discover" not in wire.operations
        assert not [one.url for one in wire.finished if "/side-" in one.url]


async def test_the_third_column_is_read_once_and_searches_from_any_screen(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        wire = watched(page)
        await opened(live, page)
        for name in ("Square", "Notifications", "Favourites"):
            await page.get_by_role("link", name=name).click()
            await expect(page.get_by_role("heading", level=1)).to_have_text(name)
        await page.get_by_role("searchbox", name="Search for").fill("tea")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("main").get_by_role("searchbox")).to_have_value("tea")
        await expect(page.get_by_role("searchbox")).to_have_count(1)
        assert len(wire.times_of("Discover")) == 1


async def test_the_keyboard_stays_in_a_sheet_until_escape(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/square")
        more = post(page, "Tea number 24").get_by_role("button", name="More")
        await more.focus()
        await page.keyboard.press("Enter")
        sheet = page.get_by_role("dialog", name="Actions")
        await expect(sheet).to_be_visible()
        for key in ("Tab", "Shift+Tab"):
            reached = set()
            for _ in range(STOPS):
                await page.keyboard.press(key)
                await expect(sheet.locator(":focus")).to_have_count(1)
                reached.add(await sheet.locator(":focus").evaluate("one => one.ariaLabel ?? one.innerText.trim()"))
            assert reached == {"Close", "Hide this post", "Show less like this", "Mute @bob", "Block @bob", "Report"}
        await sheet.get_by_role("button", name="Report").press("Enter")
        sheet = page.get_by_role("dialog", name="Report")
        await expect(sheet.get_by_role("button", name="Back")).to_be_focused()
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        await expect(more).to_be_focused()

        await more.click()
        await expect(page.get_by_role("dialog", name="Actions")).to_be_visible()
        await page.mouse.click(5, 5)
        await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_a_toast_takes_back_what_was_done(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/square")
        menu = await open_menu(post(page, "Tea number 23"))
        await menu.get_by_role("button", name="Hide this post").click()
        await expect(page.get_by_text("You have hidden this post of")).to_be_visible()
        await undo(page, "You no longer see this post in lists.")
        await expect(post(page, "Tea number 23")).to_be_visible()
        await expect(page.get_by_text("You have hidden this post of")).to_have_count(0)

        menu = await open_menu(post(page, "Tea number 23"))
        await menu.get_by_role("button", name="Mute @bob").click()
        await expect(post(page, "Tea number 23")).to_have_count(0)
        await undo(page, "You no longer see @bob.")
        await expect(post(page, "Tea number 23")).to_be_visible()

        await page.goto(f"http://{live.address}/search?q=bob&tab=people")
        follow = page.get_by_role("main").get_by_role("button", name="Follow @bob")
        await follow.click()
        await expect(follow).to_have_attribute("aria-pressed", "false")
        await undo(page, "You no longer follow @bob.")
        await expect(follow).to_have_attribute("aria-pressed", "true")
        await live.drain()
        await page.reload()
        await expect(follow).to_have_attribute("aria-pressed", "true")


async def undo(page: Page, text: str) -> None:
    """Takes back what a toast says. The focus, which its button had, goes to the heading."""
    await toast(page, text).get_by_role("button", name="Undo").click()
    await expect(toast(page, "Undone.")).to_be_visible()
    await expect(page.get_by_role("heading", level=1)).to_be_focused()


async def test_a_removed_favourite_comes_back_into_its_collection(live: Live, browser: Browser) -> None:
    ((newest,),) = await live.rows("SELECT max(post_id) FROM posts")
    await added(live.person("bob"), f"Post:{newest}", "Not with milk")
    await live.drain()
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/favourites")
        await page.get_by_role("textbox", name="Name of a new collection").fill("Read again")
        await page.get_by_role("button", name="Create").click()
        await expect(page.get_by_role("link", name="Read again")).to_be_visible()
        await page.goto(f"http://{live.address}/posts/Post:{newest}")
        menu = await open_menu(page.get_by_role("region", name="Comments").get_by_role("article"))
        await menu.get_by_role("button", name="Read again").click()
        await expect(toast(page, "Saved in Read again.")).to_be_visible()

        await page.get_by_role("link", name="Favourites").click()
        await page.get_by_role("button", name="Remove").click()
        await expect(page.get_by_text("You have saved nothing yet.")).to_be_visible()
        await undo(page, "Removed.")
        await page.get_by_role("link", name="Read again").click()
        await expect(post(page, "Not with milk")).to_be_visible()


async def test_a_skeleton_keeps_the_place_of_a_list_that_is_being_read(live: Live, browser: Browser) -> None:
    ended = asyncio.Event()
    async with page_on(browser, LAPTOP) as page:

        async def handle(route: Any) -> None:
            await ended.wait()
            await route.continue_()

        await page.route(GRAPHQL, handle)
        await opened(live, page, "/square")
        posts = page.get_by_role("region", name="All posts")
        await expect(posts).to_have_attribute("aria-busy", "true")
        await expect(posts.locator(".skeleton").first).to_be_visible()
        await expect(posts).to_contain_text("Loading")
        before = await left_and_top(posts)
        ended.set()
        await expect(post(page, "Tea number 24")).to_be_visible()
        await expect(posts).to_have_attribute("aria-busy", "false")
        await expect(page.locator(".skeleton")).to_have_count(0)
        assert await left_and_top(posts) == before


async def left_and_top(part: Locator) -> tuple[float, float]:
    box = await part.bounding_box()
    assert box
    return box["x"], box["y"]


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
async def test_people_who_want_less_motion_see_none(live: Live, browser: Browser, motion: str) -> None:
    async with page_on(browser, {**LAPTOP, "reduced_motion": motion}) as page:
        await page.add_init_script(STARTED)
        await opened(live, page, "/square")
        menu = await open_menu(post(page, "Tea number 24"))
        duration = await menu.evaluate("dialog => parseFloat(getComputedStyle(dialog).animationDuration)")
        await page.keyboard.press("Escape")
        await page.get_by_role("link", name="Notifications").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Notifications")
        await page.get_by_role("link", name="Home").click()
        await expect(post(page, "Tea number 24")).to_be_visible()
        moves = motion == "no-preference"
        assert (duration > 0) is moves
        assert (await page.evaluate("started") > 0) is moves


async def test_people_sign_in_as_somebody_of_the_demo(live: Live, browser: Browser) -> None:
    await live.person("bob").ask('mutation { updateProfile(input: {bio: "Flour on everything."}) { user { id } } }')
    await live.drain()
    async with page_on(browser, PHONE) as page:
        await opened(live, page, "/square", user=None)
        await page.get_by_role("link", name="Choose who you are").click()
        people = page.get_by_role("list", name="People of the demo").get_by_role("button")
        await expect(people.filter(has_text="@bob")).to_contain_text("Flour on everything.")
        handle = page.get_by_role("textbox", name="Handle")
        await handle.fill("@nobody_has_this_name")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("alert")).to_have_text("You can sign in only as people of the demo data.")
        await people.filter(has_text="@bob").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Home")
        await expect(page.get_by_role("combobox", name="Signed in as")).to_have_value("bob")
        await page.get_by_role("link", name="Square").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Square")


@pytest.mark.prove
@pytest.mark.parametrize("device", DEVICES)
async def test_sheets_and_toasts_have_no_serious_fault(live: Live, browser: Browser, device: str) -> None:
    async with page_on(browser, DEVICES[device]) as page:
        await opened(live, page, "/square")
        menu = await open_report(post(page, "Tea number 24"))
        faults = await faults_of(page, f"report-{device}")
        await menu.get_by_role("button", name="Back").click()
        await menu.get_by_role("button", name="Hide this post").click()
        await expect(toast(page, "You no longer see this post in lists.")).to_be_visible()
        faults += await faults_of(page, f"toast-{device}")
        await page.get_by_role("button", name="Post", exact=True).click()
        await expect(page.get_by_role("textbox", name="Text of the post")).to_be_focused()
        faults += await faults_of(page, f"write-{device}")
    assert faults == []
