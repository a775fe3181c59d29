"""The demo app as a signed-in user."""

import json

from playwright.async_api import Page

from tests.support.subscriptions import Live


async def opened(live: Live, page: Page, path: str = "/", user: str | None = "alice") -> None:
    """Opens a page of the app as a user."""
    if user:
        choice = json.dumps({"kind": "user", "handle": user})
        await page.add_init_script(f"sessionStorage.setItem('plaudit.session', '{choice}')")
    await page.goto(f"http://{live.address}{path}")
