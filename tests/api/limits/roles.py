"""Viewers and the limits of their roles."""

import pytest

from context import Viewer
from settings import LimitSettings, Settings


def viewer(*scopes: str, user_id: int = 7) -> Viewer:
    return Viewer(user_id, "issuer", frozenset(scopes), None)


def configured(monkeypatch: pytest.MonkeyPatch, json: str) -> LimitSettings:
    """Returns settings from an environment variable."""
    monkeypatch.setenv("PLAUDIT_LIMITS", json)
    return Settings(jwt_secret="s" * 32).limits  # type: ignore[arg-type]
