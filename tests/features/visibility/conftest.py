"""Settings with one word that needs review, without limits and with long timeouts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from resolvers import recommended
from settings import AddressSettings, AnonymousSettings, LimitSettings, RoleSettings, Settings
from tests.support.system import LENIENT, MUCH

_LONG: dict[str, Any] = dict.fromkeys(["root_fields", "aliases", "repeated", "literals", "characters"], 1_000_000)
_ROLE: dict[str, Any] = {**MUCH, **_LONG, "cost": 100_000_000, "fields": 10_000, "comparisons": 1_000_000}


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
        limits=LimitSettings(
            user=RoleSettings(**_ROLE),
            anonymous=AnonymousSettings(**_ROLE),
            ip=AddressSettings(**MUCH),
            device=None,
        ),
    )
