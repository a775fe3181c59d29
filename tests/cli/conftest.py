"""Fixtures of the tests of the command line."""

from collections.abc import Callable

import pytest
from typer.testing import CliRunner, Result

from cli.main import app
from settings import Settings
from tests.support.fixtures import live

__all__ = ["live"]


@pytest.fixture
def environment(make_settings: Callable[..., Settings]) -> dict[str, str]:
    """Returns environment variables that name the test's stores, and a wide terminal."""
    settings = make_settings()
    assert settings.jwt_secret
    return {
        "DATABASE_URL": settings.database_url,
        "REDIS_URL": settings.redis_url,
        "PLAUDIT_ENV": "development",
        "PLAUDIT_PARTITIONS": str(settings.partitions),
        "PLAUDIT_JWT_SECRET": settings.jwt_secret.get_secret_value(),
        "COLUMNS": "300",
    }


@pytest.fixture
def plaudit(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Returns a function that runs a command over the test's stores. Keywords are environment variables."""

    def run(*words: object, answer: str = "", **more: str) -> Result:
        for name, value in (environment | more).items():
            monkeypatch.setenv(name, value)
        return CliRunner().invoke(app, list(map(str, words)), input=answer)

    return run
