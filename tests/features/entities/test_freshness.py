"""Concurrent registrations and reads never leave a cached entity older than the last acknowledged registration."""

import asyncio
from typing import Any

import pytest

from tests.support.interrupting import run_after
from tests.support.registration import read, register, registrar
from tests.support.system import System


def title(value: str) -> dict[str, str]:
    return {"business": "video", "key": "v1", "title": value}


async def test_overlapping_registrations_and_reads_leave_no_stale_cached_entity(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second registration starts before the commit of the first and waits. A read happens between the commits."""
    await system.videos("v1")
    anna, bert, carol = registrar(system), registrar(system), system.person("carol")
    second: list[asyncio.Task[Any]] = []

    async def start_second_registration() -> None:
        second.append(asyncio.create_task(register(bert, title("second"))))
        assert (await read(carol, "v1"))[0]["title"] == "v1"

    run_after(monkeypatch, system.state.cache, "fence", start_second_registration)
    await register(anna, title("first"))
    assert (await read(carol, "v1"))[0]["title"] in ("first", "second")
    await second[0]

    assert (await read(carol, "v1"))[0]["title"] == "second"


async def test_a_read_that_began_before_a_registration_fills_nothing(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    await system.videos("v1")
    anna, bob, carol = registrar(system), system.person("bob"), system.person("carol")
    await bob.ask("{ viewer { id } }")

    async def registration() -> None:
        await register(anna, title("new"))

    run_after(monkeypatch, system.state.cache, "acquire", registration)
    await read(bob, "v1")

    assert (await read(carol, "v1"))[0]["title"] == "new"


async def test_a_registration_that_outlives_its_fence_leaves_no_stale_cached_entity(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    await system.videos("v1")
    anna, carol = registrar(system), system.person("carol")

    async def fence_expires() -> None:
        await system.state.redis.client.delete("{entity:100:v1}:lease")
        assert (await read(carol, "v1"))[0]["title"] == "v1"

    run_after(monkeypatch, system.state.cache, "fence", fence_expires)
    await register(anna, title("new"))

    assert (await read(carol, "v1"))[0]["title"] == "new"
