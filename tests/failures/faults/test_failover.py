"""Redis behind Sentinel: its primary dies or is replaced, and requests continue at the next primary."""

import asyncio
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from runner.valkey import Valkey
from runner.waiting import wait_until
from settings import Settings
from tests.failures.faults.client import TRY_AGAIN
from tests.support.outages import resume, suspend
from tests.support.system import REACT, SEEN, Person, System, running
from tests.support.valkey_cluster import ValkeyCluster
from tests.support.valkey_sentinels import SERVICE, ValkeySentinels

BOUND = 20.0
"""Seconds. Sentinels with these settings need much less, so that a slow machine does not fail the test."""

NO_OTHER_FAILOVER_MS = 60_000
"""Milliseconds. A machine that stalls for a second must not make the sentinel start a second failover."""


@pytest.fixture
def sentinels(tmp_path: Path) -> Iterator[ValkeySentinels]:
    with ValkeySentinels(tmp_path / "sentinels") as servers:
        yield servers


@pytest.fixture
def redis_mode() -> str:
    return "sentinel"


@pytest.fixture
def redis_url(sentinels: ValkeySentinels) -> str:
    return sentinels.url


async def insist(person: Person, query: str, **variables: Any) -> Any:
    """Returns the data of the first complete response. Until then every error must be temporary."""
    async with asyncio.timeout(BOUND):
        while True:
            body = (await person.send(query, **variables)).json()
            if "errors" not in body and "degraded" not in body.get("extensions", {}):
                return body["data"]
            assert {error["extensions"]["code"] for error in body.get("errors", [])} <= TRY_AGAIN, body
            await asyncio.sleep(0.05)


def wake(server: Valkey) -> None:
    """Resumes a server, which acts as the primary until a sentinel corrects it."""
    resume(server)
    assert server.command("ROLE")[0] == "master"


@pytest.mark.prove
@pytest.mark.parametrize(("fails", "returns"), [(Valkey.kill, Valkey.start), (suspend, wake)], ids=["dies", "hangs"])
async def test_reads_and_likes_continue_at_the_next_primary(
    system: System, sentinels: ValkeySentinels, fails: Callable[[Valkey], None], returns: Callable[[Valkey], None]
) -> None:
    (video,) = await system.videos("v1")
    alice, bob, carol = (system.person(name) for name in ("alice", "bob", "carol"))
    await alice.like(video)
    await system.drain()
    await bob.like(video)
    await carol.ask(SEEN, id=video)
    failing = sentinels.primary
    sentinels.await_replica()

    fails(failing)
    liked = await insist(carol, REACT % "like", id=video, key="carol-1")

    assert sentinels.primary is not failing
    assert liked["like"]["target"] == {"id": video, "likeCount": 2, "dislikeCount": 0, "viewerReaction": "LIKE"}
    returns(failing)
    seen = await insist(bob, SEEN, id=video)
    assert seen["node"] == {"likeCount": 2, "dislikeCount": 0, "viewerReaction": "LIKE"}
    await system.drain()
    assert (await insist(alice, SEEN, id=video))["node"]["likeCount"] == 3
    assert await system.rows("SELECT count(*), count(DISTINCT user_id) FROM like_log") == [(3, 3)]


def has_run_scripts(server: Valkey) -> bool:
    """Returns whether clients ran scripts on this server. A replica receives only the writes of scripts."""
    return "cmdstat_evalsha" in server.command("INFO", "commandstats")


async def test_a_coordinated_failover_loses_no_acknowledged_write(system: System, sentinels: ValkeySentinels) -> None:
    handles = [f"p{n}" for n in range(6)]
    videos = dict(zip(handles, await system.videos(*handles), strict=True))
    before = sentinels.primary
    sentinels.sentinels[0].command("SENTINEL SET", SERVICE, "down-after-milliseconds", NO_OTHER_FAILOVER_MS)
    changes = 0

    async def changes_their_mind(handle: str) -> None:
        """Likes and unlikes until the next primary has served requests. An unlike after a lost like has no effect."""
        nonlocal changes
        person, last = system.person(handle), None
        for n in itertools.count():
            verb = ("like", "unlike")[n % 2]
            await insist(person, REACT % verb, id=videos[handle], key=f"{handle}-{n}")
            changes += 1
            if n == 5 and handle == handles[0]:
                sentinels.sentinels[0].command("SENTINEL FAILOVER", SERVICE, "COORDINATED")
            if last is None and sentinels.primary is not before and has_run_scripts(sentinels.primary):
                last = n + 20
            if n == last:
                return

    await asyncio.gather(*map(changes_their_mind, handles))

    assert sentinels.primary is not before
    await system.drain()
    assert await system.rows("SELECT count(*) FROM like_log") == [(changes,)]


async def test_a_primary_without_its_replica_refuses_likes_if_so_configured(
    system: System, sentinels: ValkeySentinels
) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    await alice.like(video)
    await system.drain()
    await bob.ask(SEEN, id=video)
    sentinels.primary.command("CONFIG SET", "min-replicas-to-write", 1)

    sentinels.replica.kill()
    assert wait_until(lambda: sentinels.primary.command("ROLE")[2] == [], BOUND)

    assert await bob.errors(REACT % "like", id=video) == [("UNAVAILABLE", ["like"])]
    assert (await bob.ask(SEEN, id=video))["node"]["likeCount"] == 1
    journals = [system.state.keys.journal(partition) for partition in range(system.settings.partitions)]
    assert [sentinels.primary.command("XLEN", journal) for journal in journals] == [0] * len(journals)


async def test_the_cache_can_run_without_sentinel(
    make_settings: Callable[..., Settings], sentinels: ValkeySentinels, valkey_cluster: ValkeyCluster
) -> None:
    for node in valkey_cluster.nodes:
        node.command("FLUSHALL")
    async with running(make_settings(cache_url=valkey_cluster.url, cache_mode="cluster")) as system:
        (video,) = await system.videos("v1")
        await system.person("alice").like(video)
        await system.drain()
        assert (await system.person("bob").ask(SEEN, id=video))["node"]["likeCount"] == 1

        state = sentinels.primary.command("KEYS", "*")
        cache = [key for node in valkey_cluster.nodes for key in node.command("KEYS", "*")]
    assert any(":journal" in key for key in state)
    assert any(key.startswith("{counts:") for key in cache)
    assert not any(":journal" in key for key in cache)
    assert not any(key.startswith("{counts:") for key in state)
