"""A system whose moderation leaves alone what tests publish quickly, on a day without noon or midnight."""

import pytest

from store.notifications import delivery
from tests.support.fixtures import live, system

__all__ = ["live", "system"]


@pytest.fixture(autouse=True)
def one_half_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever happens during a test is told together."""
    monkeypatch.setattr(delivery, "BUCKET_MS", 1 << 50)
