"""Whatever overlaps a registration, nobody reads an entity that is older than the last one acknowledged."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from store.cache.values import Cache
from tests.features.entities.registration import read, register, registrar
from tests.support.system import System


def meanwhile(monkeypatch: pytest.MonkeyPatch, cache: Cache, method: str, act: Callable[[], Awaitable[Any]]) -> None:
    """Once, right after `method` of the cache has done its work, `act` happens before its caller goes on."""
    original = getattr(cache, method)

    async def interrupted(*args: Any) -> Any:
        answer = await original(*args)
        monkeypatch.undo()
        await act()
        return answer

    monkeypatch.setattr(cache, method, interrupted)


def title(value: str) -> dict[str, str]:
    return {"business": "video", "key": "v1", "title": value}


async def test_registrations_and_reads_that_overlap_leave_no_stale_copy(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One is about to commit; another begins and waits for it; somebody reads between the two."""
    await system.videos("v1")
    anna, bert, carol = registrar(system), registrar(system), system.person("carol")
    second: list[asyncio.Task[Any]] = []

    async def another_begins() -> None:
        second.append(asyncio.create_task(register(bert, title("second"))))
        assert (await read(carol, "v1"))[0]["title"] == "v1"

    meanwhile(monkeypatch, system.state.cache, "fence", another_begins)
    await register(anna, title("first"))
    assert (await read(carol, "v1"))[0]["title"] in ("first", "second")
    await second[0]

    assert (await read(carol, "v1"))[0]["title"] == "second"


async def test_a_read_that_began_before_a_registration_installs_nothing(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    await system.videos("v1")
    anna, bob, carol = registrar(system), system.person("bob"), system.person("carol")
    await bob.ask("{ viewer { id } }")

    async def registration() -> None:
        await register(anna, title("new"))

    meanwhile(monkeypatch, system.state.cache, "acquire", registration)
    await read(bob, "v1")

    assert (await read(carol, "v1"))[0]["title"] == "new"


async def test_a_registration_that_outlives_its_fence_leaves_no_stale_copy(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    await system.videos("v1")
    anna, carol = registrar(system), system.person("carol")

    async def fence_expires() -> None:
        await system.state.redis.client.delete("{entity:100:v1}:lease")
        assert (await read(carol, "v1"))[0]["title"] == "v1"

    meanwhile(monkeypatch, system.state.cache, "fence", fence_expires)
    await register(anna, title("new"))

    assert (await read(carol, "v1"))[0]["title"] == "new"
