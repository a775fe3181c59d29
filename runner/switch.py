"""The failure switch of `plaudit dev`: stops and starts its Redis and its Postgres, so that developers can watch what
their apps do during an outage.

| request | effect |
|---|---|
| `GET /` | tells which stores run, as JSON |
| `POST /redis/stop`, `POST /postgres/stop` | stops the store, and keeps it stopped |
| `POST /redis/start`, `POST /postgres/start` | starts it again |

The switch listens on a port of its own on loopback, in the process of `plaudit dev`. No other program of Plaudit has
it, so it cannot exist in production. The API that `plaudit dev` starts passes requests of the demo app on to it
(web/stores.py). Requests need the header `X-Plaudit-Dev: 1`, which a page of another site cannot
send, and a Host header with an address of loopback.
"""

import json
import queue
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from runner.ports import HOST
from runner.server import Server
from runner.supervisor import Supervisor
from runner.valkey import Valkey

_HEADER = "X-Plaudit-Dev"
_SECONDS = 30.0
"""The longest wait until the main thread has stopped or released a store."""
_NAMES = ("postgres", "redis")


@dataclass(slots=True)
class _Wish:
    store: Server
    stop: bool
    done: threading.Event = field(default_factory=threading.Event)


class Switch:
    """Stops and starts the stores that this process has started, which `add` names. Other threads call `change`; the
    main thread calls `look`, because a store ends when the thread that started it ends.
    """

    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor
        self._stores: dict[str, Server] = {}
        self._wishes: queue.SimpleQueue[_Wish] = queue.SimpleQueue()

    def add(self, stores: Sequence[Server]) -> None:
        """Lets the switch stop and start these stores."""
        self._stores |= {"redis" if isinstance(store, Valkey) else "postgres": store for store in stores}

    def states(self) -> dict[str, str]:
        """Returns the state of each store that this process has started: `running`, `stopped` or `starting`."""
        return {name: self._state(store) for name, store in sorted(self._stores.items())}

    def _state(self, store: Server) -> str:
        if self._supervisor.is_held(store):
            return "stopped"
        return "running" if store.running else "starting"

    def knows(self, name: str) -> bool:
        """Returns whether this process has started the store `redis` or `postgres`."""
        return name in self._stores

    def change(self, name: str, *, stop: bool) -> bool:
        """Asks the main thread to stop or to start a store, and waits until it has done so. Returns False if that takes
        too long. A started store may need some more seconds until it answers.
        """
        wish = _Wish(self._stores[name], stop)
        self._wishes.put(wish)
        return wish.done.wait(_SECONDS)

    def look(self) -> None:
        """Does what other threads have asked for."""
        while not self._wishes.empty():
            wish = self._wishes.get()
            if wish.stop:
                self._supervisor.hold(wish.store)
            else:
                self._supervisor.release(wish.store)
            wish.done.set()


@contextmanager
def switching(switch: Switch) -> Iterator[str]:
    """Serves the switch while the block runs, on a free port of loopback. Yields its URL."""

    class Handler(_Handler):
        served = switch

    server = ThreadingHTTPServer((HOST, 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://{HOST}:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    served: Switch
    timeout = 5
    server_version, sys_version = "Plaudit", ""

    def do_GET(self) -> None:
        """Answers with the states of the stores."""
        if self._is_allowed():
            if self.path == "/":
                self._answer(200, self.served.states())
            else:
                self._answer(404, {"error": "GET / tells which stores run."})

    def do_POST(self) -> None:
        """Stops or starts a store."""
        if not self._is_allowed():
            return
        name, _, verb = self.path.removeprefix("/").partition("/")
        if name not in _NAMES or verb not in ("stop", "start"):
            self._answer(404, {"error": "POST /redis/stop, /redis/start, /postgres/stop or /postgres/start."})
        elif not self.served.knows(name):
            self._answer(404, {"error": f"`plaudit dev` has not started this {name}: its URL was given."})
        elif self.served.change(name, stop=verb == "stop"):
            self._answer(200, self.served.states())
        else:
            self._answer(503, {"error": "The store did not stop in time."})

    def _is_allowed(self) -> bool:
        """Returns whether a request is from a program of this machine. Otherwise answers with status 403."""
        host = self.headers.get("Host", "").rpartition(":")[0]
        if host in (HOST, "localhost") and self.headers.get(_HEADER) == "1":
            return True
        self._answer(403, {"error": f"Send the header {_HEADER}: 1, to {HOST}."})
        return False

    def _answer(self, status: int, body: dict[str, Any]) -> None:
        content = json.dumps(body).encode() + b"\n"
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *_: Any) -> None:  # noqa: A002 - the name in the base class
        """Writes nothing: the supervisor says what it stops and starts."""
