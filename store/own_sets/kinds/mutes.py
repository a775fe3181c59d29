"""Mutes of users. The state is the time at which the mute ends (models/boundaries.py)."""

from settings import USERS
from store.own_sets.kind import Kind, limited
from store.people import boundary_rows
from store.write_log.pending import MUTE

KIND = Kind(
    MUTE,
    limited(lambda settings: settings.people.boundary_limit),
    boundary_rows.own_rows(MUTE),
    USERS,
    is_boundary=True,
    expires=True,
)
