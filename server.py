"""The API process: uvicorn with limits on connections, WebSockets and shutdown."""

import asyncio
import resource
import signal
import socket
import sys
import time
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network
from types import FrameType
from typing import Any

import uvicorn
from starlette.applications import Starlette
from websockets import CloseCode

from api.processes import Processes
from api.transports.connections import CLOSE, IDLE_SECONDS, UVICORN_LOG, encode_error
from api.transports.overload import SheddingConnection
from app import create_app
from checks.ports import refuse_taken_ports
from dependencies.uvicorn import Server as UvicornServer
from dependencies.uvicorn import WebSocketProtocol
from domain.errors import NotServed
from observability import logs
from settings import Settings
from state import calm_collector
from store.write_log.redis_check import stand_in

_NOT_STARTED = 3
"""The exit code if the server could not start; uvicorn's own command line uses the same."""
STALLED = 30.0
"""Seconds after which the kernel closes a connection whose client does not read what was sent."""
GONE_AFTER = 5.0
"""Seconds that a client has to read why its connection is closed."""
ACCEPTED = 16
"""New connections that are accepted in one turn of the event loop.

uvloop accepts one for each listening socket, so the socket is duplicated: otherwise new clients would wait for as many
turns as there are clients before them.
"""

_FIRST_REQUEST_SECONDS = 1.0
"""Seconds that an accepted connection has to send its first request once the server accepts no more connections."""
_MOST_MESSAGE_BYTES = 100_000
"""The most bytes of a WebSocket message. By default, a document has at most 10,000 characters; the variables of a
subscription have at most 16,384 bytes.
"""
_FRAMES = 1000
"""WebSocket frames (messages, pings and pongs) that a client may send in a burst."""
_FRAMES_PER_SECOND = 100.0
"""WebSocket frames per second that a client may send on average."""
_SLICE = 1024
"""Bytes that are parsed between two counts of frames."""

_NO_HANDSHAKE = NotServed("This does not open a WebSocket.", 400)


class _WebSocket(WebSocketProtocol):
    """A WebSocket connection that is closed if the client does not read, or sends too many frames. Parsing a frame
    takes CPU time, however small the frame is.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.logger = self.conn.logger = UVICORN_LOG
        self._frames_left = float(_FRAMES)
        self._counted_at = time.monotonic()
        self.default_headers = [header for header in self.default_headers if header != CLOSE]  # the library adds it

    def data_received(self, data: bytes) -> None:
        """Passes data to the parser in slices. Refuses a handshake that is not HTTP, because uvicorn would never close
        such a connection.
        """
        if not self.handshake_initiated:  # the first data is the whole request head
            super().data_received(data)
            if not self.handshake_initiated:
                self.transport.write(encode_error(_NO_HANDSHAKE, [*self.default_headers, CLOSE]))
                self.transport.close()
            return
        for start in range(0, len(data), _SLICE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + _SLICE])

    def handle_events(self) -> None:
        """Counts the received frames, and closes the connection if the client has sent too many."""
        now = time.monotonic()
        refilled = self._frames_left + (now - self._counted_at) * _FRAMES_PER_SECOND
        self._frames_left, self._counted_at = min(_FRAMES, refilled) - len(self.conn.events), now
        super().handle_events()
        if self._frames_left < 0 and not self.transport.is_closing():
            self.conn.fail(CloseCode.POLICY_VIOLATION, "Too many frames")
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()
            self.loop.call_later(GONE_AFTER, self._abort)

    async def send(self, message: Any) -> None:
        """Sends an ASGI message. A close message is sent even if the client has not read earlier messages."""
        if message["type"] == "websocket.close":
            self.writable.set()
            self.loop.call_later(GONE_AFTER, self._abort)
        await super().send(message)

    def _abort(self) -> None:
        self.transport.abort()


class Server(UvicornServer):
    """A uvicorn server that drains before it stops.

    After a signal to stop it keeps serving for `settings.drains` seconds: /readyz answers 503, and every answer asks
    the client to close its connection. Then it accepts no more connections, ends streams, waits for running requests,
    and closes connections whose clients do not read.
    """

    def __init__(self, app: Starlette, settings: Settings) -> None:
        super().__init__(configuration(app, settings))
        self._app = app
        self._drains = settings.drains
        self._checking: asyncio.Task[None] | None = None
        self.leaves_at = 0.0
        """When draining ends, by the monotonic clock in seconds; set when the process is asked to stop."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Starts draining at the first signal; ends the process at the second."""
        if self.should_exit:
            signal.signal(sig, signal.SIG_DFL)
            signal.raise_signal(sig)
        self.leaves_at = time.monotonic() + self._drains
        self._app.state.stopping = True
        super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """Closes connections whose deadline has passed. Returns whether the server should shut down now. uvicorn calls
        this method ten times a second.
        """
        if counter % 10 == 0:
            self._app.state.connections.close_expired()
        if not self.should_exit:
            return await super().on_tick(counter)
        if CLOSE not in self.config.encoded_headers:
            self.config.encoded_headers.append(CLOSE)
        await super().on_tick(0)  # 0 makes uvicorn renew the default headers
        return time.monotonic() >= self.leaves_at

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts to listen on the socket. Accepted connections inherit the options of this socket."""
        with sockets[0] if sockets else self.config.bind_socket() as one:
            if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux only
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(STALLED * 1000))
            await super().startup([one.dup() for _ in range(ACCEPTED)])
        if self.started:
            state = self._app.state.plaudit
            self._checking = asyncio.create_task(stand_in(state.settings, state.postgres, state.write_mode))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accepts no more connections, ends streams and WebSockets, then waits for requests to finish.

        First waits up to a second for the first requests of new connections, because uvicorn closes connections without
        a running request.
        """
        for listener in self.servers:
            listener.close()
        if self._checking:
            self._checking.cancel()
            await asyncio.wait([self._checking])
        self._app.state.streaming_limits.stopping.set()
        self._close_used()
        for _ in range(100):
            await asyncio.sleep(_FIRST_REQUEST_SECONDS / 100)
            if not self._close_used():
                break
        await super().shutdown(sockets)

    def _close_used(self) -> bool:
        """Closes the HTTP connections that have received a request, or lets their next response close them. Returns
        whether there are others.
        """
        connections = [one for one in self.server_state.connections if isinstance(one, SheddingConnection)]
        for connection in connections:
            if not connection.is_new:
                connection.shutdown()
        return any(connection.is_new for connection in connections)


def configuration(app: Starlette, settings: Settings) -> uvicorn.Config:
    """Returns uvicorn's configuration for the application."""
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        forwarded_allow_ips=[name for network in settings.trusted_proxies for name in _both_networks(network)],
        log_config=None,
        access_log=False,
        server_header=False,
        headers=[("X-Content-Type-Options", "nosniff")],
        timeout_keep_alive=int(IDLE_SECONDS),
        timeout_graceful_shutdown=10,
        http=SheddingConnection,
        ws=_WebSocket,
        ws_max_size=_MOST_MESSAGE_BYTES,
        ws_ping_interval=settings.connections.keep_alive_interval,
        ws_ping_timeout=settings.connections.keep_alive_interval,
        ws_per_message_deflate=False,  # each connection would keep two windows in memory
    )


def _both_networks(network: IPv4Network | IPv6Network) -> list[str]:
    """Returns a network as an IPv4 and as an IPv4-mapped IPv6 network. An IPv6 socket reports IPv4 clients with mapped
    addresses.
    """
    if network.version == 6:
        return [str(network)]
    return [str(network), f"::ffff:{network.network_address}/{96 + network.prefixlen}"]


def serve(settings: Settings, processes: int = 1) -> None:
    """Runs the API until SIGTERM or SIGINT, then finishes running requests. A second signal ends the API at once. If
    `processes` is more than 1, that many processes share the port. Raises Misconfigured if a port is taken.
    """
    logs.configure(settings.log_level, as_json=settings.logs_json)
    metrics_ports = [settings.of_process(number).metrics_port for number in range(processes)]
    refuse_taken_ports(
        settings, [("PLAUDIT_PORT", settings.port), *(("PLAUDIT_METRICS_PORT", port) for port in metrics_ports)]
    )
    _raise_file_limit(settings)
    if processes == 1:
        _serve(settings)
        return
    port = configuration(create_app(settings), settings).bind_socket()
    port.setblocking(False)  # set before the fork: the flag is shared, and a starting child would block the others

    def child(number: int) -> None:
        _serve(settings.of_process(number), [port])

    sys.exit(Processes(child, processes, _NOT_STARTED).run())


def _serve(settings: Settings, sockets: list[socket.socket] | None = None) -> None:
    server = Server(create_app(settings), settings)
    calm_collector()
    with suppress(KeyboardInterrupt):  # the server has already handled it
        server.run(sockets)
    if not server.started:
        sys.exit(_NOT_STARTED)


def _raise_file_limit(settings: Settings) -> None:
    """Raises the limit of open files of this process to two for each connection, up to the hard limit. The usual soft
    limit is 1024.
    """
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * settings.connections.most
    wanted = wanted if most < 0 else min(wanted, most)
    if 0 <= files < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
