"""Finds the faults of a screen of the demo app or the moderation console, and takes its screenshot.

With PLAUDIT_SCREENSHOTS=<folder> the screenshots are written there.
"""

import asyncio
import os
from pathlib import Path

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

from tests.support.browser import LAPTOP, PHONE, looks

DEVICES = looks(laptop=LAPTOP, phone=PHONE)
_IMAGES_SHOWN = """[...document.images].every(
    (image) => image.complete || !image.checkVisibility() || image.getBoundingClientRect().top > innerHeight)"""
"""Images below the screen, or in a closed part of it, are not loaded yet."""
_SERIOUS = ("serious", "critical")


async def faults_of(page: Page, name: str) -> list[str]:
    """Writes a screenshot. Returns the rules that axe finds broken, with the first element of each, and whether the
    screen is wider than the device.
    """
    if folder := os.environ.get("PLAUDIT_SCREENSHOTS"):
        await _images_shown(page)
        await page.screenshot(path=Path(folder) / f"{name}.png")
    results = await Axe().run(page)
    broken = [one for one in results.response["violations"] if one["impact"] in _SERIOUS]
    too_wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in broken] + ["it is too wide"] * too_wide


async def _images_shown(page: Page) -> None:
    """Returns when the images on the screen are loaded."""
    async with asyncio.timeout(20):
        while not await page.evaluate(_IMAGES_SHOWN):
            await asyncio.sleep(0.1)
