"""Search, suggestions while typing, suggested users and trends in the demo app, in a real Chromium."""

import asyncio
import re

import pytest
from playwright.async_api import Browser, Locator, Page, Request, Route, expect

from tests.support.browser import LAPTOP, PHONE, needs_chromium, page_on
from tests.support.demo import opened, post
from tests.support.follows import follow
from tests.support.posts import publish
from tests.support.screens import faults_of
from tests.support.search import stored
from tests.support.subscriptions import Live
from tests.support.suggestions import compute, handles
from tests.support.topics import write_about
from tests.support.user_search import IS_DISCOVERABLE
from tests.support.wire import GRAPHQL, body_of, watched

pytestmark = [
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

SMALL_PHONE = {**PHONE, "viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}
SCRIPT = "<img src=x onerror=alert(1)> & tea"
A_PAUSE = 0.5
"""Seconds after which the page would have asked for suggestions."""


async def search(page: Page, query: str) -> None:
    """Searches on the page for searches."""
    await page.get_by_role("searchbox", name="Search for").fill(query)
    await page.keyboard.press("Enter")


def tab(page: Page, name: str) -> Locator:
    return page.get_by_role("tab", name=name)


def text_of(page: Page, role: str = "textbox") -> Locator:
    """Returns the field for a new post. Its role is `combobox` while it has a list of suggestions."""
    return page.get_by_role(role, name="Text of the post")  # type: ignore[arg-type]


def suggestions(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Suggestions").get_by_role("option")


def prefix_of(request: Request) -> str | None:
    """Returns the beginning of the topics that a request asks for; None if it asks for something else."""
    prefix: str | None = body_of(request).get("variables", {}).get("prefix")
    return prefix


async def test_a_search_finds_posts_and_topics_and_marks_the_words(live: Live, browser: Browser) -> None:
    await publish(live.person("carol"), f"Café {SCRIPT}", "coffee")
    await stored(live)
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await page.get_by_role("link", name="Search").click()
        await expect(page.get_by_role("heading", level=1)).to_be_focused()
        await search(page, "CAFE tea")
        await expect(post(page, SCRIPT).locator("mark")).to_have_text(["Café", "tea"])
        await expect(page.get_by_role("article")).to_have_count(1)
        await expect(page.get_by_role("searchbox")).to_be_focused()

        await expect(page.get_by_role("tab")).to_have_text(["People", "Posts", "Topics", "Videos"])
        await tab(page, "Posts").focus()
        await page.keyboard.press("ArrowRight")
        await expect(tab(page, "Topics")).to_be_focused()
        await expect(tab(page, "Topics")).to_have_attribute("aria-selected", "true")
        await expect(page).to_have_url(f"http://{live.address}/search?q=CAFE+tea&tab=topics")
        await search(page, "coffee")
        await expect(page.get_by_role("tabpanel").get_by_role("link", name="#coffee")).to_be_visible()
        await page.go_back()
        await expect(page.get_by_role("searchbox")).to_have_value("CAFE tea")


async def test_an_invalid_query_is_explained_and_an_empty_result_teaches_the_operators(
    live: Live, browser: Browser
) -> None:
    async with page_on(browser, SMALL_PHONE) as page:
        await opened(live, page, "/search?q=nothing_has_this_word")
        await expect(page.get_by_text("Nothing was found.")).to_be_visible()
        await expect(page.get_by_role("region", name="How to search")).to_contain_text("from:alice")
        await search(page, "has:sound")
        await expect(page.get_by_role("alert")).to_have_text("The only value of has: is image.")
        last = await page.get_by_role("navigation").get_by_role("link").last.bounding_box()
        assert last
        assert last["x"] + last["width"] <= 360


async def test_keys_take_suggested_topics_and_the_focus_stays_in_the_text(live: Live, browser: Browser) -> None:
    await write_about(live, 2, "teapots")
    await write_about(live, 1, "teahouse")
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await text_of(page).click()
        await page.keyboard.type("About #te")
        options = suggestions(page)
        await expect(options).to_have_text([" #tea", " #teapots", " #teahouse"])
        await page.keyboard.press("ArrowDown")
        chosen = page.get_by_role("listbox").get_by_role("option", selected=True)
        await expect(chosen).to_have_text(" #teapots")
        active = await chosen.get_attribute("id")
        await expect(text_of(page, "combobox")).to_have_attribute("aria-activedescendant", str(active))
        await page.keyboard.press("Enter")
        await expect(text_of(page)).to_have_value("About #teapots ")
        await expect(options).to_have_count(0)

        await page.keyboard.type("and #teah")
        await expect(options).to_have_text([" #teahouse"])
        await page.keyboard.press("Tab")
        await expect(text_of(page)).to_have_value("About #teapots and #teahouse ")
        await expect(text_of(page)).to_be_focused()

        await page.keyboard.type("#te")
        await expect(options).to_have_count(3)
        await page.keyboard.press("Escape")
        await expect(options).to_have_count(0)
        await page.keyboard.press("Enter")
        await expect(text_of(page)).to_have_value("About #teapots and #teahouse #te\n")

        await page.keyboard.type("#teap")
        await expect(options).to_have_text([" #teapots"])
        await options.click()
        await expect(text_of(page)).to_have_value("About #teapots and #teahouse #te\n#teapots ")
        await expect(text_of(page)).to_be_focused()


@pytest.mark.prove
async def test_a_small_phone_has_room_also_from_right_to_left(live: Live, browser: Browser) -> None:
    await write_about(live, 2, "teapots")
    await stored(live)
    async with page_on(browser, SMALL_PHONE) as page:
        await opened(live, page)
        await page.evaluate("document.documentElement.dir = 'rtl'")
        await text_of(page).click()
        await page.keyboard.type("#tea")
        await expect(suggestions(page)).to_have_text([" #tea", " #teapots"])
        assert await faults_of(page, "suggestions-phone-dark") == []
        await page.get_by_role("link", name="Search").click()
        await search(page, "tea")
        await expect(page.get_by_role("article").first).to_be_visible()
        await tab(page, "Posts").focus()
        await page.keyboard.press("ArrowLeft")
        await expect(tab(page, "Topics")).to_be_focused()
        await expect(page.get_by_role("region", name="Topics found").get_by_role("listitem")).to_have_count(2)
        assert await faults_of(page, "search-topics-phone-dark") == []


async def test_an_old_answer_does_not_replace_a_newer_one(live: Live, browser: Browser) -> None:
    await write_about(live, 1, "teapots")
    ended = asyncio.Event()

    async def handle(route: Route) -> None:
        if prefix_of(route.request) == "te":
            await ended.wait()
        await route.continue_()

    async with page_on(browser, LAPTOP) as page:
        await page.route(GRAPHQL, handle)
        await opened(live, page)
        await text_of(page).click()
        async with page.expect_request(lambda request: prefix_of(request) == "te"):
            await page.keyboard.type("#te")
        await page.keyboard.type("ap")
        await expect(suggestions(page)).to_have_text([" #teapots"])
        async with page.expect_response(lambda answer: prefix_of(answer.request) == "te"):
            ended.set()
        await asyncio.sleep(A_PAUSE)
        await expect(suggestions(page)).to_have_text([" #teapots"])


async def test_an_input_method_asks_for_nothing_until_the_word_is_composed(live: Live, browser: Browser) -> None:
    await write_about(live, 1, "茶馆")
    asked: list[str] = []
    async with page_on(browser, LAPTOP) as page:
        page.on("request", lambda request: asked.append(prefix_of(request) or "") if prefix_of(request) else None)
        await opened(live, page)
        await text_of(page).click()
        keyboard = await page.context.new_cdp_session(page)
        await page.keyboard.type("#")
        for composed in ("c", "cha"):
            await keyboard.send(
                "Input.imeSetComposition", {"text": composed, "selectionStart": 1, "selectionEnd": len(composed)}
            )
            await asyncio.sleep(A_PAUSE)
        await expect(suggestions(page)).to_have_count(0)
        await keyboard.send("Input.insertText", {"text": "茶"})
        await expect(suggestions(page)).to_have_text([" #茶馆"])
        await page.keyboard.press("Enter")
        await expect(text_of(page)).to_have_value("#茶馆 ")
    assert asked == ["茶"]


async def test_people_are_found_by_name_and_mentioned_with_the_keyboard(live: Live, browser: Browser) -> None:
    await live.person("carol").ask(
        'mutation { updateProfile(input: {displayName: "Caro Léa"}) { userErrors { code } } }'
    )
    await live.drain()
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/search?q=lea&tab=people")
        people = page.get_by_role("region", name="People found").get_by_role("listitem")
        await expect(people).to_have_count(1)
        await expect(people).to_contain_text("@carol")
        await expect(people.locator("mark")).to_have_text("Léa")
        await people.get_by_role("button", name="Follow @carol").click()
        await expect(people.get_by_role("button", name="Follow @carol")).to_have_attribute("aria-pressed", "true")

        await page.get_by_role("link", name="Home").click()
        await text_of(page).click()
        await page.keyboard.type("Hello @car")
        await expect(suggestions(page)).to_have_text(["Caro Léa @carol"])
        await page.keyboard.press("Enter")
        await expect(text_of(page)).to_have_value("Hello @carol ")
        await page.keyboard.type("me@car")
        await asyncio.sleep(A_PAUSE)
        await expect(suggestions(page)).to_have_count(0)


async def test_suggested_users_are_followed_and_dismissed(live: Live, browser: Browser) -> None:
    alice, bob, carol, dave = (live.person(name) for name in ("alice", "bob", "carol", "dave"))
    await follow(bob, await carol.id(), await dave.id())
    await write_about(live, 3, "teapots")
    await compute(live, alice)
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        side = page.get_by_role("complementary", name="Discover")
        await expect(side.get_by_role("region", name="Trends")).to_contain_text("#teapots 3 authors write about it")
        users = side.get_by_role("region", name="Who to follow")
        await expect(users.get_by_role("listitem").filter(has_text="@carol")).to_contain_text("Followed by bob")
        await users.get_by_role("button", name="Follow @carol").click()
        await expect(users.get_by_role("button", name="Follow @carol")).to_have_attribute("aria-pressed", "true")
        await users.get_by_role("button", name="Do not suggest @dave").click()
        await expect(users.get_by_text("@dave")).to_have_count(0)
        await expect(users.get_by_role("heading")).to_be_focused()
    async with page_on(browser, SMALL_PHONE) as page:
        await opened(live, page, "/search")
        await expect(page.get_by_role("main").get_by_role("region", name="Trends")).to_contain_text("#teapots")
        await expect(page.get_by_role("complementary")).to_have_count(0)
    await live.drain()
    assert {"carol", "dave"}.isdisjoint(await handles(alice))


async def test_a_user_chooses_not_to_be_found(live: Live, browser: Browser) -> None:
    async with page_on(browser, SMALL_PHONE) as page:
        await opened(live, page, "/account")
        switch = page.get_by_role("checkbox", name="Searches find me")
        await expect(switch).to_be_checked()
        await switch.click()
        await expect(switch).to_be_enabled()
        await expect(switch).not_to_be_checked()
        await page.reload()
        await expect(switch).to_be_enabled()
        await expect(switch).not_to_be_checked()
    assert (await live.person("alice").ask(IS_DISCOVERABLE))["viewer"] == {"isDiscoverable": False}


async def test_the_number_of_new_posts_is_asked_for_while_the_page_is_visible(live: Live, browser: Browser) -> None:
    async with page_on(browser, SMALL_PHONE) as page:
        await page.route_web_socket("**/graphql", lambda _: None)  # nothing is announced on it
        await opened(live, page)
        await expect(post(page, "Tea number 24")).to_be_visible()
        for number in range(2):
            await publish(live.person("bob"), f"Fresh tea {number}")
        await live.drain()
        wire = watched(page)
        await turn_to(page, hidden=True)
        await asyncio.sleep(A_PAUSE)
        assert wire.operations == {}
        await page.evaluate("scrollTo(0, 1500)")
        await turn_to(page, hidden=False)
        pill = page.get_by_role("button", name="Show 2 new posts")
        await expect(pill).to_be_in_viewport()
        await expect(page.locator("[aria-live=polite]").filter(has=pill)).to_have_count(1)
        await pill.click()
        await expect(post(page, "Fresh tea 1")).to_be_in_viewport()
        await expect(pill).to_have_count(0)
        await expect(page.get_by_role("heading", level=1)).to_be_focused()
        assert await page.evaluate("scrollY") == 0
        assert wire.operations.keys() >= {"NewInHome", "NewerInHome", "Home"}


async def test_twelve_new_posts_and_more_than_a_page_of_them_are_counted(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await page.route_web_socket("**/graphql", lambda _: None)  # nothing is announced on it
        await opened(live, page)
        await expect(post(page, "Tea number 24")).to_be_visible()
        for count in (12, 25):
            ((before,),) = await live.rows("SELECT count(*) FROM posts WHERE text LIKE 'Fresh tea%'")
            for number in range(before, count):
                await publish(live.person("bob"), f"Fresh tea {number}")
            await live.drain()
            await turn_to(page, hidden=True)
            await turn_to(page, hidden=False)
            await expect(page.get_by_role("button", name=f"Show {count} new posts")).to_be_visible()
        await expect(post(page, "Fresh tea")).to_have_count(0)
        await page.get_by_role("button", name="Show 25 new posts").click()
        await expect(post(page, "Fresh tea 24")).to_be_visible()
        await expect(page.get_by_role("button", name=re.compile("new post"))).to_have_count(0)


async def turn_to(page: Page, *, hidden: bool) -> None:
    """Hides the page, or shows it again, as another tab of the browser does."""
    await page.evaluate(
        "hidden => { Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });"
        " document.dispatchEvent(new Event('visibilitychange')); }",
        hidden,
    )
