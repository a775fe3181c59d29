"""Own sets of users in tests."""

from collections import defaultdict

from models.saves import SAVE
from store.own_sets.own_sets import OwnSets


def configure(own_sets: OwnSets, *, saves: int) -> None:
    """Changes how many saves of a user a store of own sets keeps in the cache."""
    bounds = own_sets._bounds[SAVE][0]._replace(cap=saves)
    own_sets._bounds[SAVE] = defaultdict(lambda: bounds)
