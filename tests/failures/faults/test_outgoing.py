"""Outgoing events under load, while workers, Postgres and the receiver die and hang."""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text as _text

from models.outgoing import EventKind
from runner.postgres import Postgres
from runner.process import Process
from runner.valkey import Valkey
from settings import EventSettings
from state import State, opened
from store.outgoing import cursors, destinations
from store.postgres.client import PostgresDown
from tests.failures.faults.checker import drained
from tests.failures.faults.history import History
from tests.failures.faults.load import working
from tests.support.deployment import Deployment, deployed
from tests.support.external_reviewer import Server, plain
from tests.support.outages import resume, suspend
from tests.support.webhooks import SECRET, events_of, receiver

pytestmark = pytest.mark.prove

SETTINGS = EventSettings(private_addresses=True, timeout=1.0, longest_pause=0.5, batch=20)
LEASE = 1.0
_ROWS = """
    SELECT r.user_id, k.key, r.state, r.version FROM reactions r
    JOIN entity_keys k ON k.business_id = r.business_id AND k.entity_id = r.entity_id
"""
_STORED = "SELECT p, version, position, kind, object FROM outgoing_events ORDER BY p, position"


@dataclass
class Scene:
    """The servers and processes that faults happen to."""

    deployment: Deployment
    postgres: Postgres
    server: Server
    state: State
    """For checks."""
    workers: list[Process] = field(default_factory=list)

    def start_worker(self) -> None:
        self.workers.append(self.deployment.start_worker())


async def stored_count(state: State) -> int:
    """Returns the number of stored events, also if the machine is too busy for the first attempts."""
    async with asyncio.timeout(30):
        while True:
            with suppress(PostgresDown):
                return len(await state.postgres.read(_text(_STORED)))
            await asyncio.sleep(0.1)


Fault = Callable[[Scene, History], Awaitable[None]]


async def kill_workers(scene: Scene, history: History) -> None:
    """Kills workers at any moment: between commit and delivery, between delivery and the move of the cursor."""
    for _ in range(5):
        await asyncio.sleep(random.uniform(0.3, 1.5))
        victim = scene.workers.pop(random.randrange(len(scene.workers)))
        victim.kill()
        scene.start_worker()
    await history.grows(20)


async def suspend_worker(scene: Scene, history: History) -> None:
    """Suspends a worker for longer than its lease, so that another takes over, and lets it go on."""
    suspend(scene.workers[0])
    await asyncio.sleep(3 * LEASE)
    await history.grows(20)
    resume(scene.workers[0])
    await history.grows(20)


async def kill_postgres(scene: Scene, history: History) -> None:
    """Kills Postgres, which then recovers from its log."""
    for _ in range(2):
        scene.postgres.kill()
        await asyncio.sleep(1)
        await asyncio.to_thread(scene.postgres.start)
        await history.grows(20)


def answering(answer: Callable[[asyncio.StreamWriter], Awaitable[None]]) -> Fault:
    """Lets the receiver answer differently for some seconds. Meanwhile users write, and rows are stored."""

    async def happens(scene: Scene, history: History) -> None:
        scene.server.answer = answer
        before = await stored_count(scene.state)
        await asyncio.sleep(4)
        await history.grows(40)
        async with asyncio.timeout(30):
            while await stored_count(scene.state) <= before + 20:
                await asyncio.sleep(0.1)
        scene.server.answer = plain(b"")
        await history.grows(20)

    return happens


async def hang(_: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


async def drop(writer: asyncio.StreamWriter) -> None:
    """Has received the request, and dies before or after it answers."""
    if random.random() < 0.5:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
    writer.transport.abort()


async def garbage(writer: asyncio.StreamWriter) -> None:
    writer.write(random.randbytes(200) + b"\r\n\r\n")


FAULTS: dict[str, Fault] = {
    "workers die": kill_workers,
    "a worker hangs longer than its lease": suspend_worker,
    "Postgres dies": kill_postgres,
    "the receiver hangs": answering(hang),
    "the receiver dies": answering(drop),
    "the receiver sends garbage": answering(garbage),
    "the receiver redirects": answering(plain(b"", "307 Temporary Redirect", "Location: http://127.0.0.1:1/")),
}


@asynccontextmanager
async def started(folder: Path, stores: tuple[Postgres, Valkey], server: Server) -> AsyncIterator[Scene]:
    """Starts an API and two workers with two destinations for everything: a webhook and a stream."""
    postgres, valkey = stores
    with deployed(folder, postgres.url, valkey.url, events=SETTINGS) as deployment:
        async with opened(deployment.settings, "checking", makes_ids=False) as state:
            scene = Scene(deployment, postgres, server, state)
            deployment.start_api()
            for _ in range(2):
                scene.start_worker()
            await deployment.ready()
            for name in ("hook", "stream"):
                await destinations.remove(state.postgres, name)
            url = f"http://127.0.0.1:{server.port}/hook"
            assert await destinations.add(state.postgres, "hook", url, (), (), [SECRET])
            assert await destinations.add(state.postgres, "stream", f"{valkey.url}?stream=all-events", (), (), [])
            yield scene


@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.usefixtures("deployment")  # it migrates the tables
async def test_every_stored_change_is_delivered_in_order_and_none_is_invented(
    stores: tuple[Postgres, Valkey], tmp_path: Path, name: str
) -> None:
    async with receiver() as server, started(tmp_path, stores, server) as scene:
        state = scene.state
        await state.postgres.write(_text("DELETE FROM outgoing_events"))
        await state.redis.client.delete("all-events")
        async with working(scene.deployment, f"out{list(FAULTS).index(name)}") as history:
            await history.grows(50)
            await FAULTS[name](scene, history)
        await drained(state)
        await caught_up(state)
        stored = await state.postgres.read(_text(_STORED))
        rows = await state.postgres.read(_text(_ROWS))
        entries = await state.redis.client.xrange("all-events")
        await asyncio.to_thread(scene.deployment.stop)

    streamed = [json.loads(fields[b"event"]) for _, fields in entries]
    for events in ([event for request in server.requests for event in events_of(request)], streamed):
        check_against_outbox(events, stored)
        check_against_rows(events, rows)


async def caught_up(state: State) -> None:
    async with asyncio.timeout(90):
        while await cursors.due(state.postgres, range(state.settings.partitions)):
            await asyncio.sleep(0.1)


def check_against_outbox(events: list[dict[str, Any]], stored: Any) -> None:
    """Every stored event has arrived and no other. In each partition they arrived in order, not counting repeats."""
    expected: dict[int, list[str]] = {}
    for p, version, position, kind, key in stored:
        expected.setdefault(p, []).append(f"{p}-{version or position}-{EventKind(kind).label}-{key}")
    arrived: dict[int, dict[str, None]] = {}
    for event in events:
        arrived.setdefault(event["partition"], {}).setdefault(event["id"])
    assert {p: list(ids) for p, ids in arrived.items()} == expected
    assert sum(map(len, expected.values())) > 100


def check_against_rows(events: list[dict[str, Any]], rows: Any) -> None:
    """A consumer that keeps the highest version of each reaction knows the rows that changed, and each event continues
    the one before it.
    """
    by_place: dict[tuple[str, str], dict[int, tuple[str, str]]] = {}
    for event in events:
        if event["kind"] == "reaction.changed" and event["business"] == "video":
            data = event["data"]
            versions = by_place.setdefault((data["userId"], data["targetId"]), {})
            versions[int(event["version"])] = data["before"], data["after"]
    names = "NONE", "LIKE", "DISLIKE"
    truth = {(f"User:{user}", f"Entity:video:{key}"): (version, names[state]) for user, key, state, version in rows}
    assert by_place
    for place, versions in by_place.items():
        chain = [("", "NONE"), *(versions[version] for version in sorted(versions))]
        assert all(after == before for (_, after), (before, _) in pairwise(chain))
        assert chain[-1][1] == truth[place][1]
