"""Settings for tests that read every field of the schema; which tests run on a Redis Cluster in `make test`."""

from collections.abc import Callable
from pathlib import Path

import pytest

from resolvers import recommended
from settings import Settings
from tests.support.system import ANY_DOCUMENT, LENIENT

_HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)  # before pytest's own hook, which chooses tests by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leaves tests on a Redis Cluster to `make prove`, except those of likes and the first test of each other file."""
    begun = set[Path]()
    for item in items:
        if item.path.is_relative_to(_HERE) and not item.path.is_relative_to(_HERE / "likes"):
            chosen = getattr(item, "callspec", None)
            if chosen and chosen.params.get("redis_mode") == "cluster":
                if item.path in begun:
                    item.add_marker(pytest.mark.prove)
                begun.add(item.path)


@pytest.fixture
def generous(make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings that allow long documents, and let `recommended` show all posts of an author."""
    monkeypatch.setattr(recommended, "_PER_AUTHOR", 100)
    return make_settings(local_cache_seconds=0, limits=ANY_DOCUMENT, moderation=LENIENT, database_timeout=20)
