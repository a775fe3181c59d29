"""A reviewer that answers `later`, and its decisions."""

import json
import time
from typing import Any

import httpx

from domain.moderation.reviewer import signature
from tests.support.external_reviewer import SECRET, Server, review_all
from tests.support.posts import publish
from tests.support.system import Person, System


async def asked(system: System, server: Server, author: Person, text: str = "hello") -> tuple[str, dict[str, Any]]:
    """Publishes a post and lets a worker ask the reviewer. Returns the post's id, and the decision `approve`."""
    post_id = (await publish(author, text))["post"]["id"]
    await review_all(system)
    return post_id, approval(server)


def approval(server: Server) -> dict[str, Any]:
    """Returns the decision `approve` about what the reviewer was last asked about."""
    request = server.requests[-1].json
    return {name: request[name] for name in ("kind", "id", "contentVersion")} | {"decision": "approve"}


async def send(system: System, decision: object, *, at: float | None = None, secret: str = SECRET) -> httpx.Response:
    """Sends a signed decision to `/reviews`."""
    body = decision if isinstance(decision, bytes) else json.dumps(decision).encode()
    signed = signature(secret, int(time.time() if at is None else at), body)
    return await system.http.post("/reviews", content=body, headers={"X-Plaudit-Signature": signed})


async def status(system: System, decision: object, **how: Any) -> int:
    return (await send(system, decision, **how)).status_code
