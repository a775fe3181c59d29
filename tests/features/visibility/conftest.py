"""Settings with one word that needs review, without limits and with long timeouts."""

from collections.abc import Callable
from pathlib import Path

import pytest

from resolvers import recommended
from settings import Settings
from tests.support.fixtures import system
from tests.support.system import ANY_DOCUMENT, LENIENT

__all__ = ["lenient", "system"]


@pytest.fixture
def lenient(make_settings: Callable[..., Settings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Returns the settings of all tests in this folder. Recommendations may all be of one author."""
    monkeypatch.setattr(recommended, "_PER_AUTHOR", 100)
    words = tmp_path / "words.txt"
    words.write_text("review: dubious\n")
    return make_settings(
        port=0,
        local_cache_seconds=0,
        database_timeout=20,
        moderation=LENIENT.model_copy(update={"words_file": words}),
        limits=ANY_DOCUMENT,
    )
