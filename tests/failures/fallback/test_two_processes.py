"""Two API processes through the beginning and the end of direct writing: what one has acknowledged, the other shows."""

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
class Two:
    """Two processes over the same stores, which look at the mode only when something makes them."""

    first: System
    second: System

    def is_behind(self, mode: Mode, seconds: float = 0) -> None:
        """The second process knows this mode, and has not looked for so long."""
        self.second.state.write_mode._enter(mode)
        self.second.state.write_mode._read_at -= seconds

    async def through(self) -> Mode:
        """Writes have been direct, and are no longer, as the first process knows. Returns the mode meanwhile."""
        await begin(self.first)
        direct = self.first.state.write_mode.current
        await end(self.first)
        return direct


@pytest_asyncio.fixture
async def two(make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Two]:
    monkeypatch.setattr(write_mode, "_EVERY", 3600)
    async with AsyncExitStack() as stack:
        yield Two(*[await stack.enter_async_context(running(make_settings())) for _ in range(2)])


def looks(system: System, monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Has an item for each look at the mode from now on."""
    done: list[None] = []
    read_unqueued = system.state.postgres.read_unqueued

    async def counted(statement: Any) -> Any:
        done.append(None)
        return await read_unqueued(statement)

    monkeypatch.setattr(system.state.postgres, "read_unqueued", counted)
    return done


async def test_after_the_end_a_process_that_is_behind_shows_people_their_own_changes(two: Two) -> None:
    (video,) = await two.first.videos("v1")
    here, there = two.first.person("alice"), two.second.person("alice")
    (draft,) = await published(here, "first words")
    await two.first.drain()
    direct = await two.through()

    await here.like(video)
    two.is_behind(direct)
    assert await reaction(two.second, "alice", video) == "LIKE"
    await publish(here, "hello")
    two.is_behind(direct)
    assert await on_profile(there, "alice") == ["hello", "first words"]
    await edit(here, draft, text="second words")
    two.is_behind(direct)
    assert (await seen(there, draft))["text"] == "second words"
    assert not two.second.state.write_mode.current.direct


async def test_after_the_end_a_process_that_is_behind_finds_what_a_write_is_about(two: Two) -> None:
    here, there = two.first.person("alice"), two.second.person("alice")
    await here.id()
    direct = await two.through()
    post = (await publish(here, "hello"))["post"]["id"]
    two.is_behind(direct)

    assert (await edit(there, post, text="hello, world"))["post"]["text"] == "hello, world"


async def test_after_the_end_a_process_that_is_behind_tells_watchers_their_own_changes(
    two: Two, make_settings: Callable[..., Settings]
) -> None:
    (video,) = await two.first.videos("v1")
    alice = two.first.person("alice")
    await two.first.drain()
    async with serving(make_settings(port=0)) as place, place.socket("alice") as socket:
        await socket.subscribe([video], query=WATCH)
        assert (await socket.value())["viewerReaction"] is None
        direct = await two.through()
        await alice.like(video)
        place.state.write_mode._enter(direct)

        assert (await socket.value())["viewerReaction"] == "LIKE"


async def test_from_the_beginning_a_process_that_has_not_looked_lately_shows_people_what_they_wrote_directly(
    two: Two,
) -> None:
    (video,) = await two.first.videos("v1")
    assert await reaction(two.second, "alice", video) is None
    normal = two.second.state.write_mode.current
    await begin(two.first)
    await two.first.person("alice").like(video)
    two.is_behind(normal, seconds=2)

    assert await reaction(two.second, "alice", video) == "LIKE"


@both_ways
async def test_a_generation_that_is_over_is_not_believed_while_postgres_is_away(
    two: Two, postgres: Postgres, away: Away
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
        two.is_behind(normal, seconds=2)
        answer = await two.second.person("alice").send(SEEN, id=video)
    assert answer.json()["data"]["node"] is None
    assert answer.json()["errors"][0]["extensions"]["code"] == "UNAVAILABLE"
    assert await reaction(two.second, "alice", video) is None


async def test_pages_look_at_the_mode_only_while_writes_are_direct(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    (video,) = await two.first.videos("v1")
    done = looks(two.second, monkeypatch)
    await reaction(two.second, "alice", video)
    await two.second.person("alice").like(video)
    assert len(done) == 0
    await begin(two.second)
    done.clear()

    await two.second.person(None).ask(SEEN, id=video)
    assert len(done) == 0, "who is not signed in has nothing of their own"
    await reaction(two.second, "alice", video)
    assert len(done) == 1
    await asyncio.gather(*[reaction(two.second, "alice", video) for _ in range(20)])
    assert len(done) <= 3, "those that wait share a look"


async def test_a_look_that_began_earlier_does_not_do(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
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
    await asyncio.sleep(0)  # it waits now
    may_answer.set()

    await asked
    assert not mode.current.direct
    await earlier
