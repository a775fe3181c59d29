"""Export links: the secret part of the URLs from which exports of accounts are downloaded.

Whoever has the link can download the export, without a token, so that a browser can save it as a file. A link is sealed
like a cursor: nobody without the key of the deployment can make or change one, or read the user id in it.
"""

from typing import NamedTuple

from domain.cursors import Cursors
from domain.errors import BadCursor, NotServed

_SCOPE = "exports"
PATH = "/exports/"
"""The beginning of the path from which exports are downloaded. The sealed link follows."""


class ExportLink(NamedTuple):
    """The content of a link: the user, and when the export was requested, in milliseconds since the Unix epoch."""

    user_id: int
    requested_ms: int


def url_of(cursors: Cursors, link: ExportLink) -> str:
    """Returns the URL of an export as a path, such as `/exports/q83…`."""
    return PATH + cursors.seal(_SCOPE, *link)


def opened(cursors: Cursors, sealed: str) -> ExportLink:
    """Returns the content of a sealed link. Raises NotServed if this deployment has not made it."""
    try:
        user_id, requested_ms = cursors.open(_SCOPE, sealed)
    except BadCursor as error:
        raise NotServed("There is no export with this link.", 404) from error
    return ExportLink(user_id, requested_ms)
