"""The own set of the posts that a user hides from the user's lists. The states are in models/hidden_posts.py."""

from models.hidden_posts import HIDDEN_POST
from settings import POSTS
from store.own_sets.kind import Kind, limited
from store.people import boundary_rows

KIND = Kind(
    HIDDEN_POST,
    limited(lambda settings: settings.people.boundary_limit),
    boundary_rows.own_rows(HIDDEN_POST),
    POSTS,
    boundary_rows.count(HIDDEN_POST),
    is_boundary=True,
)
