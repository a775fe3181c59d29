"""Stores to be taken away, and what answers say of them."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from runner.postgres import Postgres
from runner.valkey import Valkey
from tests.support.comments import said
from tests.support.outages import Away, hanging, stopped
from tests.support.posts import publish
from tests.support.system import Person, System

Lack = tuple[str, str, int, str]

ways = pytest.mark.parametrize(
    ("plans", "away"), [(True, stopped), (True, hanging), (False, stopped)], ids=["stopped", "hanging", "graphql-core"]
)
"""How a store is away, and what runs queries meanwhile."""


@dataclass
class StoppableSystem:
    """One system over three servers."""

    system: System
    postgres: Postgres
    state: Valkey
    cache: Valkey

    def without_postgres(self, away: Away) -> AbstractAsyncContextManager[None]:
        return away(self.postgres, self.system.state.postgres)

    @asynccontextmanager
    async def without_redis(self, away: Away) -> AsyncIterator[None]:
        """Neither journals nor cache."""
        system = self.system.state
        async with away(self.state, system.redis), away(self.cache, system.cache.redis):
            yield

    def without_cache(self, away: Away) -> AbstractAsyncContextManager[None]:
        """Journals alone."""
        return away(self.cache, self.system.state.cache.redis)

    def forget_all(self) -> None:
        """The cache comes to nothing; what is acknowledged stays."""
        self.cache.command("FLUSHALL")


@dataclass
class Said:
    """An answer: its data, the (code, path) of its errors, and what it lacks."""

    data: Any
    errors: list[tuple[str, list[Any]]]
    missing: list[Lack]
    """(path, field, how many, why)"""
    incomplete: list[tuple[str, str]]
    """(field, why)"""


def said_by(response: httpx.Response) -> Said:
    """What a response says, which is served as one that has been executed."""
    assert response.status_code == 200
    return read(response.json())


def read(body: dict[str, Any]) -> Said:
    """What an answer says. Its form is looked at here once."""
    degraded = body["extensions"].get("degraded", [])
    assert degraded or "degraded" not in body["extensions"], "nothing is told where nothing is lacking"
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
    return Said(body["data"], errors, missing, incomplete)


async def ask(person: Person, query: str, **variables: Any) -> Said:
    return said_by(await person.send(query, **variables))


async def a_video(system: System, key: str) -> str:
    """Owned by olga, liked by bob, commented on by carol."""
    (video,) = await system.videos(key, owner="olga")
    await system.person("bob").like(video)
    await said(system.person("carol"), video, f"on {key}")
    await system.drain()
    return video


async def a_post(author: Person, text: str) -> str:
    return str((await publish(author, text))["post"]["id"])
