"""The own set of a user's collections: the lists into which the user saves objects."""

from models.collections import COLLECTION
from settings import COLLECTIONS
from store.own_sets.kind import Kind, limited
from store.reactions import collections

KIND = Kind(
    COLLECTION,
    limited(lambda settings: settings.people.collection_limit),
    collections.own_rows,
    COLLECTIONS,
    collections.count,
)
