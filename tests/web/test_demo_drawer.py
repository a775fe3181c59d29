"""The drawer of the demo app leads to GraphiQL, in a real Chromium."""

import pytest
from playwright.async_api import Browser, expect

from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.demo import opened, post
from tests.support.subscriptions import Live

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]


async def test_an_operation_of_the_app_runs_in_graphiql_as_the_same_user(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await expect(post(page, "Tea number 24")).to_be_visible()
        await page.get_by_role("button", name="GraphQL").click()
        home = page.locator(".drawer details").filter(has_text="query Home(")
        await home.locator("summary").click()
        async with page.expect_popup() as opening:
            await home.get_by_role("link", name="GraphiQL").click()
        graphiql = await opening.value

        await expect(graphiql.locator(".graphiql-query-editor")).to_contain_text("query Home(")
        await expect(graphiql.locator("#session-user")).to_have_value("user:alice")
        await graphiql.locator(".graphiql-query-editor .CodeMirror-lines").first.click()
        await graphiql.keyboard.press("Control+Enter")
        await expect(graphiql.locator(".result-window")).to_contain_text("Tea number 24")
        await expect(graphiql.locator("#session-status")).to_contain_text("Authorization: Bearer")
