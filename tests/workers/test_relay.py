"""A relay at a second site: its cache never keeps a value that is older than what the first site has recorded."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio

from runner.postgres import Postgres
from settings import Settings
from store import site
from store.cache import log as cache_changes
from store.cache import repeated
from store.keys import cache_log, relayed
from store.keys import relaying as relaying_key
from store.redis.client import RedisDown
from store.write_log import write_mode
from tests.support.posts import published
from tests.support.reconciliation import populate, read
from tests.support.stores import standalone
from tests.support.system import LENIENT, System, running
from tests.support.two_sites import TwoSites, level, record_changes, relaying, two_sites, warmed
from workers import relay
from workers.reconcile.run import PARTS

pytestmark = [standalone, pytest.mark.prove, pytest.mark.timeout(300)]
LIKES = "query ($id: ID!) { node(id: $id) { ... on Reactable { likeCount } } }"
NAME = "query ($handle: String!) { user(handle: $handle) { displayName } }"
RENAME = "mutation ($name: String!) { updateProfile(input: {displayName: $name}) { userErrors { code } } }"
SUGGESTED = "{ viewer { suggestedUsers(first: 5) { user { handle } } } }"


class Pair(NamedTuple):
    """Both sites, and the application at each of them."""

    sites: TwoSites
    first: System
    second: System


@pytest_asyncio.fixture
async def pair(tmp_path: Path, postgres: Postgres, make_settings: Callable[..., Settings]) -> AsyncIterator[Pair]:
    async with AsyncExitStack() as stack:
        sites = await stack.enter_async_context(
            two_sites(tmp_path, postgres, make_settings, moderation=LENIENT, local_cache_seconds=0)
        )
        first = await stack.enter_async_context(running(sites.first))
        record_changes(first)
        second = await stack.enter_async_context(running(sites.second))
        await stack.enter_async_context(relaying(sites.second))
        await warmed(first)
        await level(first, second)
        yield Pair(sites, first, second)


async def likes(system: System, video: str) -> int:
    return int((await system.person(None).ask(LIKES, id=video))["node"]["likeCount"])


async def name(system: System, handle: str) -> str:
    return str((await system.person(None).ask(NAME, handle=handle))["user"]["displayName"])


async def mismatches(system: System) -> dict[str, int]:
    """Returns how many cached values differ from the rows of the site, by kind."""
    found: dict[str, int] = {}
    async for compared in PARTS["caches"](system.state):
        if compared.kind and compared.drifting:
            found[compared.kind] = found.get(compared.kind, 0) + compared.drifting
    return found


async def test_a_cached_count_at_the_second_site_follows(pair: Pair) -> None:
    (video,) = await pair.first.videos("v1")
    await level(pair.first, pair.second)
    assert await likes(pair.second, video) == 0

    await pair.first.person("alice").like(video)
    await pair.first.drain()
    await level(pair.first, pair.second)

    assert await likes(pair.second, video) == 1


async def test_a_change_waits_for_its_rows(pair: Pair) -> None:
    """The second site gets the change before the rows, and readers cache the old rows meanwhile."""
    (video,) = await pair.first.videos("v1")
    alice = pair.first.person("alice")
    await alice.ask(RENAME, name="Old")
    await level(pair.first, pair.second)
    await pair.sites.to_postgres.hold()

    await alice.like(video)
    await alice.ask(RENAME, name="New")
    await pair.first.drain()
    await asyncio.sleep(0.5)
    assert await likes(pair.second, video) == 0
    assert await name(pair.second, "alice") == "Old"
    await pair.sites.to_postgres.flow()
    await level(pair.first, pair.second)

    assert await likes(pair.second, video) == 1
    assert await name(pair.second, "alice") == "New"


async def test_a_relay_that_has_missed_entries_begins_with_an_empty_cache(pair: Pair) -> None:
    (video,) = await pair.first.videos("v1")
    await level(pair.first, pair.second)
    assert await likes(pair.second, video) == 0
    await pair.sites.to_redis.hold()
    await pair.first.person("alice").like(video)
    await pair.first.drain()
    await pair.first.state.redis.client.xtrim(cache_log(), maxlen=0)
    assert pair.first.state.cache.log
    await pair.first.state.cache.log.beat()
    await pair.sites.to_redis.flow()

    await level(pair.first, pair.second)

    assert await likes(pair.second, video) == 1


async def test_a_relay_that_was_too_far_behind_begins_with_an_empty_cache(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay, "LEASE_MS", 500)
    await pair.second.state.cache.redis("SET", "kept", "1", write=True)
    await level(pair.first, pair.second)
    assert await pair.second.state.cache.redis("GET", "kept") == b"1"
    await pair.sites.to_postgres.hold()
    await pair.first.person("bob").ask("{ viewer { user { id } } }")
    assert pair.first.state.cache.log
    await pair.first.state.cache.log.beat()
    await asyncio.sleep(1)
    await pair.sites.to_postgres.flow()

    await level(pair.first, pair.second)

    assert await pair.second.state.cache.redis("GET", "kept") is None


async def test_a_relay_begins_with_an_empty_cache_after_a_failover_of_the_state_redis(pair: Pair) -> None:
    await pair.second.state.cache.redis("SET", "kept", "1", write=True)
    async with pair.first.state.postgres.transaction() as transaction:
        await write_mode.verify(transaction, 0, {*await pair.first.state.redis.run_ids(), "another"})

    async with asyncio.timeout(30):
        while await pair.second.state.cache.redis("GET", "kept"):
            await level(pair.first, pair.second)


async def test_a_relay_begins_with_an_empty_cache_after_too_many_changes_were_noted(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first site cannot append its changes for a while, and keeps no more than its bound."""
    (video,) = await pair.first.videos("v1")
    await level(pair.first, pair.second)
    assert await likes(pair.second, video) == 0
    log = pair.first.state.cache.log
    assert log
    kept, bound = [], cache_changes.MOST_BYTES
    monkeypatch.setattr(cache_changes, "MOST_BYTES", 1000)
    with monkeypatch.context() as outage:
        outage.setattr(pair.first.state.redis, "is_suspended", True)
        for number in range(100):
            log.note([("DEL", f"{number:030}")])
            with suppress(RedisDown):
                await log.flush()
            kept.append(log._noted.size)
        await pair.second.state.cache.redis("SET", "kept", "1", write=True)
    monkeypatch.setattr(cache_changes, "MOST_BYTES", bound)

    await pair.first.person("alice").like(video)
    await pair.first.drain()
    await level(pair.first, pair.second)

    assert 0 < max(kept) <= 1000
    assert kept[-1] == 0
    assert await likes(pair.second, video) == 1
    assert await pair.second.state.cache.redis("GET", "kept") is None


async def test_one_relay_works_and_another_takes_over(pair: Pair) -> None:
    cache = pair.second.state.cache.redis
    first = await cache("GET", relaying_key())
    async with relaying(pair.sites.second) as other:
        assert not await repeated.has_turn(cache, other.name)
        await level(pair.first, pair.second)
        assert await cache("GET", relaying_key()) == first
        await cache("SET", relaying_key(), other.name, "PX", 3000, write=True)  # as if the first relay had died
        await level(pair.first, pair.second)
        assert await cache("GET", relaying_key()) == other.name.encode()

    await level(pair.first, pair.second)
    assert await cache("GET", relaying_key()) == first


async def test_a_relay_keeps_a_site_drained(pair: Pair) -> None:
    cache = pair.second.state.cache.redis
    await site.drain(cache)
    await cache("DEL", relayed(), write=True)
    await level(pair.first, pair.second)

    assert await site.is_drained(cache)
    await site.undrain(cache)
    assert not await site.is_drained(cache)


async def test_suggestions_are_computed_at_the_second_site(pair: Pair) -> None:
    await published(pair.first.person("bob"), "hello")
    await pair.first.person("alice").ask(SUGGESTED)  # caches the boundaries, which the second site cannot
    await pair.first.drain()
    await level(pair.first, pair.second)
    alice = pair.second.person("alice")

    async with asyncio.timeout(30):
        while not (found := (await alice.ask(SUGGESTED))["viewer"]["suggestedUsers"]):
            await asyncio.sleep(0.1)

    assert "bob" in {one["user"]["handle"] for one in found}


async def test_all_kinds_of_cached_values_agree_with_the_rows(pair: Pair) -> None:
    pair.sites.delay(0.02)
    population = await populate(pair.first)
    await level(pair.first, pair.second)
    await read(pair.second, population)
    await pair.first.person("alice").like(population.video)
    await pair.first.drain()
    await level(pair.first, pair.second)

    assert await mismatches(pair.second) == {}
