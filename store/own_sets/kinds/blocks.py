"""The own set of the users that a user blocks. A block ends the user's follow of the blocked user."""

from models.boundaries import BLOCK
from models.follows import FOLLOW
from settings import USERS
from store.own_sets.kind import Kind, limited
from store.people import boundary_rows

KIND = Kind(
    BLOCK,
    limited(lambda settings: settings.people.boundary_limit),
    boundary_rows.own_rows(BLOCK),
    USERS,
    boundary_rows.count(BLOCK),
    ends=FOLLOW,
    is_boundary=True,
)
