"""Requests of pages of other origins (CORS)."""

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import PlainTextResponse, Response

_REFUSED = 400


class Cors(CORSMiddleware):
    """Starlette's middleware for requests of pages of other origins. If such a page may not call the API, the answer to
    the preflight request of its browser says which setting allows it. Browsers show this answer to developers.
    """

    def preflight_response(self, request_headers: Headers) -> Response:
        """Answers the request with which a browser asks whether a page may call the API."""
        response = super().preflight_response(request_headers)
        if response.status_code != _REFUSED:
            return response
        is_allowed = self.is_allowed_origin(request_headers["origin"])
        what = "these headers, or this method, of pages" if is_allowed else "pages of this origin"
        setting = "PLAUDIT_CORS_HEADERS" if is_allowed else "PLAUDIT_CORS_ORIGINS"
        headers = {name: value for name, value in response.headers.items() if not name.startswith("content-")}
        reason = f"This API does not accept {what}. The setting {setting} lists what it accepts.\n"
        return PlainTextResponse(reason, _REFUSED, headers)
