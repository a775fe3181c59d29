"""The own set of the threads (posts, entities and root comments) whose notifications a user does not want."""

from models.boundaries import THREAD
from store.own_sets.kind import Kind, limited
from store.people import boundary_rows

KIND = Kind(
    THREAD,
    limited(lambda settings: settings.people.boundary_limit),
    boundary_rows.own_rows(THREAD),
    count=boundary_rows.count(THREAD),
    is_boundary=True,
)
