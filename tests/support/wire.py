"""The traffic of a page of the demo app: operations with their cost, bytes, and late or lost answers."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from playwright.async_api import CDPSession, Page, Request, Route, WebSocket

from execution.documents import Documents
from execution.limits import LARGEST
from schema import schema
from web.demo import MANIFEST

_TEXTS: dict[str, str] = json.loads(MANIFEST.read_text())
TEXT = "text"
"""The name of operations that are sent as text."""
_DOCUMENTS = Documents(schema.graphql_core, lambda _: True)
GRAPHQL = re.compile(r"/graphql(\?|$)")
"""The addresses of requests for operations. Pages send short queries by GET."""


def body_of(request: Request) -> dict[str, Any]:
    """Returns the operation that a request asks for: `query`, `operationName`, `variables` and so on."""
    if request.method != "GET":
        body: dict[str, Any] = json.loads(request.post_data or "{}")
        return body
    given = dict(parse_qsl(urlsplit(request.url).query))
    return given | {name: json.loads(given[name]) for name in ("variables", "extensions") if name in given}


def is_of(operation: str) -> Callable[[Request], bool]:
    """Returns what tells whether a request is for the operation with this name."""
    return lambda request: body_of(request).get("operationName") == operation


@asynccontextmanager
async def unanswered(page: Page, requests: Callable[[Request], bool]) -> AsyncIterator[None]:
    """While the block runs, these requests of the page are not answered."""
    ended = asyncio.Event()

    async def handle(route: Route) -> None:
        if requests(route.request):
            await ended.wait()
        await route.continue_()

    await page.route(GRAPHQL, handle)
    try:
        yield
    finally:
        ended.set()


async def lose_answer(page: Page, operation: str) -> None:
    """Lets the API carry out the next operation with this name that the page sends. The page gets an error instead of
    the answer.
    """
    is_lost = False

    async def handle(route: Route) -> None:
        nonlocal is_lost
        if is_lost or not is_of(operation)(route.request):
            await route.continue_()
            return
        is_lost = True
        answer = await route.fetch()
        await route.fulfill(response=answer, json={"errors": [{"message": "Lost", "extensions": {"code": "LOST"}}]})

    await page.route(GRAPHQL, handle)


@dataclass
class Wire:
    """The traffic of a page so far."""

    hosts: set[str] = field(default_factory=set)
    operations: dict[str, int] = field(default_factory=dict)
    """The cost of each operation in points, in the order of the first requests. """
    repeated: list[str] = field(default_factory=list)
    """Operations that were sent again with the same variables."""
    finished: list[Request] = field(default_factory=list)
    _sent: set[str] = field(default_factory=set)

    def times_of(self, name: str) -> list[float]:
        """Returns when the browser sent the requests of an operation that are answered, in seconds."""
        sent = [request for request in self.finished if GRAPHQL.search(request.url)]
        named = [request for request in sent if body_of(request).get("operationName") == name]
        return sorted(request.timing["startTime"] / 1000 for request in named)

    def add(self, body: dict[str, Any]) -> None:
        """Notes an operation that was sent by HTTP or WebSocket."""
        if body.get("query"):
            self.operations[TEXT] = 0
            return
        text = _TEXTS[body["extensions"]["persistedQuery"]["sha256Hash"]]
        variables = body.get("variables") or {}
        operation = _DOCUMENTS.operation(text, None, variables, LARGEST)
        name = operation.name or ""
        self.operations[name] = operation.price.cost
        once = json.dumps([name, variables], sort_keys=True)
        if once in self._sent:
            self.repeated.append(name)
        self._sent.add(once)


def watched(page: Page) -> Wire:
    """Notes the traffic of a page from now on."""
    wire = Wire()

    def request(one: Request) -> None:
        wire.hosts.add(urlsplit(one.url).netloc)
        if GRAPHQL.search(one.url):
            wire.add(body_of(one))

    def socket(one: WebSocket) -> None:
        wire.hosts.add(urlsplit(one.url).netloc)
        one.on("framesent", frame)

    def frame(payload: str | bytes) -> None:
        message = json.loads(payload)
        if message["type"] == "subscribe":
            wire.add(message["payload"])

    def finished(one: Request) -> None:
        wire.finished.append(one)

    page.on("request", request)
    page.on("requestfinished", finished)
    page.on("websocket", socket)
    return wire


class Received:
    """The bytes that a page receives from now on, by HTTP with headers and as they were sent, and by WebSocket. Needs a
    session with `Network.enable`.
    """

    def __init__(self, session: CDPSession) -> None:
        self.sizes: Counter[str] = Counter()
        """Bytes by path. What comes from the browser's cache has 0."""
        self._paths: dict[str, str] = {}
        session.on("Network.requestWillBeSent", self._sent)
        session.on("Network.webSocketCreated", lambda event: self._note(event["requestId"], event["url"]))
        session.on("Network.loadingFinished", self._finished)
        session.on("Network.webSocketFrameReceived", self._frame)

    def _sent(self, event: dict[str, Any]) -> None:
        self._note(event["requestId"], event["request"]["url"])

    def _note(self, request: str, url: str) -> None:
        self._paths[request] = urlsplit(url).path

    def _finished(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self._paths:
            self.sizes[self._paths[event["requestId"]]] += int(event["encodedDataLength"])

    def _frame(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self._paths:
            self.sizes[self._paths[event["requestId"]]] += len(event["response"]["payloadData"])
