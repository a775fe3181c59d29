"""A system with lenient moderation, in which all notifications of a test fall into one half day."""

import pytest

from store.notifications import grouping
from tests.support.fixtures import live, system

__all__ = ["live", "system"]


@pytest.fixture(autouse=True)
def single_half_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes half days so long that all events of a test are in the same one."""
    monkeypatch.setattr(grouping, "BUCKET_MS", 1 << 50)
