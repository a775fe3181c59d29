"""Persisted operations: documents, requests that name them by hash or id, and the responses to expect."""

import hashlib
import json
from pathlib import Path
from typing import Any

import httpx

from tests.support.system import System

Outcome = tuple[int, str, str] | dict[str, Any]
TYPE = "{ __typename }"
ANSWER = {"data": {"__typename": "Query"}}
ME = "query Me { viewer { id } }"
PAGE = 'query Page($n: Int = 2) { entity(business: "video", key: "v1") { title likers(first: $n) { nodes { id } } } }'
LIKE = 'mutation Like { like(input: {targetId: "Entity:video:v1"}) { userErrors { code } } }'
NOT_FOUND = 200, "PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound"
NOT_SUPPORTED = 200, "PERSISTED_QUERY_NOT_SUPPORTED", "PersistedQueryNotSupported"
NO_DOCUMENT = 404, "PERSISTED_QUERY_NOT_FOUND", "There is no persisted document with this id."
LOCKED = 403, "PERSISTED_QUERY_ONLY", "Only persisted operations run here, and this operation is not persisted."
UPDATE = 200, "OPERATION_WITHDRAWN", "Update!"
MISMATCH = 422, "BAD_INPUT", "provided sha does not match query"


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def apollo(query_hash: str, version: Any = 1) -> dict[str, Any]:
    """Returns Apollo's extension for a hash."""
    return {"persistedQuery": {"version": version, "sha256Hash": query_hash}}


async def post(system: System, handle: str | None = None, **body: Any) -> httpx.Response:
    headers = {"content-type": "application/json", **system.person(handle).headers}
    return await system.http.post("/graphql", content=json.dumps(body), headers=headers)


async def post_as(system: System, client: str, version: str, **body: Any) -> Outcome:
    """Returns the outcome of an anonymous request of this version of a client."""
    headers = {"apollographql-client-name": client, "apollographql-client-version": version}
    return outcome(await system.http.post("/graphql", json=body, headers=headers))


async def get(system: System, handle: str | None = None, **params: Any) -> httpx.Response:
    params = {name: value if isinstance(value, str) else json.dumps(value) for name, value in params.items()}
    return await system.http.get("/graphql", params=params, headers=system.person(handle).headers)


def outcome(response: httpx.Response) -> Outcome:
    """Returns the whole body if it has data; else status, code and message of its one error.

    Checks that errors are not cacheable.
    """
    body: dict[str, Any] = response.json()
    if "data" in body:
        assert response.status_code == 200
        assert body.pop("extensions")["cost"] > 0
        return body
    (error,) = body["errors"]
    assert "no-store" in response.headers["cache-control"]
    return response.status_code, error["extensions"]["code"], error["message"]


async def by_hash(system: System, query: str) -> Outcome:
    """Sends the hash alone, which is what Apollo Client does first."""
    return outcome(await post(system, extensions=apollo(sha(query))))


async def register(system: System, query: str) -> Outcome:
    """Sends hash and document, which is what Apollo Client does second."""
    return outcome(await post(system, query=query, extensions=apollo(sha(query))))


def manifest(folder: Path, name: str = "manifest.json", **texts: str) -> Path:
    """Writes a manifest as Relay and graphql-codegen do."""
    file = folder / name
    file.write_text(json.dumps(texts))
    return file
