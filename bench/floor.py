"""The least server, `python -m bench.floor`: does only what no server could leave out for such requests.

It reads a request as JSON, verifies the token, sends the bytes that Plaudit sends to Redis for such a request, parses
the replies, and answers with Plaudit's answer. `recorded` makes the file with these bytes. All commands of a request go
out in one pipeline. Likes and their removals take turns, each under a new idempotency key, so that each request changes
something.
"""

import asyncio
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count
from pathlib import Path
from threading import Thread
from typing import cast
from urllib.parse import urlsplit

import hiredis
import orjson
import uvicorn
from starlette.types import Receive, Scope, Send

from bench.client import connected
from bench.machine import Machine
from identity.auth import Verifier
from runner.ports import HOST
from settings import Settings

FILE = "BENCH_FLOOR"
"""The environment variable with the path of the file that `recorded` has made."""
_QUIET = 0.3
"""The number of seconds after an answer in which the API may still send Redis commands for it."""
_RECORD = b":idem:"
"""The part before the actor and the digest in the key of an idempotency record."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The recorded traffic of one request: the bytes that the API sent to Redis, the number of Redis's replies, and the
    bytes of the API's answer. Bytes are kept as Latin-1 texts, because JSON has no bytes.
    """

    sent: str
    replies: int
    answer: str


class _Recorder:
    """A proxy in front of Redis that records the bytes that clients send (`sent`)."""

    def __init__(self, url: str) -> None:
        self._to = urlsplit(url)
        self.sent = bytearray()

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, here = await asyncio.open_connection(self._to.hostname, self._to.port)
        await asyncio.gather(self._copy(reader, here, self.sent), self._copy(there, writer, bytearray()))

    async def _copy(self, source: asyncio.StreamReader, to: asyncio.StreamWriter, kept: bytearray) -> None:
        while data := await source.read(1 << 20):
            kept += data
            to.write(data)
        to.close()


async def recorded(machine: Machine, requests: Mapping[str, bytes]) -> Path:
    """Sends each request to an API process twice, so that everything is cached the second time. Writes what was
    recorded the second time into a file, and returns the path of the file.
    """
    found = {}
    with (
        _recording(machine.settings.redis_url) as (recorder, url),
        machine.another_api("recorded", REDIS_URL=url) as port,
    ):
        async with connected(port, 1) as client:
            for request in [*requests.values()] * 2:
                await client.ask(request)
            for name, request in requests.items():
                await asyncio.sleep(_QUIET)
                recorder.sent.clear()
                answer = await client.ask(request)
                await asyncio.sleep(_QUIET)
                sent = bytes(recorder.sent)
                found[name] = asdict(Recorded(sent.decode("latin-1"), _commands(sent), answer.decode("latin-1")))
    file = machine.home / "floor.json"
    file.write_bytes(orjson.dumps(found))
    return file


def _commands(sent: bytes) -> int:
    """Returns the number of Redis commands in `sent`."""
    reader = hiredis.Reader()
    reader.feed(sent)
    return sum(1 for _ in iter(reader.gets, False))


@contextmanager
def _recording(url: str) -> Iterator[tuple[_Recorder, str]]:
    """Runs a recorder in front of the Redis at `url`. Yields the recorder, and its own URL. The recorder has a thread
    of its own, because starting a program blocks the event loop of the benchmark.
    """
    recorder = _Recorder(url)
    opened: Future[tuple[int, Callable[[], object]]] = Future()
    thread = Thread(target=lambda: asyncio.run(_serve(recorder, opened)))
    thread.start()
    port, stop = opened.result()
    try:
        yield recorder, f"redis://{HOST}:{port}"
    finally:
        stop()
        thread.join()


async def _serve(recorder: _Recorder, opened: Future[tuple[int, Callable[[], object]]]) -> None:
    loop, stopping = asyncio.get_running_loop(), asyncio.Event()
    async with await asyncio.start_server(recorder.connect, HOST) as server:
        port = server.sockets[0].getsockname()[1]
        opened.set_result((port, partial(loop.call_soon_threadsafe, stopping.set)))
        await stopping.wait()


class _Redis(asyncio.Protocol):
    """A connection to Redis."""

    def __init__(self) -> None:
        self._ended = 0
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()
        """For each unfinished request: its future, and the number of replies on this connection with which it is
        finished.
        """
        self._reader = hiredis.Reader()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # the types of uvloop do not declare it

    def send(self, data: bytes, replies: int) -> asyncio.Future[None]:
        """Sends commands, which get `replies` replies. Returns a future that is done when these have been parsed."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(((self._waiting[-1][0] if self._waiting else self._ended) + replies, future))
        self._transport.write(data)
        return future

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        while self._reader.gets() is not False:
            self._ended += 1
        while self._waiting and self._waiting[0][0] <= self._ended:
            self._waiting.popleft()[1].set_result(None)


class Floor:
    """Answers the requests of the least server, as an ASGI application."""

    def __init__(self) -> None:
        settings = Settings()
        pages = {name: Recorded(**one) for name, one in orjson.loads(Path(os.environ[FILE]).read_bytes()).items()}
        self._pages = {
            name: (one.sent.encode("latin-1"), one.replies, one.answer.encode("latin-1")) for name, one in pages.items()
        }
        self._verifier = Verifier(settings)
        self._url = urlsplit(settings.redis_url)
        self._redis: _Redis | None = None
        self._numbers = count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _started(receive, send)
            return
        answer = b""
        if scope["path"] == "/graphql":
            body = (await receive())["body"]
            variables = orjson.loads(body)["variables"]
            token = next(value for name, value in scope["headers"] if name == b"authorization")
            await self._verifier.verify(token.decode().removeprefix("Bearer "))
            answer = await self._answer(
                "square" if "count" in variables else "home" if "first" in variables else "like"
            )
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(answer))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answer})

    async def _answer(self, page: str) -> bytes:
        if self._redis is None:
            assert self._url.hostname
            assert self._url.port
            _, self._redis = await asyncio.get_running_loop().create_connection(
                _Redis, self._url.hostname, self._url.port
            )
        number = 0
        if page == "like":
            number = next(self._numbers)
            page = "unlike" if number % 2 else "like"
        sent, replies, answer = self._pages[page]
        if number:
            sent = _renamed(sent, number)
        await self._redis.send(sent, replies)
        return answer


def _renamed(sent: bytes, number: int) -> bytes:
    """Returns the commands of a like with another idempotency key, made from `number`, so that the request is a new
    one.
    """
    start = sent.index(b":", sent.index(_RECORD) + len(_RECORD)) + 1
    end = sent.index(b"\r\n", start)
    return sent[:start] + (b"%x" % number).rjust(end - start, b"0") + sent[end:]


async def _started(receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await send({"type": "lifespan.shutdown.complete"})


if __name__ == "__main__":
    settings = Settings()
    uvicorn.run(Floor(), host=settings.host, port=settings.port, log_config=None, access_log=False, server_header=False)
