"""What a page of the demo app sends and receives: operations with their cost, and bytes."""

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Page, Request, WebSocket

from execution.documents import Documents
from execution.limits import LARGEST
from schema import schema
from web.demo import MANIFEST

_TEXTS: dict[str, str] = json.loads(MANIFEST.read_text())
TEXT = "text"
"""The name of operations that are sent as text."""
_DOCUMENTS = Documents(schema._schema, lambda _: True)


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

    async def bodies(self) -> dict[str, int]:
        """Returns the bytes of the bodies as they were sent, compressed or not, by path. `/graphql` has all answers."""
        sizes: dict[str, int] = {}
        for request in self.finished:
            path = urlsplit(request.url).path
            sizes[path] = sizes.get(path, 0) + (await request.sizes())["responseBodySize"]
        return sizes

    def times_of(self, name: str) -> list[float]:
        """Returns when the browser sent the requests of an operation that are answered, in seconds."""
        sent = [request for request in self.finished if request.url.endswith("/graphql")]
        named = [request for request in sent if json.loads(request.post_data or "{}").get("operationName") == name]
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
        if one.post_data:
            wire.add(json.loads(one.post_data))

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
