"""The administration API: who may use it, and the log of its changes."""

from collections.abc import Sequence

from commands.targets import check_unrestricted
from context import Context, Viewer
from identity.permissions import ADMIN
from observability.logs import Log

log = Log(__name__)

MOST_NAMED = 100
"""The most operations, versions or words in one request."""


def require(context: Context) -> Viewer:
    """Returns the viewer, a service that administrates. Raises Unauthenticated without a token, Forbidden without the
    scope `admin` or if the token is restricted to businesses.
    """
    viewer = context.require_scope(ADMIN)
    check_unrestricted(context)
    return viewer


def author(context: Context) -> str:
    """Returns who makes a change, for logs of changes: the id of the service at its identity provider. Raises
    Unauthenticated, Forbidden.
    """
    viewer = require(context)
    return viewer.subject or str(viewer.user_id)


def log_change(context: Context, change: str, names: Sequence[str], **values: object) -> None:
    """Logs a change that was made: what was done, the names of what was changed, and who made the change. `values` are
    logged too. Pass no secret and no URL.
    """
    log.info("administration API: changed", change=change, names=list(names), by=author(context), **values)
