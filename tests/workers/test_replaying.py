"""Dead letters that an operator replays count once, whatever has happened since."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.dead_letters import replay
from runner.valkey import Valkey
from settings import Settings
from store.redis.client import RedisDown
from store.write_log import dead_letters
from store.write_log.dead_letters import DeadLetter
from store.write_log.journal import next_versions
from tests.support.journal_entries import Someone, append, count_seen, like_of, neighbours, ref_of, someone, states
from tests.support.outages import stopped
from tests.support.refused_rows import letters, refusing_radio
from tests.support.stores import standalone
from tests.support.system import System, running
from tests.support.workers import ready
from workers.replay_dead_letters import apply_again

WAITING = """
    SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM partitions%FOR UPDATE%'
"""


@standalone
async def test_dead_letters_are_listed_and_replayed_by_command(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice = await someone(system, "alice")
    assert await count_seen(system.person("bob"), video) == 0  # fills the cache
    async with refusing_radio(system):
        await alice.person.react("like", video, source="radio")
        entry = like_of(alice, await ref_of(system, video), kind="applaud")
        bad = await append(system, alice.partition, entry)
        await system.drain()
        listed = await plaudit(system, "dead-letters", "list")
    assert "radio" in listed
    assert "applaud" in listed
    assert len(await letters(system)) == 2

    replayed = await plaudit(system, "dead-letters", "replay", ends=1)

    assert "done" in replayed
    assert "unknown kind" in replayed
    assert await letters(system) == [(alice.partition, bad)]
    assert await states(system) == {alice.user_id: 1}
    assert await count_seen(system.person("bob"), video) == 1
    data = await system.person(None).ask('{ user(handle: "owen") { likesReceivedCount } }')
    assert data["user"]["likesReceivedCount"] == 1


async def refused_like(system: System) -> tuple[Someone, str, DeadLetter]:
    """Lets a user like a video so that Postgres refuses the like. Returns the user, the video and the dead letter."""
    (video,) = await system.videos("v1")
    alice = await someone(system, "alice")
    async with refusing_radio(system):
        await alice.person.react("like", video, source="radio")
        await system.drain()
    (letter,) = await dead_letters.read(system.state.postgres)
    return alice, video, letter


async def plaudit(system: System, *words: str, ends: int = 0) -> str:
    """Runs a command that must exit with this code. Returns its output."""
    environment = {
        **os.environ,
        "DATABASE_URL": system.settings.database_url,
        "REDIS_URL": system.settings.redis_url,
        "PLAUDIT_JWT_SECRET": "s" * 32,
        "PLAUDIT_PARTITIONS": str(system.settings.partitions),
        "COLUMNS": "400",
    }
    command = [sys.executable, "-m", "plaudit", *words]
    done = await asyncio.to_thread(
        subprocess.run, command, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == ends, done.stderr
    return done.stdout


@standalone
async def test_replaying_a_letter_that_is_refused_again_keeps_it(system: System) -> None:
    (video,) = await system.videos("v1")
    (alice,) = await neighbours(system, 1)
    await append(system, alice.partition, like_of(alice, await ref_of(system, video), ip="bad"))
    await system.drain()

    assert not await asyncio.to_thread(asyncio.run, replay(system.settings))

    assert len(await letters(system)) == 1
    assert await states(system) == {}


@standalone
async def test_a_letter_is_kept_until_it_is_published(make_settings: Callable[..., Settings], tmp_path: Path) -> None:
    with Valkey(tmp_path) as redis:
        async with running(make_settings(redis_url=redis.url, local_cache_seconds=0)) as system:
            (video,) = await system.videos("v1")
            alice, anonymous = await someone(system, "alice"), system.person(None)
            async with refusing_radio(system):
                await alice.person.react("like", video, source="radio")
                await system.drain()
            assert await count_seen(anonymous, video) == 0
            (letter,) = await dead_letters.read(system.state.postgres)

            async with stopped(redis, system.state.redis):
                with pytest.raises(RedisDown):
                    await apply_again(system.state, letter)
            assert len(await letters(system)) == 1

            await apply_again(system.state, letter)
            assert await letters(system) == []
            assert await count_seen(anonymous, video) == 1


async def test_replaying_a_change_with_a_newer_one_changes_only_the_log(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice = await someone(system, "alice")
    async with refusing_radio(system):
        await alice.person.react("like", video, source="radio")
        await system.drain()
    await alice.person.unlike(video)
    await system.drain()
    rows = await system.stored("reactions")
    counters = await system.stored("counters")

    for letter in await dead_letters.read(system.state.postgres):
        await apply_again(system.state, letter)

    assert await system.stored("reactions") == rows
    assert await system.stored("counters") == counters
    assert await system.rows("SELECT verb, source FROM like_log ORDER BY version") == [
        ("like", "radio"),
        ("unlike", None),
    ]
    assert await letters(system) == []
    assert await count_seen(alice.person, video) == 0
    data = await alice.person.ask(
        "query ($id: ID!) { node(id: $id) { ... on Reactable { viewerReaction } } }", id=video
    )
    assert data["node"]["viewerReaction"] is None


@standalone
async def test_two_concurrent_replays_count_once(system: System) -> None:
    _, video, letter = await refused_like(system)

    await asyncio.gather(*[apply_again(system.state, letter) for _ in range(4)])

    assert await system.rows("SELECT value FROM counters WHERE kind = 1") == [(1,)]
    assert await count_seen(system.person("bob"), video) == 1


@standalone
async def test_a_replay_waits_for_a_direct_write_of_the_same_user(system: System) -> None:
    alice, _, letter = await refused_like(system)

    async with system.state.postgres.transaction() as transaction:
        await next_versions(transaction, alice.partition)
        replayed = asyncio.create_task(apply_again(system.state, letter))
        async with asyncio.timeout(20):
            while not await system.rows(WAITING):
                assert not replayed.done()
                await asyncio.sleep(0.01)
        assert await states(system) == {}
    await replayed

    assert await states(system) == {alice.user_id: 1}


@standalone
async def test_a_replayed_change_does_not_hide_changes_that_a_counter_includes(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = await neighbours(system, 2)
    worker = await ready(system)
    async with refusing_radio(system):
        await alice.person.react("like", video, source="radio")
        await worker.step()
    await bob.person.like(video)
    await worker.step()
    (letter,) = await dead_letters.read(system.state.postgres)

    await apply_again(system.state, letter)

    assert await count_seen(system.person(None), video) == 2
    assert await count_seen(bob.person, video) == 2  # although the change is still pending
