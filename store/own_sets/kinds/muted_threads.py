"""Mutes of threads: posts, entities and root comments whose notifications a user does not want."""

from store.own_sets.kind import Kind, limited
from store.people import boundary_rows
from store.write_log.pending import THREAD

KIND = Kind(
    THREAD,
    limited(lambda settings: settings.people.boundary_limit),
    boundary_rows.own_rows(THREAD),
    is_boundary=True,
)
