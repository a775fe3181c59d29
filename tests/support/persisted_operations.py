"""Clients that name what they want executed, and what they are told."""

import hashlib
import json
from pathlib import Path
from typing import Any

import httpx

from tests.support.system import System

Outcome = tuple[int, str, str] | dict[str, Any]


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def apollo(query_hash: str, version: Any = 1) -> dict[str, Any]:
    """Apollo's extension."""
    return {"persistedQuery": {"version": version, "sha256Hash": query_hash}}


async def post(system: System, handle: str | None = None, **body: Any) -> httpx.Response:
    headers = {"content-type": "application/json", **system.person(handle).headers}
    return await system.http.post("/graphql", content=json.dumps(body), headers=headers)


async def get(system: System, handle: str | None = None, **params: Any) -> httpx.Response:
    told = {name: value if isinstance(value, str) else json.dumps(value) for name, value in params.items()}
    return await system.http.get("/graphql", params=told, headers=system.person(handle).headers)


def outcome(response: httpx.Response) -> Outcome:
    """The whole answer where it has data; else status, code and message of its one error. Nobody may keep an error."""
    body: dict[str, Any] = response.json()
    if "data" in body:
        assert response.status_code == 200
        assert body.pop("extensions")["cost"] > 0
        return body
    (error,) = body["errors"]
    assert "no-store" in response.headers["cache-control"]
    return response.status_code, error["extensions"]["code"], error["message"]


async def by_hash(system: System, query: str) -> Outcome:
    """The first thing that Apollo Client sends: the hash alone."""
    return outcome(await post(system, extensions=apollo(sha(query))))


async def register(system: System, query: str) -> Outcome:
    """The second."""
    return outcome(await post(system, query=query, extensions=apollo(sha(query))))


def manifest(folder: Path, name: str = "manifest.json", **texts: str) -> Path:
    """A manifest as Relay and graphql-codegen write it; ids may not all be Python's names."""
    file = folder / name
    file.write_text(json.dumps(texts))
    return file
