"""Own sets of users in tests."""

from typing import Any

from store.own_sets.own_sets import OwnSets


def configure(own_sets: OwnSets, **lengths: Any) -> None:
    """Changes the lengths of the cached lists of a store of own sets, such as `saves`."""
    caches = own_sets._settings.caches.model_copy(update=lengths)
    own_sets._settings = own_sets._settings.model_copy(update={"caches": caches})
