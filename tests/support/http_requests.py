"""HTTP requests with exactly the header lines that a test gives."""

import json
from typing import Any
from urllib.parse import urlencode

import httpx

from tests.support.system import System

PLAIN, MODERN = "application/json", "application/graphql-response+json"
JSON = f"Content-Type: {PLAIN}"
ME = "{ viewer { id } }"
VIDEO = '{ entity(business: "video", key: "v1") { id title likeCount } }'
LIKE = 'mutation Like { like(input: {targetId: "Entity:video:v1"}) { userErrors { code } } }'
TYPE = b'{"query": "{ __typename }"}'
ANSWER = {"data": {"__typename": "Query"}, "extensions": {"cost": 10}}


async def curl(system: System, method: str, *headers: str, url: str = "", body: bytes = b"") -> httpx.Response:
    """Sends a request with these header lines only. Checks that its status is below 500 and that it sets no cookie."""
    request = system.http.build_request(method, f"/graphql?{url}", content=body)
    del request.headers["accept"]
    lines = [(name.encode(), value.encode()) for name, _, value in (line.partition(": ") for line in headers)]
    request.headers = httpx.Headers([*request.headers.raw, *lines])
    response = await system.http.send(request)
    assert response.status_code < 500
    assert "set-cookie" not in response.headers
    return response


def url_params(query: str, **params: Any) -> str:
    """Returns the URL parameters of a query."""
    return urlencode({"query": query, **{k: v if isinstance(v, str) else json.dumps(v) for k, v in params.items()}})


def signed_in(system: System, handle: str = "alice") -> str:
    return f"Authorization: {system.person(handle).headers['authorization']}"


def codes(response: httpx.Response) -> list[str]:
    """Returns the error codes of a response without data."""
    body = response.json()
    assert list(body) == ["errors"], body
    return [error["extensions"]["code"] for error in body["errors"]]
