"""Own sets of users in tests."""

from models.saves import SAVE
from store.own_sets.own_sets import OwnSets


def configure(own_sets: OwnSets, *, saves: int) -> None:
    """Changes how many saves of a user a store of own sets keeps in the cache."""
    own_sets._bounds[SAVE, None] = own_sets._bounds[SAVE, None]._replace(cap=saves)
