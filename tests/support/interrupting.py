"""Things that happen in the middle of a write."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest


def run_after(monkeypatch: pytest.MonkeyPatch, of: object, method: str, act: Callable[[], Awaitable[Any]]) -> None:
    """Lets the next call of this method of an object run `act` before it returns."""
    original = getattr(of, method)

    async def interrupted(*args: Any, **named: Any) -> Any:
        answer = await original(*args, **named)
        monkeypatch.undo()
        await act()
        return answer

    monkeypatch.setattr(of, method, interrupted)
