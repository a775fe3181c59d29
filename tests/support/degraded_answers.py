"""A system whose stores a test can stop, and readers of the `degraded` extension of responses."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from runner.postgres import Postgres
from runner.valkey import Valkey
from tests.support.comments import added
from tests.support.outages import Away, hanging, stopped
from tests.support.posts import publish
from tests.support.system import Person, System

Lack = tuple[str, str, int, str]

ways = pytest.mark.parametrize(
    ("plans", "away"), [(True, stopped), (True, hanging), (False, stopped)], ids=["stopped", "hanging", "graphql-core"]
)
"""Whether queries run by plans, and in which way a store is unavailable."""


@dataclass
class StoppableSystem:
    """A system with servers of its own: Postgres, state Redis, cache Redis."""

    system: System
    postgres: Postgres
    state: Valkey
    cache: Valkey

    def without_postgres(self, away: Away) -> AbstractAsyncContextManager[None]:
        return away(self.postgres, self.system.state.postgres)

    @asynccontextmanager
    async def without_redis(self, away: Away) -> AsyncIterator[None]:
        """Stops the state Redis and the cache Redis while the block runs."""
        system = self.system.state
        async with away(self.state, system.redis), away(self.cache, system.cache.redis):
            yield

    def without_cache(self, away: Away) -> AbstractAsyncContextManager[None]:
        """Stops the cache Redis while the block runs."""
        return away(self.cache, self.system.state.cache.redis)

    def forget_all(self) -> None:
        """Empties the cache. Acknowledged writes stay."""
        self.cache.command("FLUSHALL")


@dataclass
class Response:
    """A response: its data, the (code, path) of its errors, and its missing and incomplete values."""

    data: Any
    errors: list[tuple[str, list[Any]]]
    missing: list[Lack]
    """(path, field, count, reason)"""
    incomplete: list[tuple[str, str]]
    """(field, reason)"""


def read_response(response: httpx.Response) -> Response:
    """Reads a response, which must have status 200."""
    assert response.status_code == 200
    return read_body(response.json())


def read_body(body: dict[str, Any]) -> Response:
    """Reads a response body. Checks the form of the `degraded` extension."""
    degraded = body["extensions"].get("degraded", [])
    assert degraded or "degraded" not in body["extensions"], "a response that lacks nothing has no `degraded` extension"
    missing, incomplete = [], []
    for entry in degraded:
        assert entry["retryAfter"] == 1.0
        if entry["effect"] == "MISSING":
            assert list(entry) == ["path", "field", "effect", "count", "reason", "retryAfter"]
            missing.append((".".join(entry["path"]), entry["field"], entry["count"], entry["reason"]))
        else:
            assert list(entry) == ["field", "effect", "reason", "retryAfter"]
            assert entry["effect"] == "INCOMPLETE"
            incomplete.append((entry["field"], entry["reason"]))
    errors = [(error["extensions"]["code"], error["path"]) for error in body.get("errors", [])]
    return Response(body["data"], errors, missing, incomplete)


async def ask(person: Person, query: str, **variables: Any) -> Response:
    return read_response(await person.send(query, **variables))


async def a_video(system: System, key: str) -> str:
    """Registers a video that olga owns, bob likes and carol comments on."""
    (video,) = await system.videos(key, owner="olga")
    await system.person("bob").like(video)
    await added(system.person("carol"), video, f"on {key}")
    await system.drain()
    return video


async def a_post(author: Person, text: str) -> str:
    return str((await publish(author, text))["post"]["id"])
