"""The real application over real stores inside a test, people who call it, and workers that a test steps."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import httpx
from asgi_lifespan import LifespanManager
from sqlalchemy import text

import seed.loading
from api.execute import GraphQLService
from api.headers import Headers
from app import create_app
from domain.ids import wall_clock_ms
from identity import auth
from settings import (
    AddressSettings,
    AnonymousSettings,
    DeviceSettings,
    LimitSettings,
    ModerationSettings,
    Rate,
    RoleSettings,
    Settings,
    WriteKind,
)
from state import State
from store.postgres.client import PostgresDown
from store.redis.client import RedisDown
from tests.support.stores import PARTITIONS
from workers.worker import Worker

_WRITES = dict.fromkeys(get_args(WriteKind), Rate(burst=1_000_000_000, per_minute=1_000_000_000))
BUSY = LimitSettings(
    user=RoleSettings(writes=_WRITES),
    anonymous=AnonymousSettings(writes=_WRITES),
    ip=AddressSettings(writes=_WRITES),
    device=DeviceSettings(writes=_WRITES),
)
"""Write quotas for tests that write more than people do."""
MUCH: dict[str, Any] = {"points": 1_000_000_000, "points_per_second": 1_000_000_000, "writes": _WRITES}
LIMITLESS = LimitSettings(
    user=RoleSettings(**MUCH, cost=1_000_000),
    anonymous=AnonymousSettings(**MUCH, cost=1_000_000),
    ip=AddressSettings(**MUCH),
    device=DeviceSettings(**MUCH),
)
"""Limits that no test reaches."""

_LONG: dict[str, Any] = dict.fromkeys(
    ["root_fields", "aliases", "repeated", "literals", "characters", "visits", "tokens"], 1_000_000
)
_ANY: dict[str, Any] = {**MUCH, **_LONG, "cost": 100_000_000, "fields": 10_000, "comparisons": 1_000_000}
ANY_DOCUMENT = LimitSettings(
    user=RoleSettings(**_ANY), anonymous=AnonymousSettings(**_ANY), ip=AddressSettings(**MUCH), device=None
)
"""Limits that no test reaches, even with very large documents."""


def settings_for_tests(**changes: Any) -> Settings:
    """Returns settings for tests with these changes, which include the URLs of the stores. `caches` is a dictionary."""
    hot = {"hot_reads": 1_000_000}  # no key is hot, although tests repeat requests
    changes["caches"] = hot | changes.get("caches", {})
    chosen: dict[str, Any] = {
        "env": "development",
        "jwt_secret": "test-secret-of-thirty-two-bytes!",
        "partitions": PARTITIONS,
        "journal_tail_seconds": 0.0,
        "limits": BUSY,
        # longer than the pauses of a busy machine
        "redis_timeout": 3.0,
        "request_timeout": 30.0,
        "pending_seconds": 60.0,
        "local_cache_seconds": 15.0,
        "businesses_file": Path(__file__).parents[1] / "businesses.toml",
    }
    return Settings(**(chosen | changes))


TABLES = text("SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'")

REACT = """mutation ($id: ID!, $key: String, $source: String) {
  %s(input: {targetId: $id, idempotencyKey: $key, source: $source}) {
    target { id likeCount dislikeCount viewerReaction } userErrors { code message field }
  }
}"""

SEEN = "query ($id: ID!) { node(id: $id) { ... on Reactable { likeCount dislikeCount viewerReaction } } }"
"""The fields that reactions change."""


@dataclass
class Person:
    """A client with a user's token, or an anonymous one, that calls over HTTP."""

    http: httpx.AsyncClient
    handle: str
    headers: dict[str, str]

    @property
    def received_headers(self) -> Headers:
        """Returns the headers as the API receives them."""
        return Headers((name.lower().encode(), value.encode()) for name, value in self.headers.items())

    async def send(self, query: str, **variables: Any) -> httpx.Response:
        """Returns the raw response."""
        return await self.http.post("/graphql", json={"query": query, "variables": variables}, headers=self.headers)

    async def ask(self, query: str, **variables: Any) -> Any:
        """Returns `data` of a response, which must have no errors."""
        body = (await self.send(query, **variables)).json()
        assert "errors" not in body, body
        return body["data"]

    async def id(self) -> str:
        """Returns the user's global id. The first call creates the user."""
        return str((await self.ask("{ viewer { user { id } } }"))["viewer"]["user"]["id"])

    async def errors(self, query: str, **variables: Any) -> list[tuple[str, list[Any] | None]]:
        """Returns the (code, path) of every error of a response."""
        body = (await self.send(query, **variables)).json()
        return [(error["extensions"]["code"], error.get("path")) for error in body.get("errors", [])]

    async def react(self, verb: str, target: str, key: str | None = None, source: str | None = None) -> Any:
        """Returns the payload of like, unlike, dislike or undislike."""
        return (await self.ask(REACT % verb, id=target, key=key, source=source))[verb]

    async def like(self, target: str, key: str | None = None) -> Any:
        return await self.react("like", target, key)

    async def unlike(self, target: str, key: str | None = None) -> Any:
        return await self.react("unlike", target, key)


class Api:
    """An API that is called over HTTP, wherever it runs."""

    def __init__(self, http: httpx.AsyncClient, settings: Settings) -> None:
        self.http = http
        self.settings = settings

    def person(self, handle: str | None, *scopes: str, **headers: str) -> Person:
        """Returns a client with a token signed by the shared secret; `None` is an anonymous client.

        Keywords become X- headers: device_id="d1".
        """
        sent = {f"x-{name.replace('_', '-')}": value for name, value in headers.items()}
        if handle is not None:
            sent["authorization"] = f"Bearer {auth.mint(self.settings, handle, scopes=scopes)}"
        return Person(self.http, handle or "", sent)

    async def videos(self, *keys: str, owner: str | None = None, business: str = "video") -> list[str]:
        """Registers entities through the API and returns their ids."""
        registrar = self.person("registrar", "entities:write", "users:write")
        if owner:
            await registrar.ask(
                "mutation ($u: [UserInput!]!) { registerUsers(users: $u) { userErrors { message } } }",
                u=[{"externalId": owner, "handle": owner}],
            )
        wishes = [
            {"business": business, "key": key, "title": key, **({"owner": {"externalId": owner}} if owner else {})}
            for key in keys
        ]
        data = await registrar.ask(
            """mutation ($e: [EntityInput!]!) {
                 registerEntities(entities: $e) { entities { id } userErrors { message } } }""",
            e=wishes,
        )
        return [entity["id"] for entity in data["registerEntities"]["entities"]]


class System(Api):
    """The application and its stores, for one test."""

    def __init__(self, app: Any, http: httpx.AsyncClient, settings: Settings) -> None:
        super().__init__(http, settings)
        self.app = app
        self.state: State = app.state.plaudit
        self.service: GraphQLService = app.state.service
        self._workers = 0
        self._drainer: Worker | None = None

    def worker(self) -> Worker:
        """Returns a new worker that owns nothing until its `ownership.renew()`."""
        self._workers += 1
        return Worker(self.state, f"test-{self._workers}")

    async def drain(self) -> None:
        """Runs a worker until journals and pending sets are empty. No other client may write meanwhile."""
        worker = await self.owner()
        while await worker.step():
            pass
        await worker.sweeper.sweep(time.monotonic() + self.settings.pending_seconds)
        await worker.sweeper.trim(list(worker.owned.values()))

    async def seed(self) -> None:
        """Loads the seed's community while a worker stores it. Fan-out may still go on afterwards."""
        worker = await self.owner()
        loading = asyncio.create_task(asyncio.to_thread(seed.loading.run, self.settings))
        while not loading.done():
            with suppress(PostgresDown, RedisDown):  # happens on a busy machine; a worker tries again
                await worker.step()
            await asyncio.sleep(0.01)
        await loading

    async def owner(self) -> Worker:
        """Returns the worker that owns every partition that no other worker owns."""
        if self._drainer is None:
            self._drainer = self.worker()
        while True:
            with suppress(PostgresDown):  # Postgres may have started a moment ago
                await self._drainer.ownership.renew()
                return self._drainer
            await asyncio.sleep(0.02)

    async def give_up_partitions(self) -> None:
        """Lets the worker of the next system own the partitions at once."""
        if self._drainer is not None:
            with suppress(PostgresDown, RedisDown):
                await self._drainer.ownership.leave()

    async def empty_redis(self) -> None:
        """Removes everything from Redis."""
        await self.state.redis.client.flushall()

    async def rows(self, sql: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """Returns rows from Postgres."""
        return [tuple(row) for row in await self.state.postgres.read(text(sql), **parameters)]

    async def stored(self, table: str) -> list[tuple[Any, ...]]:
        """Returns all rows of a table, sorted: Citus returns them in any order."""
        return sorted(await self.rows(f"SELECT * FROM {table}"), key=str)  # noqa: S608


def from_address(system: System, handle: str, ip: str, **headers: str) -> Person:
    """Returns a signed-in client that calls from an IP address. Keywords become X- headers."""
    transport = httpx.ASGITransport(app=system.app, client=(ip, 4711))
    http = httpx.AsyncClient(transport=transport, base_url="http://plaudit.test", timeout=30)
    return Person(http, handle, system.person(handle, **headers).headers)


@asynccontextmanager
async def running(settings: Settings, now_ms: Callable[[], int] = wall_clock_ms) -> AsyncIterator[System]:
    """Starts the application while the block runs. People call it in process."""
    app = create_app(settings, now_ms)
    async with LifespanManager(app, startup_timeout=20, shutdown_timeout=20):
        transport = httpx.ASGITransport(app=app, client=("203.0.113.7", 4711))
        async with httpx.AsyncClient(transport=transport, base_url="http://plaudit.test", timeout=30) as http:
            system = System(app, http, settings)
            yield system
            await system.give_up_partitions()


LENIENT = ModerationSettings(new_account=0, same_text=1000, same_text_waits=1000, traces=1000)
