"""Files for the browser, each folder with its own time in caches."""

from os import PathLike

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

FOREVER = "public, max-age=31536000, immutable"
"""For paths that contain a version: other bytes get another path."""

REVALIDATE = "no-cache"
"""For our own files: kept, but asked about (ETag) before each use, so that a deployment shows at once."""


class Assets(StaticFiles):
    """Static files that only this origin's pages may use, with one Cache-Control for all of them."""

    def __init__(self, directory: str | PathLike[str], *, cache_control: str) -> None:
        super().__init__(directory=directory)
        self.cache_control = cache_control

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer as StaticFiles does, with our headers; a missing file is its 404 and is not cached."""
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = self.cache_control
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        return response
