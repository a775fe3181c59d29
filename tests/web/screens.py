"""Finds the faults of a screen of the demo app or the moderation console, and takes its screenshot.

With PLAUDIT_SCREENSHOTS=<folder> the screenshots are written there.
"""

import os
from pathlib import Path

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

from tests.support.browser import LAPTOP, PHONE, looks

DEVICES = looks(laptop=LAPTOP, phone=PHONE)
_SERIOUS = ("serious", "critical")


async def faults_of(page: Page, name: str) -> list[str]:
    """Writes a screenshot. Returns the rules that axe finds broken, with the first element of each, and whether the
    screen is wider than the device.
    """
    if folder := os.environ.get("PLAUDIT_SCREENSHOTS"):
        await page.screenshot(path=Path(folder) / f"{name}.png")
    results = await Axe().run(page)
    broken = [one for one in results.response["violations"] if one["impact"] in _SERIOUS]
    too_wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in broken] + ["it is too wide"] * too_wide
