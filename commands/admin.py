"""The administration API: who may use it."""

from commands.targets import check_unrestricted
from context import Context, Viewer
from identity.permissions import ADMIN

MOST_NAMED = 100
"""The most operations, versions or words in one request."""


def require(context: Context) -> Viewer:
    """Returns the viewer, a service that administrates. Raises Unauthenticated without a token, Forbidden without the
    scope `admin` or if the token is restricted to businesses.
    """
    viewer = context.require_scope(ADMIN)
    check_unrestricted(context)
    return viewer
