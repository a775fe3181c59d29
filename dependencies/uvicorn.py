"""Undocumented parts of uvicorn: the protocols of its connections, and the methods of its server.

**What.** `HttpProtocol` is uvicorn's protocol on top of httptools; `start_request` is the private method with which it
starts a request. `RequestResponseCycle` is the state of one request. `WebSocketProtocol` is the protocol on top of
`websockets`, and has the received frames in `conn.events`, which `websockets` does not document either. `Server` is
documented, but not its methods `startup`, `on_tick`, `handle_exit` and `shutdown`, which Plaudit overrides.

**Why.** The documented settings do not limit the size of a request head, the time in which it must arrive, or WebSocket
frames, and no setting lets a server finish its requests before it stops. A whole response is written at once, because
two ASGI messages cost several times as much for a small response (docs/adr/0040-graphql-requests-bypass-starlette.md).

**Test.** tests/dependencies/test_uvicorn.py serves requests with these classes, and checks every attribute and method
that api/transports and server.py use.

**Upgrade.** Compare `httptools_impl.py`, `websockets_sansio_impl.py` and `server.py` of both versions of uvicorn. If
only a name has changed, change it here. If a step has moved, change api/transports/connections.py or server.py, and run
tests/api/transports. To do without: `uvicorn.run(app)` serves the application, without these limits and with two ASGI
messages for a response.
"""

from typing import Any

from uvicorn import Server
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

__all__ = ["ASGI3Application", "HttpProtocol", "RequestResponseCycle", "Server", "WebSocketProtocol"]

WebSocketProtocol = WebSocketsSansIOProtocol


class HttpProtocol(HttpToolsProtocol):
    """An HTTP connection of uvicorn's. It calls `start_request` for each request whose head is complete, when all
    responses to earlier requests have been sent. Subclasses may override this method.
    """

    start_request = HttpToolsProtocol._start_asgi_task

    def __init_subclass__(cls, **options: Any) -> None:
        """Lets uvicorn call `start_request` of the subclass directly, because a request must not cost another call."""
        super().__init_subclass__(**options)
        cls._start_asgi_task = cls.start_request  # type: ignore[method-assign]
