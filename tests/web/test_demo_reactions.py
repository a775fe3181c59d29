"""The picker of reactions in the demo app."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from settings import Settings
from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.demo import community, opened

FILE = Path(__file__).parents[2] / "businesses.toml"
pytestmark = [pytest.mark.timeout(120), needs_chromium, pytest.mark.parametrize("redis_mode", ["standalone"])]


async def test_a_user_picks_a_reaction_changes_it_and_takes_it_back(
    make_settings: Callable[..., Settings], browser: Browser
) -> None:
    async with community(make_settings, businesses_file=FILE) as live, page_on(browser, LAPTOP) as page:
        (article,) = await live.videos("a1", business="article")
        await opened(live, page, f"/entities/{article}")
        picker = page.get_by_role("region", name="Reactions")
        heart, laugh = (picker.get_by_role("button", name=f"React {kind}") for kind in ("❤️", "😂"))
        await expect(picker.get_by_role("button")).to_have_count(4)

        await heart.click()
        await expect(heart).to_have_attribute("aria-pressed", "true")
        await expect(page.get_by_role("button", name="Like", exact=True)).to_contain_text("1")
        await laugh.click()
        await expect(laugh).to_have_attribute("aria-pressed", "true")
        await expect(heart).to_have_attribute("aria-pressed", "false")
        await laugh.click()
        await expect(laugh).to_have_attribute("aria-pressed", "false")
