"""A receiver of webhooks: an HTTP server on loopback that checks signatures and keeps the events."""

import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from domain import webhook_signatures
from store.outgoing import destinations
from tests.support.external_reviewer import Request, Server, listening, plain
from tests.support.system import System

SECRET = "whsec_" + base64.b64encode(b"a secret of a test, 32 bytes lo.").decode()


@asynccontextmanager
async def receiver() -> AsyncIterator[Server]:
    """Starts a server that accepts all requests. Change its `answer` to let it fail."""
    async with listening() as server:
        server.answer = plain(b"")
        yield server


async def to_webhook(system: System, server: Server, name: str = "hook", *, kinds: tuple[int, ...] = ()) -> None:
    """Adds a destination: the webhook of this server."""
    url = f"http://127.0.0.1:{server.port}/hook"
    assert await destinations.add(system.state.postgres, name, url, kinds, (), [SECRET])


def events_of(request: Request, *secrets: str) -> list[dict[str, Any]]:
    """Returns the events of a request, whose signatures must be those of the secrets."""
    id_, timestamp = request.headers["webhook-id"], int(request.headers["webhook-timestamp"])
    expected = webhook_signatures.headers(secrets or [SECRET], id_, timestamp, request.body)
    assert request.headers["webhook-signature"] == expected["webhook-signature"]
    body = json.loads(request.body)
    assert {event["partition"] for event in body["events"]} == {body["partition"]}
    events: list[dict[str, Any]] = body["events"]
    return events


def received(server: Server) -> list[dict[str, Any]]:
    """Returns the events of all requests, in the order of their arrival."""
    return [event for request in server.requests for event in events_of(request)]
