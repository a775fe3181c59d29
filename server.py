"""The API's process: uvicorn, as long-lived connections need it."""

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
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode

from api.processes import Processes
from api.transports.connections import IDLE, UVICORN_LOG, answer
from api.transports.overload import CLOSE, Http
from app import create_app
from domain.errors import NotServed
from observability import logs
from settings import Settings
from state import calm_collector

_NOT_STARTED = 3
"""The exit code that uvicorn's own command line has for it."""
STALLED = 30.0
"""Seconds for which a client may read nothing of what waits for it; then the kernel ends its connection."""
GONE_AFTER = 5.0
"""Seconds that a client has to read why its connection is closed."""
ACCEPTED = 16
"""Connections taken in a turn of the event loop: of one listening socket uvloop takes but one, so that turns that have
grown long would keep everybody waiting who connects anew.
"""

_FRAMES = 1000
"""Frames, of messages, pings and pongs, that a client may send at once over a WebSocket."""
_FRAMES_PER_SECOND = 100.0
_SLICE = 1024
"""Bytes that are read between two counts of frames."""

_NO_HANDSHAKE = NotServed("This does not open a WebSocket.", 400)


class _WebSocket(WebSocketsSansIOProtocol):
    """Closes connections also to clients that do not read, and to those that send too many frames: reading one takes
    time, however small it is.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.logger = self.conn.logger = UVICORN_LOG
        self._frames_left = float(_FRAMES)
        self._counted_at = time.monotonic()
        self.default_headers = [header for header in self.default_headers if header != CLOSE]  # it has its own

    def data_received(self, data: bytes) -> None:
        """Refuses a head that the library cannot read; uvicorn would keep such a connection open for ever."""
        if not self.handshake_initiated:  # the first data is a whole head
            super().data_received(data)
            if not self.handshake_initiated:
                self.transport.write(answer(_NO_HANDSHAKE, [*self.default_headers, CLOSE]))
                self.transport.close()
            return
        for start in range(0, len(data), _SLICE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + _SLICE])

    def handle_events(self) -> None:
        """Closes the connection of a client that has sent more frames than it may."""
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
        """As ASGI has it. To close, nobody waits for what was sent before to be read."""
        if message["type"] == "websocket.close":
            self.writable.set()
            self.loop.call_later(GONE_AFTER, self._abort)
        await super().send(message)

    def _abort(self) -> None:
        self.transport.abort()


class Server(uvicorn.Server):
    """Told to stop, it goes on serving while /readyz says 503 and every answer asks its client to connect anew. Then
    leaves nobody waiting for clients that do not read; ends streams before it waits for requests to end, since they
    would not.
    """

    def __init__(self, app: Starlette, settings: Settings) -> None:
        super().__init__(configuration(app, settings))
        self._app = app
        self._drains = settings.drains
        self.leaves_at = 0.0
        """By the monotonic clock, once it has been told to stop."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first signal begins the end, the second is it."""
        if self.should_exit:
            signal.signal(sig, signal.SIG_DFL)
            signal.raise_signal(sig)
        self.leaves_at = time.monotonic() + self._drains
        self._app.state.stopping = True
        super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """Whether to leave."""
        if counter % 10 == 0:
            self._app.state.connections.sweep()
        if not self.should_exit:
            return await super().on_tick(counter)
        if CLOSE not in self.config.encoded_headers:
            self.config.encoded_headers.append(CLOSE)
        await super().on_tick(0)  # 0 has headers renewed
        return time.monotonic() >= self.leaves_at

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listens. Connections have what their listening socket has."""
        with sockets[0] if sockets else self.config.bind_socket() as one:
            if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux has it
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(STALLED * 1000))
            await super().startup([one.dup() for _ in range(ACCEPTED)])

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Finishes requests and leaves everybody else."""
        self._app.state.connection_limits.stopping.set()
        await super().shutdown(sockets)


def configuration(app: Starlette, settings: Settings) -> uvicorn.Config:
    """How the application is served."""
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        forwarded_allow_ips=[name for network in settings.trusted_proxies for name in _names(network)],
        log_config=None,
        access_log=False,
        server_header=False,
        headers=[("X-Content-Type-Options", "nosniff")],
        timeout_keep_alive=int(IDLE),
        timeout_graceful_shutdown=10,
        http=Http,
        ws=_WebSocket,
        ws_max_size=settings.max_message_bytes,
        ws_ping_interval=settings.keep_alive_interval,
        ws_ping_timeout=settings.keep_alive_interval,
        ws_per_message_deflate=False,  # each connection would keep two windows in memory
    )


def _names(network: IPv4Network | IPv6Network) -> list[str]:
    """How peers in it may be called: who comes over IPv4 to a socket of IPv6 has an address of both."""
    if network.version == 6:
        return [str(network)]
    return [str(network), f"::ffff:{network.network_address}/{96 + network.prefixlen}"]


def serve(settings: Settings, processes: int = 1) -> None:
    """Runs the API until it is told to stop; requests under way are finished. Told twice, it ends at once. Several
    `processes` share the port.
    """
    logs.configure(settings.log_level, as_json=settings.logs_json)
    _make_room(settings)
    if processes == 1:
        _serve(settings)
        return
    port = configuration(create_app(settings), settings).bind_socket()
    port.setblocking(False)  # before it is copied: a child that starts would make it block for all others

    def child(number: int) -> None:
        _serve(settings.of_process(number), [port])

    sys.exit(Processes(child, processes, _NOT_STARTED).run())


def _serve(settings: Settings, sockets: list[socket.socket] | None = None) -> None:
    server = Server(create_app(settings), settings)
    calm_collector()
    with suppress(KeyboardInterrupt):  # which it has handled
        server.run(sockets)
    if not server.started:
        sys.exit(_NOT_STARTED)


def _make_room(settings: Settings) -> None:
    """Lets this process open two files for each connection, as far as it may: often it starts with 1024 in all."""
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * settings.max_connections if most < 0 else min(2 * settings.max_connections, most)
    if 0 <= files < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
