"""Refuses requests while the process is full, as early as possible, because each refusal takes time from other
responses.

Most requests are refused as soon as uvicorn has read their heads, without a task or an ASGI message. The application
refuses the others: a browser of another origin needs CORS headers to read the error, and writing to a client that does
not read its responses must wait.
"""

from typing import cast

from starlette.applications import Starlette
from starlette.types import Send

from api import responses
from api.transports.connections import CLOSE, HttpConnection, encode_error
from dependencies.uvicorn import ASGI3Application, RequestResponseCycle
from domain.errors import Unavailable
from observability import metrics

OVERLOADED = Unavailable("There are too many requests here right now.")
_REFUSED = responses.error_response(OVERLOADED)


async def refuse(send: Send) -> None:
    """Sends a response with status 503 through the ASGI function `send`, for a request that the application refuses."""
    metrics.REQUESTS_SHED.inc()
    await _REFUSED.send(send)


class SheddingConnection(HttpConnection):
    """An HTTP connection that refuses requests while the process is full: at most one request for each piece of data
    that it receives. The application handles further requests in the same piece.
    """

    _has_refused = False

    def data_received(self, data: bytes) -> None:
        self._has_refused = False
        super().data_received(data)

    def start_request(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        if not self._can_refuse(cycle):
            super().start_request(cycle, app)
            return
        self._has_refused = True
        metrics.REQUESTS_SHED.inc()
        self.transport.write(encode_error(OVERLOADED, self.server_state.default_headers))
        cycle.response_complete = True  # data of its body is discarded
        self.on_response_complete()

    def _can_refuse(self, cycle: RequestResponseCycle) -> bool:
        """Returns whether this connection can refuse a request itself: the process is full, and the application is not
        needed for the response.
        """
        scope, app = cycle.scope, cast("Starlette", self.config.app)
        return (
            app.state.endpoint.is_full
            and (scope["method"], scope["path"]) == ("POST", "/graphql")
            and cycle.keep_alive
            and CLOSE not in self.server_state.default_headers
            and not self.flow.write_paused
            and not self._has_refused
            and all(name != b"origin" for name, _ in scope["headers"])
        )
