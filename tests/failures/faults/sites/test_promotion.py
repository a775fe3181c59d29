"""The reading one of two sites is promoted: after the loss of the other site, as planned, and by mistake."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from sqlalchemy.exc import DBAPIError

from api.health import unready
from cli import promotion
from cli.promotion import Refused
from runner.binaries import postgres_bin
from settings import Settings
from state import State, opened
from store.postgres.client import PostgresDown
from store.site import drain, undrain
from store.write_log import write_mode
from tests.support.promotions import WholeSites, as_admin, whole_sites
from tests.support.stores import standalone
from tests.support.system import REACT, SEEN, Api
from tests.support.two_sites import level

pytestmark = [standalone, pytest.mark.prove, pytest.mark.timeout(500)]

WAIT_S = 120
"""Seconds of patience on a busy machine. On an idle one, writes begin after less than ten."""


@pytest_asyncio.fixture
async def sites(tmp_path: Path, make_settings: Callable[..., Settings]) -> AsyncIterator[WholeSites]:
    async with whole_sites(tmp_path, make_settings) as both:
        yield both


@asynccontextmanager
async def at(api: Api, *, is_up: bool = True) -> AsyncIterator[State]:
    """Opens the stores of a site, as a command there does. Waits until a busy Postgres answers."""
    async with opened(api.settings, "command", makes_ids=False, obeys_term=False) as state:
        async with asyncio.timeout(WAIT_S):
            while is_up:
                with suppress(PostgresDown):
                    await promotion.standby(state)
                    break
        yield state


class Crowd:
    """Users who like a video at one site, each once, one after another; and what the site has acknowledged."""

    def __init__(self, api: Api, video: str, name: str) -> None:
        self.api, self.video, self.name = api, video, name
        self.acknowledged: list[str] = []
        self._number = 0

    async def like_once(self) -> bool:
        """Sends one like. Returns whether it was acknowledged."""
        self._number += 1
        handle = f"{self.name}{self._number}"
        try:
            body = (await self.api.person(handle).send(REACT % "like", id=self.video, key="k")).json()
        except httpx.HTTPError:
            return False
        if "errors" in body:
            return False
        self.acknowledged.append(handle)
        return True

    async def go_on(self) -> None:
        """Sends likes until this task is cancelled."""
        while True:
            await self.like_once()
            await asyncio.sleep(0.2)

    async def until_acknowledged(self) -> None:
        """Sends likes until one is acknowledged."""
        async with asyncio.timeout(WAIT_S):
            while not await self.like_once():
                await asyncio.sleep(0.1)


async def missing(api: Api, video: str, handles: list[str]) -> list[str]:
    """Returns those users whose like a site does not show."""
    seen = [(await api.person(handle).ask(SEEN, id=video))["node"]["viewerReaction"] for handle in handles]
    return [handle for handle, reaction in zip(handles, seen, strict=True) if reaction != "LIKE"]


async def keep_reading(api: Api, video: str, failures: list[Any]) -> None:
    """Reads a video again and again, and notes the answers without its counter."""
    while True:
        body = (await api.person(None).send(SEEN, id=video)).json()
        if not (body.get("data") or {}).get("node"):
            failures.append(body)
        await asyncio.sleep(0.05)


async def stop(*tasks: "asyncio.Task[None]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_in_synchronous_mode_a_transaction_that_changes_nothing_waits_for_earlier_ones(
    sites: WholeSites,
) -> None:
    await as_admin(sites.postgres, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
    async with at(sites.first) as state:
        assert await promotion.begin_synchronous(state) == 1
    await sites.first.state.write_mode.refresh()
    await sites.first.state.write_mode.wait_for_other_site()
    await sites.cut()

    with pytest.raises(PostgresDown):
        await sites.first.state.write_mode.wait_for_other_site()


async def test_a_killed_site_has_lost_nothing_that_it_acknowledged_in_synchronous_mode(sites: WholeSites) -> None:
    await as_admin(sites.postgres, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
    async with at(sites.first) as state:
        assert await promotion.begin_synchronous(state) == 1
    (video,) = await sites.first.videos("v1")
    await level(sites.first, sites.second)
    crowd, failures = Crowd(sites.first, video, "early"), list[Any]()
    reading = asyncio.create_task(keep_reading(sites.second, video, failures))
    writing = asyncio.create_task(crowd.go_on())
    await asyncio.sleep(3)

    sites.kill_first()
    await sites.cut()
    await stop(writing)
    known = list(crowd.acknowledged)
    assert known
    async with at(sites.second) as state:
        promoted = await promotion.promote(state, planned=False)
    later = Crowd(sites.second, video, "late")
    await later.until_acknowledged()
    await stop(reading)

    assert promoted.term == 1
    assert failures == []
    assert await missing(sites.second, video, known + later.acknowledged) == []
    assert await sites.second.rows("SELECT synchronous FROM modes") == [(False,)]


async def test_a_planned_promotion_loses_nothing_and_the_old_site_forwards(sites: WholeSites) -> None:
    video, another = await sites.first.videos("v1", "v2")
    await level(sites.first, sites.second)
    crowds = [Crowd(api, video, name) for api, name in ((sites.first, "one"), (sites.second, "two"))]
    writing = [asyncio.create_task(crowd.go_on()) for crowd in crowds]
    await asyncio.sleep(2)
    async with at(sites.second) as state:
        await drain(sites.first.state.cache.redis)
        with pytest.raises(Refused, match="takes writes"):
            await promotion.promote(state, planned=False)
        await undrain(sites.first.state.cache.redis)
        with pytest.raises(Refused, match="has not released"):
            await promotion.promote(state, planned=True)

    async with at(sites.first) as state:
        await promotion.release(state)
    await asyncio.sleep(1)
    async with at(sites.second) as state:
        promoted = await promotion.promote(state, planned=True)
    await stop(*writing)
    await crowds[1].until_acknowledged()
    known = crowds[0].acknowledged[0]  # the old site knows no new users, so it is not ready
    async with asyncio.timeout(WAIT_S):
        while "errors" in (await sites.first.person(known).send(REACT % "like", id=another)).json():
            await asyncio.sleep(0.1)
    unready_for = await unready(sites.first.state)

    handles = [handle for crowd in crowds for handle in crowd.acknowledged]
    assert promoted.term == 1
    assert unready_for == [write_mode.RELEASED]
    assert await missing(sites.second, video, handles) == []
    assert await missing(sites.second, another, [known]) == []
    async with at(sites.first) as state:
        with pytest.raises(Refused, match="was promoted"):
            await promotion.take_back(state)


async def test_a_release_can_be_taken_back(sites: WholeSites) -> None:
    (video,) = await sites.first.videos("v1")
    await level(sites.first, sites.second)
    crowd = Crowd(sites.first, video, "user")

    async with at(sites.first) as state:
        await promotion.release(state)
        await sites.first.state.write_mode.refresh()
        assert not await crowd.like_once()
        generation = (await write_mode.read(state.postgres)).generation
        async with at(sites.second) as reading, asyncio.timeout(WAIT_S):
            while await reading.journals.open_for() < generation:
                await asyncio.sleep(0.1)
            await sites.servers.to_postgres.cut()  # so the reading site knows the release, and nothing later
            assert await promotion.take_back(state)
            await sites.first.state.write_mode.refresh()
            with pytest.raises(Refused, match="takes writes"):
                await promotion.promote(reading, planned=True)

    await crowd.until_acknowledged()
    assert await missing(sites.first, video, crowd.acknowledged) == []


async def test_a_promotion_that_has_failed_halfway_continues(sites: WholeSites) -> None:
    (video,) = await sites.first.videos("v1")
    await as_admin(sites.postgres, "REVOKE DELETE ON workers FROM plaudit")
    await level(sites.first, sites.second)
    await sites.cut()
    await as_admin(sites.postgres, "GRANT DELETE ON workers TO plaudit")
    async with at(sites.second) as state:
        with pytest.raises(DBAPIError, match="permission denied"):
            await promotion.promote(state, planned=False)
        assert not (await promotion.standby(state)).is_standby
        assert (await write_mode.read(state.postgres)).term == 0
        lasts = [await state.journals.last(p) for p in range(state.keys.partitions)]
        await Crowd(sites.second, video, "between").like_once()
        await as_admin(sites.servers.standby, "GRANT DELETE ON workers TO plaudit")

        promoted = await promotion.promote(state, planned=False)
        with pytest.raises(Refused, match="already"):
            await promotion.promote(state, planned=False)

    assert promoted.term == 1
    assert [*promoted.lasts.values()] == lasts
    await sites.reconnect_apis()
    async with asyncio.timeout(WAIT_S):
        while sites.first.state.write_mode.takes_writes:
            await asyncio.sleep(0.1)
    async with at(sites.second) as state:
        assert (await promotion.promote(state, planned=False, continued=True)).term == 2


async def test_the_old_site_stops_lists_what_is_lost_and_follows(sites: WholeSites) -> None:
    video, another = await sites.first.videos("v1", "v2")
    early = Crowd(sites.first, video, "early")
    await early.until_acknowledged()
    await level(sites.first, sites.second)
    await sites.cut()
    async with at(sites.second) as state:
        await promotion.promote(state, planned=False)
    new = Crowd(sites.second, video, "new")
    await new.until_acknowledged()
    lost = Crowd(sites.first, video, "lost")
    for _ in range(3):
        await lost.until_acknowledged()

    await sites.reconnect_apis()
    async with asyncio.timeout(WAIT_S):
        while sites.first.state.write_mode.takes_writes:
            await asyncio.sleep(0.1)
    (known,) = early.acknowledged
    async with asyncio.timeout(WAIT_S):
        while "errors" in (await sites.first.person(known).send(REACT % "like", id=another)).json():
            await asyncio.sleep(0.1)
    async with at(sites.first) as state:
        found = [entry async for entry in promotion.lost_writes(state)]
        rows = await promotion.changed_rows(state)
        source, target = sites.servers.standby, ("127.0.0.1", sites.servers.replica.port)
        where = source.url_of("plaudit", "postgres"), target, sites.postgres.data_dir / "data", postgres_bin()
        with pytest.raises(Refused, match="3 acknowledged writes are only here"):
            await promotion.follow(state, *where, discard=False)
        with pytest.raises(Refused, match="Stop its Postgres"):
            await promotion.follow(state, *where, discard=True)

    assert [entry["kind"] for entry in found] == ["react"] * len(lost.acknowledged)
    assert {"users", "reactions"} <= rows.keys()
    assert await missing(sites.second, video, early.acknowledged + new.acknowledged) == []
    assert await missing(sites.second, another, [known]) == []
    assert await missing(sites.second, video, lost.acknowledged) == lost.acknowledged

    await asyncio.to_thread(sites.postgres.stop)
    async with at(sites.first, is_up=False) as state:
        await promotion.follow(state, *where, discard=True)
    await asyncio.to_thread(sites.postgres.start)
    async with asyncio.timeout(60):
        while not sites.first.state.write_mode.only_reads:
            await asyncio.sleep(0.1)
    await level(sites.second, sites.first, 60)
    async with at(sites.first) as state:
        assert (await promotion.status(state)).role == "reads"
    assert await missing(sites.first, video, new.acknowledged) == []
    assert await missing(sites.first, video, lost.acknowledged) == lost.acknowledged
