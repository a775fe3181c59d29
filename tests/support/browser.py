"""Real Chromium for tests of web pages. Needs `chromium` or `google-chrome` on the PATH, or PLAUDIT_CHROMIUM."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    WebError,
    async_playwright,
    expect,
)

_NAMES = ("chromium", "google-chrome", "chromium-browser")
CHROMIUM = os.environ.get("PLAUDIT_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}


def looks(**devices: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Returns each device with light and with dark colours, by names such as `phone-dark`."""
    schemes = ("light", "dark")
    return {
        f"{name}-{scheme}": {**device, "color_scheme": scheme} for name, device in devices.items() for scheme in schemes
    }


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
    """Opens a page on a device, with storage of its own. Afterwards checks all pages that the test opened from it or in
    its context: they reported no error, except errors whose text contains `expected`, and sent nothing to other hosts.
    """
    async with await browser.new_context(**device) as context:
        report = _watched(context)
        yield await context.new_page()
    found = report.unexpected(expected)
    assert found == [], found
    assert report.foreign() == [], "the page sends requests to other hosts"


class _Report:
    """The errors, WebSockets and requests of the pages of a context."""

    def __init__(self) -> None:
        self._problems: list[str] = []
        self._urls: list[str] = []
        self._requests: list[Request] = []

    def watch(self, page: Page) -> None:
        """Notes the WebSockets of a page."""
        page.on("websocket", lambda socket: self._urls.append(socket.url))

    def add_message(self, message: ConsoleMessage) -> None:
        """Notes a message of the console if it is an error."""
        if message.type == "error":
            self._problems.append(message.text)

    def add_error(self, error: WebError) -> None:
        """Notes an exception that no script has caught."""
        self._problems.append(str(error.error))

    def add_request(self, request: Request) -> None:
        """Notes a request."""
        self._requests.append(request)

    def unexpected(self, expected: str | None) -> list[str]:
        """Returns the errors whose text does not contain `expected`."""
        return [problem for problem in self._problems if expected is None or expected not in problem]

    def foreign(self) -> list[str]:
        """Returns the URLs of requests that left this machine. The page's policy stops some before they are sent."""
        sent = [request.url for request in self._requests if request.failure != "csp"]
        return [url for url in self._urls + sent if not _is_local(url)]


def _watched(context: BrowserContext) -> _Report:
    report = _Report()
    context.on("page", report.watch)
    context.on("weberror", report.add_error)
    context.on("console", report.add_message)
    context.on("request", report.add_request)
    return report


def _is_local(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("data", "blob") or parts.hostname in ("127.0.0.1", "localhost")
