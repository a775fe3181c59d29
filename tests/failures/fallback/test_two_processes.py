"""Two API processes at the beginning and end of direct writes: each shows what the other has acknowledged."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio

from runner.postgres import Postgres
from settings import Settings
from store.write_log import write_mode
from store.write_log.write_mode import Mode
from tests.support.fallback_mode import begin, end, reaction
from tests.support.outages import Away, both_ways
from tests.support.posts import edit, on_profile, publish, published, seen
from tests.support.stores import standalone
from tests.support.subscriptions import WATCH, serving
from tests.support.system import SEEN, System, running

pytestmark = standalone


@dataclass
class TwoProcesses:
    """Two processes over one pair of stores. They read the write mode only when a test or a request makes them."""

    first: System
    second: System

    def knows(self, mode: Mode, seconds: float = 0) -> None:
        """Sets the mode that the second process knows, and the time since it read the mode."""
        self.second.state.write_mode._enter(mode)
        self.second.state.write_mode._read_at -= seconds

    async def through_direct_writes(self) -> Mode:
        """Begins and ends direct writes, as the first process knows. Returns the mode in between."""
        await begin(self.first)
        direct = self.first.state.write_mode.current
        await end(self.first)
        return direct


@pytest_asyncio.fixture
async def two(make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[TwoProcesses]:
    monkeypatch.setattr(write_mode, "_EVERY", 3600)
    async with AsyncExitStack() as stack:
        yield TwoProcesses(*[await stack.enter_async_context(running(make_settings())) for _ in range(2)])


def mode_reads(system: System, monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Returns a list that gets an item for each later read of the write mode."""
    done: list[None] = []
    read_unqueued = system.state.postgres.read_unqueued

    async def counted(statement: Any) -> Any:
        done.append(None)
        return await read_unqueued(statement)

    monkeypatch.setattr(system.state.postgres, "read_unqueued", counted)
    return done


async def test_after_the_end_an_outdated_process_shows_users_their_own_changes(two: TwoProcesses) -> None:
    (video,) = await two.first.videos("v1")
    here, there = two.first.person("alice"), two.second.person("alice")
    (draft,) = await published(here, "first words")
    await two.first.drain()
    direct = await two.through_direct_writes()

    await here.like(video)
    two.knows(direct)
    assert await reaction(two.second, "alice", video) == "LIKE"
    await publish(here, "hello")
    two.knows(direct)
    assert await on_profile(there, "alice") == ["hello", "first words"]
    await edit(here, draft, text="second words")
    two.knows(direct)
    assert (await seen(there, draft))["text"] == "second words"
    assert not two.second.state.write_mode.current.direct


async def test_after_the_end_an_outdated_process_finds_the_target_of_a_write(two: TwoProcesses) -> None:
    here, there = two.first.person("alice"), two.second.person("alice")
    await here.id()
    direct = await two.through_direct_writes()
    post = (await publish(here, "hello"))["post"]["id"]
    two.knows(direct)

    assert (await edit(there, post, text="hello, world"))["post"]["text"] == "hello, world"


async def test_after_the_end_an_outdated_process_sends_watchers_their_own_changes(
    two: TwoProcesses, make_settings: Callable[..., Settings]
) -> None:
    (video,) = await two.first.videos("v1")
    alice = two.first.person("alice")
    await two.first.drain()
    async with serving(make_settings(port=0)) as place, place.socket("alice") as socket:
        await socket.subscribe([video], query=WATCH)
        assert (await socket.value())["viewerReaction"] is None
        direct = await two.through_direct_writes()
        await alice.like(video)
        place.state.write_mode._enter(direct)

        assert (await socket.value())["viewerReaction"] == "LIKE"


async def test_from_the_beginning_an_outdated_process_shows_users_their_direct_writes(
    two: TwoProcesses,
) -> None:
    (video,) = await two.first.videos("v1")
    assert await reaction(two.second, "alice", video) is None
    normal = two.second.state.write_mode.current
    await begin(two.first)
    await two.first.person("alice").like(video)
    two.knows(normal, seconds=2)

    assert await reaction(two.second, "alice", video) == "LIKE"


@both_ways
async def test_an_ended_generation_is_not_used_while_postgres_is_down(
    two: TwoProcesses, postgres: Postgres, away: Away
) -> None:
    (video,) = await two.first.videos("v1")
    await two.first.person("alice").like(video)
    assert await reaction(two.second, "alice", video) == "LIKE"
    await two.first.drain()
    normal = two.second.state.write_mode.current
    await begin(two.first)
    await two.first.person("alice").unlike(video)
    await end(two.first)

    async with away(postgres, two.second.state.postgres):
        two.knows(normal, seconds=2)
        answer = await two.second.person("alice").send(SEEN, id=video)
    assert answer.json()["data"]["node"] is None
    assert answer.json()["errors"][0]["extensions"]["code"] == "UNAVAILABLE"
    assert await reaction(two.second, "alice", video) is None


async def test_requests_read_the_mode_only_while_writes_are_direct(
    two: TwoProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    (video,) = await two.first.videos("v1")
    done = mode_reads(two.second, monkeypatch)
    await reaction(two.second, "alice", video)
    await two.second.person("alice").like(video)
    assert len(done) == 0
    await begin(two.second)
    done.clear()

    await two.second.person(None).ask(SEEN, id=video)
    assert len(done) == 0, "an anonymous request does not read the mode"
    await reaction(two.second, "alice", video)
    assert len(done) == 1
    await asyncio.gather(*[reaction(two.second, "alice", video) for _ in range(20)])
    assert len(done) <= 3, "concurrent requests share one read of the mode"


async def test_a_mode_read_that_began_earlier_is_not_shared(two: TwoProcesses, monkeypatch: pytest.MonkeyPatch) -> None:
    await begin(two.first)
    mode, read_unqueued = two.second.state.write_mode, two.second.state.postgres.read_unqueued
    await mode.refresh()
    was_read, may_answer = asyncio.Event(), asyncio.Event()

    async def slow(statement: Any) -> Any:
        rows = await read_unqueued(statement)
        was_read.set()
        await may_answer.wait()
        return rows

    monkeypatch.setattr(two.second.state.postgres, "read_unqueued", slow)
    earlier = asyncio.create_task(mode.refresh())
    await was_read.wait()
    await end(two.first)
    asked = asyncio.create_task(mode.catch_up())
    await asyncio.sleep(0)  # the second read waits now
    may_answer.set()

    await asked
    assert not mode.current.direct
    await earlier
