from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from settings import ModerationSettings, Settings
from tests.clients.react.site import REACT, bundle, served, write_page
from tests.support.browser import launched
from tests.support.deployment import ROOT
from tests.support.node import run
from tests.support.subscriptions import Live, serving


@pytest_asyncio.fixture(scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with launched() as browser:
        yield browser


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with the built pages and the script of the web components."""
    folder = tmp_path_factory.mktemp("components")
    bundle(ROOT / "tests" / "clients" / "react" / "page.tsx", folder / "page.js")
    bundle(ROOT / "clients" / "examples" / "article" / "main.tsx", folder / "article.js")
    run(REACT, "npm", "run", "embed", "--", str(folder / "embed.js"), seconds=300)
    for name in ("page", "article"):
        head = f'<link rel="stylesheet" href="{name}.css"><script type="module" src="{name}.js"></script>'
        write_page(folder, name, head, '<div id="app"></div>')
    return folder


@pytest.fixture
def origin(pages: Path) -> Iterator[str]:
    """Serves the pages. Returns their origin."""
    with served(pages) as address:
        yield address


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings], origin: str) -> AsyncIterator[Live]:
    """Serves the API for the pages. The video v1 exists."""
    settings = make_settings(port=0, cors_origins=(origin,), moderation=ModerationSettings(new_account=0))
    async with serving(settings) as live:
        await live.videos("v1")
        yield live
