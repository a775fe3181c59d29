"""The own set of a user's muted words. It has at most one member, whose text has all words (models/muted_words.py)."""

from models.muted_words import MUTED_WORDS
from settings import USERS
from store.own_sets.kind import Kind, limited
from store.people import boundary_rows

KIND = Kind(
    MUTED_WORDS,
    limited(lambda _: 1),
    boundary_rows.own_rows(MUTED_WORDS),
    USERS,
    boundary_rows.count(MUTED_WORDS),
    is_boundary=True,
)
