"""Two sites: the one that only reads answers from its replicas and its cache, and forwards what it cannot answer."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple

import asyncpg
import pytest
import pytest_asyncio
from sqlalchemy import text

from runner.pgdata import ADMIN
from runner.postgres import Postgres
from settings import ConnectionSettings, Settings
from state import opened
from store.reconcile import last_run
from tests.support.boundaries import block
from tests.support.posts import on_square, published
from tests.support.stores import standalone
from tests.support.subscriptions import Live, serving
from tests.support.system import LENIENT, REACT, SEEN, Person, System, running
from tests.support.two_sites import TwoSites, beat, level, relaying, two_sites, warmed
from workers.main import work
from workers.reconcile.run import ReconcileRun

pytestmark = [standalone, pytest.mark.prove, pytest.mark.timeout(400)]
NOWHERE = ConnectionSettings(other_site="http://127.0.0.1:9")
OWNED = text("SELECT 1 FROM partitions WHERE owner = 'promoted'")
ME = "{ viewer { user { handle } } }"


class Sites(NamedTuple):
    """Both sites, and the application at each of them."""

    servers: TwoSites
    first: Live
    second: System


@pytest_asyncio.fixture
async def sites(tmp_path: Path, postgres: Postgres, make_settings: Callable[..., Settings]) -> AsyncIterator[Sites]:
    lenient: dict[str, Any] = {"moderation": LENIENT, "local_cache_seconds": 0, "connections": NOWHERE}
    async with AsyncExitStack() as stack:
        servers = await stack.enter_async_context(two_sites(tmp_path, postgres, make_settings, **lenient))
        first = await stack.enter_async_context(serving(servers.first.model_copy(update={"port": 0})))
        beating = asyncio.create_task(beat(first))
        stack.callback(beating.cancel)
        other = ConnectionSettings(other_site=f"http://{first.address}")
        reading = servers.second.model_copy(update={"connections": other})
        second = await stack.enter_async_context(running(reading))
        await stack.enter_async_context(relaying(servers.second))
        await warmed(first)
        await level(first, second)
        yield Sites(servers, first, second)


async def send(person: Person, query: str, position: str | None = None, **variables: Any) -> Any:
    """Returns the body of a response to a request with a position."""
    extensions = {"position": position} if position else {}
    request = {"query": query, "variables": variables, "extensions": extensions}
    return (await person.http.post("/graphql", json=request, headers=person.headers)).json()


async def test_a_write_at_the_second_site_is_seen_there_at_once(sites: Sites) -> None:
    (video,) = await sites.first.videos("v1")
    await level(sites.first, sites.second)
    alice = sites.second.person("alice")

    written = await send(alice, REACT % "like", id=video)
    seen = await send(alice, SEEN, written["extensions"]["position"], id=video)

    assert written["data"]["like"]["target"]["likeCount"] == 1
    assert seen["data"]["node"] == {"likeCount": 1, "dislikeCount": 0, "viewerReaction": "LIKE"}


async def test_a_viewer_sees_a_write_that_the_second_site_lacks(sites: Sites) -> None:
    (video,) = await sites.first.videos("v1")
    await level(sites.first, sites.second)
    alice = sites.second.person("alice")
    await send(alice, ME)
    await sites.servers.to_redis.hold()

    written = await send(alice, REACT % "like", id=video)
    seen = await send(alice, SEEN, written["extensions"]["position"], id=video)
    await sites.servers.to_redis.flow()

    assert seen["data"]["node"] == {"likeCount": 1, "dislikeCount": 0, "viewerReaction": "LIKE"}


async def test_an_answer_that_lacks_writes_of_its_viewer_is_marked_as_stale(sites: Sites) -> None:
    """The second site is not behind, but the first one does not answer what is forwarded."""
    alice = sites.second.person("alice")
    complete = await send(alice, ME)
    assert sites.second.service.forwarder
    sites.second.service.forwarder._url = "http://127.0.0.1:9/graphql"

    lacking = await send(alice, ME, f"{2**62}.0")

    assert lacking["data"] == complete["data"]
    assert "stale" not in complete["extensions"]
    assert lacking["extensions"]["stale"] <= 2


async def test_the_second_site_forwards_while_it_is_behind(sites: Sites) -> None:
    (video,) = await sites.first.videos("v1")
    await level(sites.first, sites.second)
    await sites.servers.to_redis.hold()
    await sites.first.person("alice").like(video)
    await asyncio.sleep(1.5)

    seen = await send(sites.second.person(None), SEEN, id=video)
    await sites.first.drain()
    later = await send(sites.second.person(None), SEEN, id=video)
    await sites.servers.to_redis.flow()

    assert seen["data"]["node"]["likeCount"] == 0
    assert later["data"]["node"]["likeCount"] == 1


async def test_a_block_hides_at_the_second_site_although_no_worker_has_stored_it(sites: Sites) -> None:
    alice, bob = sites.first.person("alice"), sites.first.person("bob")
    await published(alice, "hello")
    await sites.first.drain()
    bob_id = await bob.id()
    await level(sites.first, sites.second)
    reader = sites.second.person("bob")

    await block(alice, bob_id)
    await level(sites.first, sites.second)

    assert await on_square(reader) == []


async def test_reads_go_on_without_the_first_site_and_writes_are_refused(sites: Sites) -> None:
    (video,) = await sites.first.videos("v1")
    await sites.first.person("alice").like(video)
    await sites.first.drain()
    await level(sites.first, sites.second)
    alice = sites.second.person("alice")
    await send(alice, SEEN, id=video)
    assert sites.second.service.forwarder
    sites.second.service.forwarder._url = "http://127.0.0.1:9/graphql"
    await sites.servers.to_redis.cut()
    await sites.servers.to_postgres.cut()
    await asyncio.sleep(1)

    seen = await send(alice, SEEN, id=video)
    refused = await send(alice, REACT % "unlike", id=video)

    assert seen["data"]["node"] == {"likeCount": 1, "dislikeCount": 0, "viewerReaction": "LIKE"}
    assert [error["extensions"]["code"] for error in refused["errors"]] == ["UNAVAILABLE"]


async def test_a_worker_is_a_relay_until_its_site_writes(sites: Sites) -> None:
    stop = asyncio.Event()
    async with opened(sites.servers.second, "worker", makes_ids=False) as state:
        working = asyncio.create_task(work(state, "promoted", stop))
        await level(sites.first, sites.second)
        assert await state.postgres.read(OWNED) == []
        sites.servers.replica.command("REPLICAOF", "NO", "ONE")
        connection = await asyncpg.connect(sites.servers.standby.url_of("postgres", ADMIN))
        await connection.fetchval("SELECT pg_promote()")
        await connection.close()
        async with asyncio.timeout(60):
            while not await state.postgres.read(OWNED):
                await asyncio.sleep(0.05)
        stop.set()
        await working


async def test_reconciliation_compares_the_second_site_and_stores_no_result(sites: Sites) -> None:
    (video,) = await sites.first.videos("v1")
    await sites.first.person("alice").like(video)
    await sites.first.drain()
    await level(sites.first, sites.second)
    await send(sites.second.person(None), SEEN, id=video)

    totals = await ReconcileRun().execute(sites.second.state)

    assert totals["cached_counts"].keys > 0
    assert sum(total.drifting for total in totals.values()) == 0
    assert await last_run.read_end(sites.first.state.postgres) is None
