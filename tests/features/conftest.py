"""Settings for tests that read every field of the schema."""

from collections.abc import Callable

import pytest

from resolvers import recommended
from settings import Settings
from tests.support.system import ANY_DOCUMENT, LENIENT


@pytest.fixture
def generous(make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings that allow long documents, and let `recommended` show all posts of an author."""
    monkeypatch.setattr(recommended, "_PER_AUTHOR", 100)
    return make_settings(local_cache_seconds=0, limits=ANY_DOCUMENT, moderation=LENIENT, database_timeout=20)
