"""The own set of the users that a user mutes. The state is the time at which the mute ends (models/boundaries.py)."""

from models.boundaries import MUTE
from settings import USERS
from store.own_sets.kind import Kind, limited
from store.people import boundary_rows

KIND = Kind(
    MUTE,
    limited(lambda settings: settings.people.boundary_limit),
    boundary_rows.own_rows(MUTE),
    USERS,
    boundary_rows.count(MUTE),
    is_boundary=True,
    expires=True,
)
