"""Static files. Each folder has its own caching policy."""

from os import PathLike

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

FOREVER = "public, max-age=31536000, immutable"
"""The Cache-Control header for paths that contain a version: browsers need not ask again, because a new version has a
new path.
"""

REVALIDATE = "no-cache"
"""The Cache-Control header for our own files without a version in the path. Browsers check the ETag before each use, so
that they see a new deployment at once.
"""


class Assets(StaticFiles):
    """Static files with one Cache-Control header. Only pages of the API's own origin may use them."""

    def __init__(self, directory: str | PathLike[str], *, cache_control: str) -> None:
        super().__init__(directory=directory)
        self.cache_control = cache_control

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Returns the response of StaticFiles with Cache-Control and Cross-Origin-Resource-Policy. If the file does not
        exist, raises HTTPException 404, whose response is not cached.
        """
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = self.cache_control
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        return response
