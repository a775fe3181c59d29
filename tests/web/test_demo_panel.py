"""The panel "The GraphQL behind this" of the demo app, in a real Chromium: it is beside the page, and its figures are
those of the API.
"""

import re
from collections.abc import Callable

import pytest
from playwright.async_api import Browser, Locator, Page, Response, expect

from settings import Settings
from tests.support.browser import LAPTOP, PHONE, needs_chromium, page_on
from tests.support.demo import community, likes, opened, post
from tests.support.subscriptions import Live
from tests.support.wire import GRAPHQL, body_of

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

FIRST = "Tea number 24"


def panel(page: Page) -> Locator:
    return page.get_by_role("complementary", name="The GraphQL behind this")


def rows(page: Page, name: str) -> Locator:
    """Returns the operations with a name, newest first."""
    return panel(page).locator(".operation").filter(has=page.get_by_text(re.compile(f"^\\w+ {name}$")))


def operation_of(response: Response) -> str | None:
    """Returns the name of the operation that a response answers."""
    return body_of(response.request).get("operationName") if GRAPHQL.search(response.url) else None


async def toggle(page: Page) -> None:
    await page.get_by_role("button", name="The GraphQL behind this").click()


async def box(part: Locator) -> dict[str, float]:
    found = await part.bounding_box()
    assert found
    return {side: found[side] for side in ("x", "y", "width", "height")}


async def test_an_operation_of_the_app_runs_in_graphiql_as_the_same_user(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await expect(post(page, FIRST)).to_be_visible()
        await toggle(page)
        home = rows(page, "Home").first
        await home.locator("summary").first.click()
        await expect(home).to_contain_text("query Home(")
        async with page.expect_popup() as opening:
            await home.get_by_role("link", name="GraphiQL").click()
        graphiql = await opening.value

        await expect(graphiql.locator(".graphiql-query-editor")).to_contain_text("query Home(")
        await expect(graphiql.locator("#session-user")).to_have_value("user:alice")
        await graphiql.locator(".graphiql-query-editor .CodeMirror-lines").first.click()
        await graphiql.keyboard.press("Control+Enter")
        await expect(graphiql.locator(".result-window")).to_contain_text(FIRST)
        await expect(graphiql.locator("#session-status")).to_contain_text("Authorization: Bearer")


async def test_the_panel_covers_nothing_stays_open_and_gets_wider(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await toggle(page)
        main, beside = await box(page.get_by_role("main")), await box(panel(page))
        assert main["x"] + main["width"] <= beside["x"]
        await likes(post(page, FIRST)).click()  # the page can be used

        await page.reload()
        await expect(panel(page)).to_be_visible()
        edge = page.get_by_role("separator", name="Width of the panel")
        await edge.focus()
        await edge.press("ArrowLeft")
        await edge.press("ArrowLeft")
        assert (await box(panel(page)))["width"] == beside["width"] + 64
        await page.get_by_role("button", name="Close the panel").click()
        await expect(panel(page)).to_have_count(0)
        await page.reload()
        await expect(post(page, FIRST)).to_be_visible()
        await expect(panel(page)).to_have_count(0)


async def test_on_a_phone_the_panel_is_a_sheet_at_the_bottom(live: Live, browser: Browser) -> None:
    async with page_on(browser, PHONE) as page:
        await opened(live, page)
        await toggle(page)
        sheet, bar = await box(panel(page)), await box(page.get_by_role("navigation"))
        assert (sheet["x"], sheet["width"]) == (0, 390)
        assert sheet["y"] > 300
        assert sheet["y"] + sheet["height"] <= bar["y"] + 2
        await page.get_by_role("link", name="Square").click()
        await expect(page.get_by_role("heading", name="Square")).to_be_visible()


async def test_each_operation_has_the_figures_of_the_api(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await toggle(page)
        await page.get_by_role("link", name="Square").click()
        async with page.expect_response(lambda one: operation_of(one) == "Like") as answering:
            await likes(post(page, FIRST)).click()
        answer = await answering.value
        used, cost = answer.headers["server-timing"], (await answer.json())["extensions"]["cost"]
        row = rows(page, "Like")
        await expect(row).to_have_count(1)
        redis, sql = re.findall(r'desc="(\d+)"', used)
        for figure in (f"{cost} points", f"Redis {redis}", f"Postgres {sql}", "from the API"):
            await expect(row).to_contain_text(figure)
        assert int(redis) > 0

        await row.locator("summary").first.click()
        await expect(row).to_contain_text("Sent as its id")
        await expect(row).to_contain_text('"targetId": "Post:')
        await expect(row).to_contain_text("mutation Like(")


async def test_the_panel_says_which_cache_has_answered(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await toggle(page)
        await expect(rows(page, "Discover").or_(rows(page, "Home")).first).to_contain_text("from the API")
        await page.get_by_role("link", name="Favourites").click()
        await expect(rows(page, "Saved").first).to_contain_text("from the API")
        await page.get_by_role("link", name="Home").click()
        await expect(rows(page, "Home").first).to_contain_text("cache, then API")


async def test_a_query_that_is_sent_as_text_can_be_answered_by_the_browser(
    make_settings: Callable[..., Settings], browser: Browser
) -> None:
    """An API that does not know the ids of the app gets texts, the short ones by GET. On a phone, the search reads
    "Discover" each time that it is shown.
    """
    async with community(make_settings, persisted_manifests=()) as live, page_on(browser, PHONE) as page:
        await opened(live, page, "/search")
        await toggle(page)
        for state in ("from the API", "cache, then API", "304, unchanged"):
            await expect(rows(page, "Discover").first).to_contain_text(state)
            await page.get_by_role("link", name="Favourites").click()
            await expect(page.get_by_role("heading", name="Favourites")).to_be_visible()
            await page.get_by_role("link", name="Search").click()
