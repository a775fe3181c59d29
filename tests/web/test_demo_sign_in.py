"""Signing in to the demo app as people of the demo data who are not offered in the list at the top."""

import pytest
from playwright.async_api import Browser, expect

from seed.people import NAMED, names_by_handle
from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.demo import opened
from tests.support.subscriptions import Live

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

HANDLE, NAME = next(person for person in names_by_handle().items() if person not in NAMED)


async def test_a_person_of_the_demo_data_can_be_chosen_on_their_profile(live: Live, browser: Browser) -> None:
    await live.person(HANDLE).ask("{ viewer { id } }")
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, f"/users/{HANDLE}", user=None)
        await page.get_by_role("button", name="Sign in as this user").click()
        chosen = page.get_by_role("combobox", name="Signed in as")
        await expect(chosen).to_have_value(HANDLE)
        await expect(page.get_by_role("button", name="Edit profile")).to_be_visible()
        await page.reload()
        await expect(chosen).to_have_value(HANDLE)
        await page.goto(f"http://{live.address}/graphiql")  # has the same user
        await expect(page.locator("#session-user")).to_have_value(f"user:{HANDLE}")
        await page.locator(".graphiql-container").wait_for()

        await page.goto(f"http://{live.address}/users/bob")
        await chosen.select_option("bob")
        await expect(page.get_by_role("button", name="Sign in as this user")).to_have_count(0)


async def test_others_cannot_be_chosen(live: Live, browser: Browser) -> None:
    await live.person("a_stranger").ask("{ viewer { id } }")
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/users/a_stranger")
        await page.get_by_role("button", name="Sign in as this user").click()
        await expect(page.get_by_role("alert")).to_have_text("You can sign in only as people of the demo data.")
        await expect(page.get_by_role("combobox", name="Signed in as")).to_have_value("alice")
