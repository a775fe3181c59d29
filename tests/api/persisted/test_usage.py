"""Requests for persisted operations are counted by operation, client and version."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from prometheus_client import REGISTRY

from api.persisted import usage
from cli.operations import StoredOperations
from commands.persisted.importing import ImportRefused
from settings import Settings
from tests.support.broken_database import missing
from tests.support.clocks import FrozenClock
from tests.support.persisted_imports import imported, withdrawn
from tests.support.persisted_operations import ME, TYPE, manifest, post, post_as
from tests.support.system import System, running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

Make = Callable[..., Settings]
HOME = "query Home { __typename }"
Row = tuple[str, str, str, int]


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest_asyncio.fixture
async def app(make_settings: Make, tmp_path: Path, clock: FrozenClock) -> AsyncIterator[System]:
    """Runs a process that serves two imported versions of one client."""
    settings = make_settings()
    await imported(settings, manifest(tmp_path, home=HOME, me=ME), client="ios", versions=["1.0", "2.0"])
    async with running(settings, clock) as system:
        yield system


async def used(settings: Settings) -> list[Row]:
    """Returns the operations that were requested, as `plaudit persisted usage` reads them."""
    rows = await asyncio.to_thread(StoredOperations(settings).usage, None, None)
    return [(row.id, row.client, row.version, row.requests) for row in rows if row.requests]


def reported(operation: str, client: str, version: str, outcome: str = "run") -> float:
    labels = {"operation": operation, "client": client, "version": version, "outcome": outcome}
    return REGISTRY.get_sample_value("plaudit_persisted_requests_total", labels) or 0


async def refresh(system: System) -> None:
    await system.app.state.persisted.refresh()


async def test_requests_are_counted_by_operation_client_and_version(app: System, clock: FrozenClock) -> None:
    for version in "1.0", "1.0", "2.0":
        await post_as(app, "ios", version, documentId="home")
    clock.pass_seconds(60)
    await post_as(app, "ios", "2.0", query=ME)
    await refresh(app)

    assert await used(app.settings) == [
        ("home", "ios", "1.0", 2),
        ("home", "ios", "2.0", 1),
        ("me", "ios", "2.0", 1),
    ]
    rows = {row.id: row for row in await asyncio.to_thread(StoredOperations(app.settings).usage, "ios", "2.0")}
    assert rows["home"].last_used_at
    assert rows["me"].last_used_at
    assert (rows["me"].last_used_at - rows["home"].last_used_at).total_seconds() == 60
    assert (rows["home"].name, rows["me"].name) == ("Home", "Me")


async def test_operations_that_nobody_requests_are_shown_with_zero_requests(app: System) -> None:
    rows = await asyncio.to_thread(StoredOperations(app.settings).usage, "ios", "1.0")

    assert [(row.id, row.requests, row.last_used_at) for row in rows] == [("home", 0, None), ("me", 0, None)]


async def test_only_imported_clients_and_versions_are_told_apart(app: System) -> None:
    before = {name: reported("Home", *name) for name in [("ios", "other"), ("other", "other"), ("none", "none")]}
    for client, version in [("ios", "9.9"), ("ios", ""), ("x" * 3000, "1.0"), ("web", "1.0"), ("", "1.0")]:
        await post_as(app, client, version, documentId="home")
    await refresh(app)

    grouped = {("ios", "other"): 2, ("none", "none"): 1, ("other", "other"): 2}
    assert await used(app.settings) == [("home", *name, count) for name, count in grouped.items()]
    assert {name: reported("Home", *name) - count for name, count in before.items()} == grouped


async def test_operations_that_are_not_imported_are_not_counted(app: System) -> None:
    await post_as(app, "ios", "1.0", query=TYPE)
    await post_as(app, "ios", "1.0", documentId="unknown")
    await refresh(app)

    assert await used(app.settings) == []


async def test_refused_requests_are_reported_and_do_not_count_as_use(app: System) -> None:
    await withdrawn(app.settings, "home")
    await refresh(app)
    before = reported("Home", "ios", "1.0", "withdrawn")

    await post_as(app, "ios", "1.0", documentId="home")
    await refresh(app)

    assert reported("Home", "ios", "1.0", "withdrawn") == before + 1
    assert await used(app.settings) == []


async def test_the_number_of_reported_series_is_limited(app: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage, "MOST_SERIES", 1)
    before = reported("other", "ios", "other")

    await post_as(app, "ios", "1.0", documentId="home")
    for version in "1.0", "2.0":
        await post_as(app, "ios", version, documentId="me")
    await refresh(app)

    assert reported("other", "ios", "other") == before + 2
    assert [row[:3] for row in await used(app.settings)] == [
        ("home", "ios", "1.0"),
        ("me", "ios", "1.0"),
        ("me", "ios", "2.0"),
    ]


async def test_counts_of_all_processes_are_added_up_also_when_they_store_at_once(app: System) -> None:
    async with running(app.settings) as other:
        for _ in range(5):
            for system in app, other:
                await post_as(system, "ios", "1.0", documentId="home")
                await post_as(system, "ios", "1.0", documentId="me")
            await asyncio.gather(refresh(app), refresh(other))

    assert await used(app.settings) == [("home", "ios", "1.0", 10), ("me", "ios", "1.0", 10)]


async def test_counts_are_kept_while_they_cannot_be_stored(app: System) -> None:
    async with missing(app, "persisted_usage"):
        await post_as(app, "ios", "1.0", documentId="home")
        await refresh(app)
        await post_as(app, "ios", "1.0", documentId="home")
    await refresh(app)
    await refresh(app)

    assert await used(app.settings) == [("home", "ios", "1.0", 2)]


async def test_a_process_that_stops_stores_its_counts(make_settings: Make, tmp_path: Path) -> None:
    settings = make_settings(persisted_manifests=(manifest(tmp_path, type=TYPE),))
    async with running(settings) as system:
        await post(system, documentId="type")

    assert await used(settings) == [("type", "none", "none", 1)]


async def test_versions_are_shown_with_their_use(app: System, tmp_path: Path) -> None:
    await imported(app.settings, manifest(tmp_path, type=TYPE))
    for name in "home", "home", "me":
        await post_as(app, "ios", "2.0", documentId=name)
    await refresh(app)

    rows = await asyncio.to_thread(StoredOperations(app.settings).versions)

    assert [(row.client, row.version, row.operations, row.requests, row.withdrawn) for row in rows] == [
        ("", "", 1, 0, None),
        ("ios", "1.0", 2, 0, None),
        ("ios", "2.0", 2, 3, None),
    ]
    assert rows[1].last_used_at is None
    assert rows[2].last_used_at is not None


@pytest.mark.parametrize("name", ["other", "none", " ios", "ios ", "i\nos", "ïos", "i" * 101])
async def test_names_that_no_header_can_have_or_that_mean_a_group_are_refused(
    make_settings: Make, tmp_path: Path, name: str
) -> None:
    file = manifest(tmp_path, type=TYPE)
    for client, version in (name, "1.0"), ("ios", name):
        with pytest.raises(ImportRefused, match="cannot be the name or version of a client"):
            await imported(make_settings(), file, client=client, versions=[version])
