"""Systems with lenient moderation, in which the edit history is for moderators, or public."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest_asyncio

from settings import Settings
from tests.support.fixtures import system
from tests.support.system import LENIENT, System, running

__all__ = ["system"]
PUBLIC = """[post]
edit_history = "public"
[[business]]
id = 100
name = "video"
edit_history = "public"
comment_edit_minutes = "unlimited"
[[business]]
id = 101
name = "article"
"""


@pytest_asyncio.fixture
async def public(make_settings: Callable[..., Settings], tmp_path: Path) -> AsyncIterator[System]:
    """Starts a system in which all may read the history of posts, and of comments on posts and videos."""
    file = tmp_path / "businesses.toml"
    file.write_text(PUBLIC)
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0, businesses_file=file)) as one:
        yield one
