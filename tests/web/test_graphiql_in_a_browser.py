"""GraphiQL in a real Chromium, against a server on a real port."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from settings import Settings
from tests.support.browser import LAPTOP, PHONE, needs_chromium, page_on
from tests.support.subscriptions import Live, serving

pytestmark = [needs_chromium, pytest.mark.parametrize("redis_mode", ["standalone"])]


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings]) -> AsyncIterator[Live]:
    async with serving(make_settings(port=0)) as live:
        await live.videos("bv-001")
        yield live


async def opened(live: Live, page: Page) -> None:
    """Opens the page and waits until GraphiQL has read the schema."""
    async with page.expect_response("**/graphql"):
        await page.goto(f"http://{live.address}/graphiql")
    await page.wait_for_selector(".graphiql-execute-button")


def result(page: Page) -> Locator:
    return page.locator(".result-window")


async def is_on_screen(page: Page, part: Locator) -> bool:
    """Returns whether the whole element is within the screen and large enough to use."""
    box, screen = await part.bounding_box(), page.viewport_size
    assert box
    assert screen
    ends = box["x"] + box["width"] <= screen["width"], box["y"] + box["height"] <= screen["height"]
    return all(ends) and min(box["x"], box["y"]) >= 0 and box["width"] >= 40 and box["height"] >= 24


@pytest.mark.parametrize("device", [PHONE, LAPTOP], ids=["phone", "laptop"])
async def test_user_picker_run_button_and_results_fit_the_screen(
    live: Live, browser: Browser, device: dict[str, Any]
) -> None:
    async with page_on(browser, device) as page:
        await opened(live, page)
        parts = {name: page.locator(name) for name in ("#session-user", ".graphiql-execute-button", ".result-window")}

        assert {name: await is_on_screen(page, part) for name, part in parts.items()} == dict.fromkeys(parts, True)
        results = await result(page).bounding_box()
        assert results
        assert results["height"] > 200


async def test_a_phone_user_can_choose_a_user_and_run_an_operation(live: Live, browser: Browser) -> None:
    async with page_on(browser, PHONE) as page:
        await opened(live, page)
        await page.locator("#session-user").select_option("user:alice")
        await page.locator(".graphiql-execute-button").tap()

        await expect(result(page)).to_contain_text('"id": "Entity:video:bv-001"')
        await expect(page.locator("#session-status")).to_contain_text("Authorization: Bearer …")


async def test_ctrl_enter_runs_the_operation_on_a_page_that_was_just_opened(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await page.keyboard.press("Control+Enter")

        await expect(result(page)).to_contain_text('"id": "Entity:video:bv-001"')


async def test_ctrl_enter_in_the_editor_runs_the_operation_once(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.post_data or "") if request.method == "POST" else None)
        await opened(live, page)
        await page.locator(".graphiql-query-editor .CodeMirror-lines").first.click()
        await page.keyboard.press("Control+Enter")

        await expect(result(page)).to_contain_text('"id": "Entity:video:bv-001"')
        assert len([body for body in sent if "query Video" in body]) == 1


async def test_an_anonymous_reader_of_home_sees_a_hint_to_sign_in(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await page.locator(".graphiql-tab-button", has_text="Home").click()
        status = page.locator("#session-status")
        await page.locator(".graphiql-query-editor .CodeMirror-line", has_text="query Home").click()
        await page.wait_for_timeout(2000)  # GraphiQL needs a moment to find the operations of the new tab
        await page.keyboard.press("Control+Enter")

        await expect(status).to_have_text("sign in to see this: viewer is null")

        await page.locator("#session-user").select_option("user:alice")
        await expect(page.locator("#session-status")).to_contain_text("Authorization: Bearer …")
