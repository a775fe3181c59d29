"""The own set of the preferences that a user has switched on."""

from models.preferences import MOST, PREFERENCE
from settings import USERS
from store.own_sets.kind import Kind, limited
from store.people import boundary_rows

KIND = Kind(
    PREFERENCE,
    limited(lambda _: MOST),
    boundary_rows.own_rows(PREFERENCE),
    USERS,
    boundary_rows.count(PREFERENCE),
    is_boundary=True,
)
