"""A system whose moderation leaves alone what tests publish quickly, on a day without noon or midnight."""

import pytest

from store import telling
from tests.posts.conftest import system
from tests.realtime.conftest import live

__all__ = ["live", "system"]


@pytest.fixture(autouse=True)
def one_half_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever happens during a test is told together."""
    monkeypatch.setattr(telling, "BUCKET_MS", 1 << 50)
