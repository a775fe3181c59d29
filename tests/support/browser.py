"""Real Chromium for tests of web pages. Needs `chromium` or `google-chrome` on the PATH, or PLAUDIT_CHROMIUM."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Browser, Page, async_playwright, expect

_NAMES = ("chromium", "google-chrome", "chromium-browser")
CHROMIUM = os.environ.get("PLAUDIT_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}

expect.set_options(timeout=20_000)  # a busy machine may stall for seconds

# CI installs a browser, so there a missing one is an error and not a reason to skip.
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None and "CI" not in os.environ, reason="no Chromium on the PATH, and PLAUDIT_CHROMIUM is not set"
)


@asynccontextmanager
async def launched() -> AsyncIterator[Browser]:
    """Runs Chromium without a screen."""
    assert CHROMIUM, "install Chromium, or set PLAUDIT_CHROMIUM"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        yield browser
        await browser.close()


@asynccontextmanager
async def page_on(browser: Browser, device: dict[str, Any], expected: str | None = None) -> AsyncIterator[Page]:
    """Opens a page on a device, with storage of its own. Afterwards checks that the page reported no error, except
    errors whose text contains `expected`.
    """
    context = await browser.new_context(**device)
    page = await context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    yield page
    await context.close()
    unexpected = [problem for problem in problems if expected is None or expected not in problem]
    assert unexpected == [], unexpected
