"""The demo app on a phone: headers, the badge of the bar, pages that do not exist, and the page of a video."""

import httpx
import pytest
from playwright.async_api import Browser, Locator, expect

from tests.support.browser import PHONE, needs_chromium, page_on
from tests.support.comments import added
from tests.support.demo import comments, likes, opened, post
from tests.support.subscriptions import Live

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

LONG_NAME = "Bartholomew Featherstonehaugh of Wolverhampton"
RENAME = "mutation ($name: String!) { updateProfile(input: {displayName: $name}) { userErrors { code } } }"


async def box(part: Locator) -> dict[str, float]:
    found = await part.bounding_box()
    assert found
    return {side: found[side] for side in ("x", "y", "width", "height")}


async def test_the_header_of_a_post_with_a_long_name_is_as_high_as_its_avatar(live: Live, browser: Browser) -> None:
    await live.person("bob").ask(RENAME, name=LONG_NAME)
    await live.drain()
    async with page_on(browser, PHONE) as page:
        await opened(live, page)
        header = post(page, "Tea number 24").locator("header")
        await expect(header).to_contain_text(LONG_NAME)
        avatar = await box(header.locator(".avatar"))
        assert (await box(header))["height"] <= avatar["height"] + 6


async def test_the_number_of_unread_notifications_covers_nothing_of_the_bar(live: Live, browser: Browser) -> None:
    ((newest,),) = await live.rows("SELECT max(post_id) FROM posts")
    await added(live.person("alice"), f"Post:{newest}", "Hm")
    await live.drain()
    async with page_on(browser, PHONE) as page:
        await opened(live, page, user="bob")
        bar, link = page.get_by_role("navigation"), page.get_by_role("link", name="Notifications")
        badge, icon, place = await box(link.get_by_label("unread")), await box(link.locator(".icon")), await box(bar)
        assert badge["y"] >= place["y"]
        assert badge["y"] + badge["height"] <= place["y"] + place["height"]
        assert badge["x"] >= icon["x"] + icon["width"]


@pytest.mark.parametrize(
    "path", ["/nothing/here", "/posts/Post:1", "/users/nobody_here", "/collections/Collection:1.1"]
)
async def test_a_page_that_does_not_exist_has_a_way_back(live: Live, browser: Browser, path: str) -> None:
    async with page_on(browser, PHONE, expected="404") as page:
        await opened(live, page, path)
        await page.get_by_role("link", name="Go to the start page").click()
        await expect(page.get_by_role("heading", name="Home")).to_be_visible()


async def test_an_unknown_path_is_not_found_and_only_browsers_get_the_app(live: Live) -> None:
    async with httpx.AsyncClient(base_url=f"http://{live.address}", trust_env=False) as http:
        page = await http.get("/nothing", headers={"accept": "text/html"})
        others = [await http.get("/nothing"), await http.post("/nothing", headers={"accept": "text/html"})]

    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert [(answer.status_code, answer.text) for answer in others] == [(404, "Not Found")] * 2


async def test_the_page_of_a_video_has_likes_likers_and_comments(live: Live, browser: Browser) -> None:
    (video,) = await live.videos("v1")
    await live.person("bob").like(video)
    await added(live.person("bob"), video, "Which pan is this?")
    await live.drain()
    async with page_on(browser, PHONE) as page:
        await opened(live, page, f"/entities/{video}")
        card = page.get_by_role("article").filter(has_text="video").first
        await expect(likes(card)).to_contain_text("1")
        await expect(comments(page)).to_contain_text(["Which pan is this?"])
        await page.get_by_text("Liked by").click()
        await expect(page.get_by_label("Likers").get_by_text("@bob")).to_be_visible()
        await likes(card).click()
        await expect(likes(card)).to_contain_text("2")
