"""Own sets of users in tests."""

from typing import Any

from store.own_sets.own_sets import OwnSets


def configure(own_sets: OwnSets, **settings: Any) -> None:
    """Changes the settings of a store of own sets, such as `recent_saves`."""
    own_sets._settings = own_sets._settings.model_copy(update=settings)
