"""How long a request holds the event loop: the CPU time of the longest step of any task."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from tests.support.cpu_time import beside_known_work
from tests.support.system import System

Head = Sequence[tuple[bytes, bytes]]
LONGEST = 0.020
"""Seconds of CPU time."""
_RUNS = 12
"""Other processes slow a request down. A request counts as slow only if it is slow in every run."""


@contextmanager
def watched() -> Iterator[list[float]]:
    """Collects the CPU time of every step of the event loop while the block runs."""
    steps: list[float] = []
    run = asyncio.events.Handle._run

    def timed(handle: asyncio.events.Handle) -> None:
        started = time.thread_time()
        run(handle)
        steps.append(time.thread_time() - started)

    asyncio.events.Handle._run = timed  # type: ignore[method-assign,assignment]
    try:
        yield steps
    finally:
        asyncio.events.Handle._run = run  # type: ignore[method-assign]


class HttpRequest(NamedTuple):
    """An HTTP request."""

    method: str = "POST"
    query_string: bytes = b""
    head: Head = ((b"content-type", b"application/json"),)
    body: bytes = b""


async def call(system: System, request: HttpRequest) -> tuple[int, bytes]:
    """Sends a request straight to the ASGI application. Returns status and body."""
    scope: dict[str, Any] = {
        "type": "http",
        "http_version": "1.1",
        "method": request.method,
        "path": "/graphql",
        "raw_path": b"/graphql",
        "root_path": "",
        "scheme": "http",
        "query_string": request.query_string,
        "headers": list(request.head),
        "client": ("203.0.113.7", 4711),
        "server": ("plaudit.test", 80),
    }
    answer: list[Any] = []
    arriving = iter([{"type": "http.request", "body": request.body, "more_body": False}])

    async def receive() -> Any:
        return next(arriving, None) or await asyncio.Future()

    async def send(message: Any) -> None:
        answer.append(message)

    await system.app(scope, receive, send)
    return answer[0]["status"], b"".join(message.get("body", b"") for message in answer[1:])


async def longest_step(system: System, requests: Iterator[HttpRequest]) -> tuple[float, int]:
    """Returns the CPU time of the longest step of a request, in the fastest of several runs, and the status.

    The time is as on a machine of normal speed.

    Every run sends the next of `requests`. Returns after one run if that run was short.
    """
    least, status = float("inf"), 0
    with watched() as steps:
        for _ in range(_RUNS):
            steps.clear()
            with beside_known_work() as machine:
                status, _ = await asyncio.create_task(call(system, next(requests)))
            least = min(least, max(steps) / machine.slowness)
            if least < LONGEST / 2:
                break
    return least, status
