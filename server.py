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

import uvicorn
from starlette.applications import Starlette

from api.processes import Processes
from api.transports.connections import CLOSE, IDLE_SECONDS
from api.transports.overload import SheddingConnection
from api.transports.websocket_frames import MOST_MESSAGE_BYTES, WebSocketConnection
from app import create_app
from checks.ports import refuse_taken_ports
from dependencies.uvicorn import Server as UvicornServer
from observability import logs
from settings import Settings
from state import calm_collector
from store.write_log.redis_check import stand_in

_NOT_STARTED = 3
"""The exit code if the server could not start; uvicorn's own command line uses the same."""
STALLED = 30.0
"""Seconds after which the kernel closes a connection whose client does not read what was sent."""
ACCEPTED = 16
"""New connections that are accepted in one turn of the event loop.

uvloop accepts one for each listening socket, so the socket is duplicated: otherwise new clients would wait for as many
turns as there are clients before them.
"""

_FIRST_REQUEST_SECONDS = 1.0
"""Seconds that an accepted connection has to send its first request once the server accepts no more connections."""


class Server(UvicornServer):
    """A uvicorn server that drains before it stops.

    After a signal to stop, it keeps serving for `settings.drains` seconds: /readyz answers 503, and every answer asks
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
        """Starts to listen on the first of `sockets`, or on a new socket. Accepted connections inherit the options of
        this socket. Then starts the task that checks Redis while no worker runs.
        """
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
        whether there are connections that have not received a request yet.
        """
        connections = [one for one in self.server_state.connections if isinstance(one, SheddingConnection)]
        for connection in connections:
            if not connection.is_new:
                connection.shutdown()
        return any(connection.is_new for connection in connections)


def configuration(app: Starlette, settings: Settings) -> uvicorn.Config:
    """Returns uvicorn's configuration for serving this application."""
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
        ws=WebSocketConnection,
        ws_max_size=MOST_MESSAGE_BYTES,
        ws_ping_interval=settings.connections.keep_alive_interval,
        ws_ping_timeout=settings.connections.keep_alive_interval,
        ws_per_message_deflate=False,  # each connection would keep two windows in memory
    )


def _both_networks(network: IPv4Network | IPv6Network) -> list[str]:
    """Returns an IPv4 network in two forms, as IPv4 and as IPv4-mapped IPv6, because an IPv6 socket reports IPv4
    clients with mapped addresses. Returns an IPv6 network in its one form.
    """
    if network.version == 6:
        return [str(network)]
    return [str(network), f"::ffff:{network.network_address}/{96 + network.prefixlen}"]


def serve(settings: Settings, processes: int = 1) -> None:
    """Runs the API until SIGTERM or SIGINT, then finishes running requests. A second signal ends the API at once. If
    `processes` is more than 1, that many processes share the port.

    Raises Misconfigured if a port is taken. One process returns after it has served requests, or exits with an exit
    code if the server could not start. With several processes, always exits with an exit code.
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
