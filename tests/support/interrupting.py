"""Things that happen in the middle of a write."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from store.cache.values import Cache


def run_after(monkeypatch: pytest.MonkeyPatch, cache: Cache, method: str, act: Callable[[], Awaitable[Any]]) -> None:
    """Lets the next call of this cache method run `act` before it returns."""
    original = getattr(cache, method)

    async def interrupted(*args: Any) -> Any:
        answer = await original(*args)
        monkeypatch.undo()
        await act()
        return answer

    monkeypatch.setattr(cache, method, interrupted)
