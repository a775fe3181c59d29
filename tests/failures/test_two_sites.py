"""Two sites: the one that only reads answers from its replicas and its cache, and forwards what it cannot answer."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple

import asyncpg
import httpx
import pytest
import pytest_asyncio
from prometheus_client import REGISTRY
from sqlalchemy import text

from domain.errors import RateLimited, Unavailable
from runner.pgdata import ADMIN
from runner.postgres import Postgres
from settings import ConnectionSettings, LimitSettings, RoleSettings, Settings
from state import opened
from store.persisted.usage import read_usage
from store.reconcile import last_run
from store.site import drain, undrain
from store.write_log import write_mode
from tests.support.boundaries import block
from tests.support.fault_proxy import Proxy, proxied
from tests.support.persisted_imports import imported
from tests.support.persisted_operations import LIKE, TYPE, manifest
from tests.support.posts import SQUARE, on_square, published
from tests.support.stores import standalone
from tests.support.subscriptions import Live, eventually, serving
from tests.support.system import BUSY, LENIENT, REACT, SEEN, Person
from tests.support.two_sites import TwoSites, beat, level, relaying, two_sites, warmed
from workers.main import work
from workers.reconcile.run import ReconcileRun

pytestmark = [standalone, pytest.mark.prove, pytest.mark.timeout(400)]
NOWHERE = ConnectionSettings(other_site="http://127.0.0.1:9")
OWNED = text("SELECT 1 FROM partitions WHERE owner = 'promoted'")
REVOKE = text("REVOKE SELECT ON partitions FROM CURRENT_USER")
GRANT = text("GRANT SELECT ON partitions TO CURRENT_USER")
FEW_POINTS = LimitSettings(user=RoleSettings(points=1000, points_per_second=1, cost=900, mutation_cost=500))
ME = "{ viewer { user { handle } } }"


class Sites(NamedTuple):
    """Both sites, the application at each of them, and the network between their APIs."""

    servers: TwoSites
    first: Live
    second: Live
    to_api: Proxy

    async def hold(self) -> None:
        """Lets nothing pass between the sites, as if packets were lost. Returns when the second site is behind."""
        for network in (self.to_api, self.servers.to_redis, self.servers.to_postgres):
            await network.hold()
        await asyncio.sleep(3)

    async def flow(self) -> None:
        """Ends `hold`."""
        for network in (self.to_api, self.servers.to_redis, self.servers.to_postgres):
            await network.flow()


@pytest.fixture
def limits() -> LimitSettings:
    return BUSY


@pytest_asyncio.fixture
async def sites(
    tmp_path: Path, postgres: Postgres, make_settings: Callable[..., Settings], limits: LimitSettings
) -> AsyncIterator[Sites]:
    lenient: dict[str, Any] = {"moderation": LENIENT, "local_cache_seconds": 0, "connections": NOWHERE}
    lenient["limits"] = limits
    async with AsyncExitStack() as stack:
        servers = await stack.enter_async_context(two_sites(tmp_path, postgres, make_settings, **lenient))
        first = await stack.enter_async_context(serving(servers.first.model_copy(update={"port": 0})))
        beating = asyncio.create_task(beat(first))
        stack.callback(beating.cancel)
        to_api = await stack.enter_async_context(proxied(int(first.address.rpartition(":")[2])))
        other = ConnectionSettings(other_site=f"http://127.0.0.1:{to_api.port}")
        reading = servers.second.model_copy(update={"connections": other, "port": 0})
        second = await stack.enter_async_context(serving(reading))
        await stack.enter_async_context(relaying(servers.second))
        await warmed(first)
        await level(first, second)
        yield Sites(servers, first, second, to_api)


def value(name: str, **labels: str) -> float:
    """Returns the value of a metric of this process."""
    return REGISTRY.get_sample_value(name, labels) or 0


async def known(person: Person) -> None:
    """Returns when a site has answered a person. On a busy machine, a server may count as down for a moment."""
    async with asyncio.timeout(60):
        while "errors" in await send(person, ME):
            await asyncio.sleep(0.1)


async def until_shown(reader: Person) -> None:
    """Returns when a reader sees the one post. On a busy machine, a server may count as down for a moment."""
    async with asyncio.timeout(60):
        while "hello" not in str((await send(reader, SQUARE, first=5))["data"]):
            await asyncio.sleep(0.1)


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
    await sites.to_api.cut()

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
    await sites.to_api.cut()
    await sites.servers.to_redis.cut()
    await sites.servers.to_postgres.cut()
    await asyncio.sleep(1)

    seen = await send(alice, SEEN, id=video)
    refused = await send(alice, REACT % "unlike", id=video)

    assert seen["data"]["node"] == {"likeCount": 1, "dislikeCount": 0, "viewerReaction": "LIKE"}
    assert [error["extensions"]["code"] for error in refused["errors"]] == ["UNAVAILABLE"]


async def test_without_the_first_site_nothing_of_others_is_shown_to_users_who_may_be_blocked(sites: Sites) -> None:
    await published(sites.first.person("alice"), "hello")
    await sites.first.drain()
    await on_square(sites.first.person("bob"))  # caches the boundaries, which the second site cannot
    await level(sites.first, sites.second)
    bob, stranger = sites.second.person("bob"), sites.second.person(None)
    await until_shown(bob)
    stale = value("plaudit_stale_answers_total")
    unanswered = value("plaudit_forwarded_total", kind="mutation", outcome="unanswered")
    await sites.hold()

    hidden, shown = await send(bob, SQUARE, first=5), await send(stranger, SQUARE, first=5)
    refused = await send(bob, REACT % "like", id="Entity:video:v1")
    await sites.flow()
    await level(sites.first, sites.second)

    assert "hello" not in str(hidden)
    assert hidden["extensions"]["stale"] >= 3
    assert [post["text"] for post in shown["data"]["square"]["nodes"]] == ["hello"]
    assert shown["extensions"]["stale"] >= 3
    assert [error["extensions"]["code"] for error in refused["errors"]] == ["UNAVAILABLE"]
    assert value("plaudit_stale_answers_total") == stale + 2
    assert value("plaudit_forwarded_total", kind="mutation", outcome="unanswered") == unanswered + 1
    await until_shown(bob)
    assert "stale" not in (await send(bob, SQUARE, first=5))["extensions"]


@pytest.mark.parametrize(("trust_s", "texts"), [(60.0, ["hello"]), (1.0, [])])
async def test_in_synchronous_mode_the_second_site_answers_alone_for_a_while(
    sites: Sites, monkeypatch: pytest.MonkeyPatch, trust_s: float, texts: list[str]
) -> None:
    monkeypatch.setattr("store.site.is_synchronous", lambda _: True)
    monkeypatch.setattr("store.site.TRUST_S", trust_s)
    await published(sites.first.person("alice"), "hello")
    await sites.first.drain()
    await on_square(sites.first.person("bob"))
    await level(sites.first, sites.second)
    bob = sites.second.person("bob")
    await until_shown(bob)
    await sites.hold()

    seen = await send(bob, SQUARE, first=5)
    await sites.flow()

    assert [text for text in ["hello"] if text in str(seen["data"])] == texts
    assert seen["extensions"]["stale"] >= 3


async def test_a_site_that_has_released_the_writes_shows_nothing_of_others_to_users_who_may_be_blocked(
    sites: Sites,
) -> None:
    """The first site cannot reach the second one, which was promoted."""
    (video,) = await sites.first.videos("v1")
    await published(sites.first.person("alice"), "hello")
    await sites.first.drain()
    bob, stranger = sites.first.person("bob"), sites.first.person(None)
    await until_shown(bob)
    await write_mode.release(sites.first.state.postgres)
    await sites.first.state.write_mode.refresh()

    async with sites.first.socket() as socket:
        await socket.subscribe([video])
        refused = await socket.receive()
    hidden, shown = await send(bob, SQUARE, first=5), await send(stranger, SQUARE, first=5)

    assert [error["extensions"]["code"] for error in refused["payload"]] == ["UNAVAILABLE"]
    assert "hello" not in str(hidden)
    assert [post["text"] for post in shown["data"]["square"]["nodes"]] == ["hello"]


async def test_a_header_that_is_not_ascii_is_forwarded(sites: Sites) -> None:
    (video,) = await sites.first.videos("v1")
    await level(sites.first, sites.second)
    alice = sites.second.person("alice")
    await known(alice)
    unanswered = value("plaudit_forwarded_total", kind="mutation", outcome="unanswered")

    request = {"query": REACT % "like", "variables": {"id": video}}
    headers = httpx.Headers({**alice.headers, "accept-language": "é"}, encoding="latin-1")
    liked = (await alice.http.post("/graphql", json=request, headers=headers)).json()

    assert liked["data"]["like"]["target"]["likeCount"] == 1
    assert value("plaudit_forwarded_total", kind="mutation", outcome="unanswered") == unanswered


async def test_uses_of_operations_at_both_sites_are_counted_once(
    sites: Sites, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One query is answered at the second site. The mutation is forwarded."""
    monkeypatch.setattr("api.persisted.operations.IMPORT_INTERVAL_MS", 0)
    await sites.first.videos("v1")
    await imported(sites.servers.first, manifest(tmp_path, type=TYPE, like=LIKE), client="ios", versions=["1.0"])
    for site in sites.first, sites.second:
        await site.app.state.persisted.refresh()
    await level(sites.first, sites.second)
    person = sites.second.person("alice")
    await known(person)
    person.headers |= {"apollographql-client-name": "ios", "apollographql-client-version": "1.0"}

    for request in {"documentId": "type"}, {"documentId": "like"}:
        answer = await person.http.post("/graphql", json=request, headers=person.headers)
        assert "errors" not in answer.json()
    forged = {"x-plaudit-forwarded": "2", "x-plaudit-uses": f'{"0" * 64} [["type","ios","1.0",99,"2026-01-01"]]'}
    await sites.first.http.post("/graphql", json={"query": TYPE}, headers=forged)
    for site in sites.second, sites.first:
        await site.app.state.persisted.refresh()

    rows = await read_usage(sites.first.state.postgres)
    assert sorted((row.id, row.requests) for row in rows if row.requests) == [("like", 1), ("type", 1)]


async def test_subscribers_at_the_second_site_get_events_after_the_values_can_be_read(sites: Sites) -> None:
    (video,) = await sites.first.videos("v1")
    await level(sites.first, sites.second)
    async with sites.second.socket() as socket, sites.second.stream([video]) as stream:
        await socket.subscribe([video])
        await eventually(lambda: sites.second.state.events.unconfirmed == 0)
        await asyncio.sleep(0.5)
        await sites.first.person("alice").like(video)
        await sites.first.drain()

        assert (await socket.until(lambda value: value["likeCount"] == 1))[-1]["id"] == video
        async with asyncio.timeout(60):
            while (await stream.value())["likeCount"] != 1:
                pass


@pytest.mark.parametrize("limits", [FEW_POINTS])
async def test_a_user_of_both_sites_has_at_most_twice_the_points(sites: Sites, monkeypatch: pytest.MonkeyPatch) -> None:
    """A forwarded operation is charged at both sites."""
    monkeypatch.setattr("store.site.Freshness.is_current", True)  # the site forwards no query on a busy machine
    await known(sites.first.person("alice"))
    await level(sites.first, sites.second)
    first, second = sites.first.person("alice"), sites.second.person("alice")
    await known(second)

    async def pages(person: Person) -> int:
        """Returns how many pages a person gets until the points are used up."""
        for number in range(20):
            if (await person.send(SQUARE, first=5)).status_code == RateLimited.status:
                return number
        raise AssertionError("the points are not used up")

    cost = (await send(second, SQUARE, first=5))["extensions"]["cost"]
    at_first = await pages(first)
    forwarded: dict[str, Any] = {}
    for _ in range(12):  # a mutation costs less than a page
        if "errors" not in forwarded:
            forwarded = await send(second, REACT % "like", id="Entity:video:v1")
    at_second = await pages(second)

    assert abs(at_first - 1000 // cost) <= 2
    assert abs(at_second - 1000 // cost) <= 4
    assert [error["extensions"]["code"] for error in forwarded["errors"]] == ["RATE_LIMITED"]
    assert (await first.send(SQUARE, first=5)).status_code == RateLimited.status


async def test_a_drained_site_gets_no_clients_and_answers_the_other_site(sites: Sites) -> None:
    async def ready(query: str = "") -> tuple[int, list[str]]:
        answer = await sites.second.http.get(f"/readyz{query}")
        return answer.status_code, answer.json()["problems"]

    assert await ready() == (200, [])
    await drain(sites.second.state.cache.redis)
    assert await ready() == (503, ["the site is drained"])
    assert await ready("?forwarded") == (200, [])
    assert "errors" not in await send(sites.second.person("alice"), ME)
    await undrain(sites.second.state.cache.redis)
    assert await ready() == (200, [])


async def test_a_site_that_cannot_say_what_it_had_at_its_promotion_counts_as_down(sites: Sites) -> None:
    other = sites.second.state.other_site
    assert other
    assert (await other.promotion()).ends.keys() == set(range(sites.first.settings.partitions))
    await sites.first.state.postgres.write(REVOKE)
    try:
        with pytest.raises(Unavailable, match="does not say"):
            await other.promotion()
    finally:
        await sites.first.state.postgres.write(GRANT)


async def test_a_site_that_only_reads_exports_how_far_it_is_behind(sites: Sites) -> None:
    await asyncio.sleep(0.5)
    current = {store: value("plaudit_site_lag_seconds", store=store) for store in ("redis", "cache")}
    await sites.servers.to_redis.hold()
    await asyncio.sleep(3)
    behind = {store: value("plaudit_site_lag_seconds", store=store) for store in ("redis", "cache")}
    await sites.servers.to_redis.flow()

    assert all(lag >= 0 for lag in current.values())
    assert all(behind[store] >= current[store] + 1 for store in current)


async def test_a_worker_is_a_relay_until_its_site_writes(sites: Sites) -> None:
    stop = asyncio.Event()
    async with opened(sites.servers.second, "worker", makes_ids=False, obeys_term=False) as state:
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

    before = await last_run.read_end(sites.first.state.postgres)
    totals = await ReconcileRun().execute(sites.second.state)

    assert totals["cached_counts"].keys > 0
    assert sum(total.drifting for total in totals.values()) == 0
    assert await last_run.read_end(sites.first.state.postgres) == before
