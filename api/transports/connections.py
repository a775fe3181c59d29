"""Bounds the connections of a process: their number, and the size and duration of request heads.

Input: the bytes that a client sends. Output: requests whose headers are complete and within the limits; everything else
is refused here. A connection keeps at most twice `max_header_bytes` of an incomplete request head, and at most 32
requests that wait for the responses to earlier ones. A client that sends no request loses its connection after a
timeout, or earlier when a new connection needs the room.
"""

import logging
import os
import resource
import time
from collections.abc import Iterable
from functools import cache
from http import HTTPStatus
from itertools import chain
from math import inf
from typing import Any, cast

import structlog
from starlette.applications import Starlette
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from api import messages
from domain.errors import NotServed, PlauditError, Unavailable
from observability import metrics
from settings import Settings

log = structlog.get_logger(__name__)
UVICORN_LOG = logging.getLogger("uvicorn.connections")
"""uvicorn's logger for single connections. Only errors are logged: the other lines contain whole URLs, and clients
could write any number of them. Metrics count refused connections.
"""
UVICORN_LOG.setLevel(logging.ERROR)

IDLE = 75.0
"""Seconds that a connection may be idle between two requests. Longer than the idle timeout of usual proxies."""
_LINGERING = 2.0
"""Seconds that a refused client has to read the response. Data that it sends meanwhile is discarded."""
_LOG_EVERY = 60.0
_MOST_QUEUED = 32
"""Requests that a client may send before the response to an earlier one. Each takes some kilobytes until its turn."""

_NOT_HTTP = NotServed("This is not a request of HTTP/1.1.", 400)
_NO_HOST = NotServed("Send one Host header.", 400)
_LATE = NotServed("The head of the request did not arrive in time.", 408)
_LONG_URL = NotServed("The URL is too long.", 414)
_LARGE = NotServed("The headers are too large, or too many.", 431)
_AHEAD = NotServed("Read the answers before you send more requests.", 400)
_FULL = Unavailable("There are too many connections here right now.")


class Connections:
    """The HTTP connections of one process. Connections that wait for their clients make room for new ones."""

    def __init__(self, settings: Settings) -> None:
        self.head_bytes = settings.max_header_bytes
        self.head_fields = settings.max_headers
        self.header_timeout = settings.header_timeout
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.most = settings.max_connections if files < 0 else min(settings.max_connections, files // 2)
        self._waiting: dict[HttpConnection, float] = {}
        """The time until which each connection may wait for its client. The connection that has waited longest is
        first.
        """
        self._logged: dict[str, float] = {}

    def wait(self, connection: "HttpConnection", seconds: float) -> None:
        """Gives a client this many seconds to send its request. The connection keeps its place in the queue."""
        self._waiting[connection] = time.monotonic() + seconds

    def leave(self, connection: "HttpConnection") -> None:
        """Removes a connection that no longer waits for its client."""
        self._waiting.pop(connection, None)

    def is_waiting(self, connection: "HttpConnection") -> bool:
        """Tells whether the connection waits for its client to send a request."""
        return connection in self._waiting

    def make_room(self) -> bool:
        """Closes the connection that has waited longest. Returns False if no connection waits."""
        self._warn("as many connections are open as this process keeps", most=self.most)
        longest = next(iter(self._waiting), None)
        if longest:
            longest.close()
        return longest is not None

    def sweep(self) -> None:
        """Closes the connections whose time is over. Logs an error if the process has no free file descriptor."""
        now = time.monotonic()
        for connection in [connection for connection, until in self._waiting.items() if until < now]:
            connection.expire()
        try:
            os.close(os.open(os.devnull, os.O_RDONLY))
        except OSError as error:  # uvloop closes new connections without a log line
            self._warn("no file descriptor is left", error=str(error))

    def _warn(self, event: str, **facts: Any) -> None:
        now = time.monotonic()
        if now - self._logged.get(event, -inf) > _LOG_EVERY:
            self._logged[event] = now
            log.error(event, **facts)


class HttpConnection(HttpToolsProtocol):
    """One connection of a client."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.logger = UVICORN_LOG
        self._all: Connections = cast("Starlette", self.config.app).state.connections
        self.url = b""
        self._begun = False
        """Whether the client has begun a request that may be incomplete."""
        self._in_body = False
        self._refused = False
        self._error: PlauditError = _NOT_HTTP
        self._unread = 0
        """The approximate number of bytes received since the request began or a part of its body was read."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > self._all.most and not self._all.make_room():
            self.refuse(_FULL)
        else:
            self._all.wait(self, self._all.header_timeout)

    def connection_lost(self, exc: Exception | None) -> None:
        self._all.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._begun and self._all.is_waiting(self):
            self._all.wait(self, self._all.header_timeout)
        self._begun = True
        for start in range(0, len(data), self._all.head_bytes):
            if self._refused or self.transport.get_protocol() is not self:
                return
            self._feed(data[start : start + self._all.head_bytes])

    def _feed(self, data: bytes) -> None:
        """Gives the parser at most one whole head at a time, so that it never keeps more than two."""
        super().data_received(data)
        self._unread += len(data)
        if self._unread > 2 * self._all.head_bytes and not self._refused:
            self.refuse(_LONG_URL if len(self.url) > self._all.head_bytes else _LARGE)

    def on_message_begin(self) -> None:
        self._unread = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._unread = 0
        if error := self._wrong():
            self._error = error
            raise ValueError(error.message)  # the parser ends, and uvicorn calls send_400_response
        self.scope["headers"] = [*self.headers]  # trailers of the body are added to self.headers
        self._in_body = True
        self._all.leave(self)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._in_body = False
        self._rest()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._rest()

    def _rest(self) -> None:
        """Starts the idle timeout of the connection, once both the last request and its response have ended."""
        self._begun = False
        if self._cycle and self._cycle.response_complete and not self._refused:
            self._all.wait(self, IDLE)

    @property
    def _cycle(self) -> RequestResponseCycle | None:
        """The last request."""
        return self.cycle

    def _wrong(self) -> PlauditError | None:
        """Returns the reason why this head cannot be served; None if it can."""
        most = self._all.head_bytes
        if len(self.pipeline) >= _MOST_QUEUED:
            return _AHEAD
        if len(self.url) > most:
            return _LONG_URL
        sizes = [len(name) + len(value) + 4 for name, value in self.headers]
        if len(sizes) > self._all.head_fields or len(self.url) + sum(sizes) > most:
            return _LARGE
        hosts = sum(name == b"host" for name, _ in self.headers)
        if hosts > 1 or (hosts == 0 and self.parser.get_http_version() == "1.1"):
            return _NO_HOST
        return None

    def send_400_response(self, msg: str) -> None:
        """Refuses data that the parser could not read, or a head that cannot be served."""
        del msg
        self.refuse(self._error)

    def expire(self) -> None:
        """Closes a connection whose client has sent no request in time, or whose response is complete."""
        if self._begun and not self._in_body and not self._refused:
            self.refuse(_LATE)
        else:
            self.close()

    def close(self) -> None:
        """Closes the connection without a response."""
        self._all.leave(self)
        self.transport.close()

    def refuse(self, error: PlauditError) -> None:
        """Sends an error and closes the connection, after the responses to earlier requests."""
        self._refused = True
        metrics.CONNECTIONS_REFUSED.labels(error.status).inc()
        cycle = self._cycle
        if cycle and not cycle.response_complete and not cycle.more_body:
            cycle.keep_alive = False
        elif cycle and not cycle.response_complete:  # the body cannot be read
            self.transport.close()
        elif not self.transport.is_closing():
            self.transport.write(answer(error, [*self.server_state.default_headers, (b"connection", b"close")]))
            self.transport.write_eof()
            self._all.wait(self, _LINGERING)


def answer(error: PlauditError, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Returns the whole response to a refused request as bytes, for connections without an ASGI cycle."""
    status = HTTPStatus(error.status)
    own, body = _parts(error)
    lines = [b"HTTP/1.1 %d %b" % (status, status.phrase.encode()), *(b"%b: %b" % one for one in chain(headers, own))]
    return b"\r\n".join([*lines, b"", body])


@cache
def _parts(error: PlauditError) -> tuple[list[tuple[bytes, bytes]], bytes]:
    response = messages.refused(error)
    return response.raw_headers, bytes(response.body)
