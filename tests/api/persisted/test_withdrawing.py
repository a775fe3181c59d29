"""Operations and versions of clients are withdrawn and restored while processes run."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from api.persisted import operations
from commands.persisted.withdrawing import NotWithdrawable
from observability import metrics
from settings import Settings
from tests.support.broken_database import missing
from tests.support.persisted_imports import NOWHERE, imported, version_withdrawn, withdrawn
from tests.support.persisted_operations import (
    ANSWER,
    TYPE,
    UPDATE,
    apollo,
    by_hash,
    get,
    manifest,
    outcome,
    post,
    post_as,
    register,
    sha,
)
from tests.support.system import System, running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

Make = Callable[..., Settings]
OLD, SHARED, NEW = (f"query {name} {{ {name}: __typename }}" for name in ("old", "shared", "new"))


@pytest_asyncio.fixture
async def app(make_settings: Make, tmp_path: Path) -> AsyncIterator[System]:
    """Runs a process that serves two imported versions of one client."""
    settings = make_settings()
    first, second = manifest(tmp_path, "1.json", old=OLD, shared=SHARED), manifest(tmp_path, shared=SHARED, new=NEW)
    await imported(settings, first, client="ios", versions=["1.0"])
    await imported(settings, second, client="ios", versions=["2.0", "2.1"])
    async with running(settings) as system:
        yield system


def spent() -> tuple[int, int]:
    """Returns the round trips to Redis and the SQL queries of the last request."""
    usage = metrics.usage.get()
    assert usage is not None
    return usage.redis_round_trips, usage.sql_queries


async def refresh(system: System) -> None:
    """Does what the process does every ten seconds."""
    await system.app.state.persisted.refresh()


async def test_a_withdrawn_operation_is_refused_by_each_of_its_names_until_it_is_restored(
    make_settings: Make, tmp_path: Path
) -> None:
    settings = make_settings()
    await imported(settings, manifest(tmp_path, a=TYPE, b=TYPE))
    bodies = (
        {"documentId": "a"},
        {"documentId": "b"},
        {"doc_id": "a"},
        {"documentId": f"sha256:{sha(TYPE)}"},
        {"extensions": apollo(sha(TYPE))},
        {"query": TYPE},
        {"query": TYPE, "extensions": apollo(sha(TYPE))},
    )
    async with running(settings) as system:
        await withdrawn(settings, f"sha256:{sha(TYPE)}")
        await refresh(system)
        for body in bodies:
            assert outcome(await post(system, **body)) == UPDATE
            assert outcome(await get(system, **body)) == UPDATE

        await withdrawn(settings, "b", message=None)
        await refresh(system)
        for body in bodies:
            assert outcome(await post(system, **body)) == ANSWER


async def test_a_query_that_a_client_registered_is_refused_once_it_is_imported_and_withdrawn(
    make_settings: Make, tmp_path: Path
) -> None:
    settings = make_settings()
    async with running(settings) as system:
        assert await register(system, TYPE) == ANSWER
    await imported(settings, manifest(tmp_path, type=TYPE))
    await withdrawn(settings, "type")

    async with running(settings) as system:
        assert await by_hash(system, TYPE) == UPDATE
        assert await register(system, TYPE) == UPDATE


async def test_an_operation_of_a_configured_manifest_can_be_withdrawn(make_settings: Make, tmp_path: Path) -> None:
    settings = make_settings(persisted_only=True, persisted_manifests=(manifest(tmp_path, type=TYPE),))
    async with running(settings) as system:
        await withdrawn(settings, "type")
        await refresh(system)

        assert outcome(await post(system, documentId="type")) == UPDATE
        assert outcome(await post(system, query=TYPE)) == UPDATE


async def test_a_withdrawn_version_is_refused_and_other_versions_keep_its_operations(app: System) -> None:
    await version_withdrawn(app.settings, "ios", "1.0")
    await refresh(app)

    for body in {"documentId": "old"}, {"documentId": "shared"}, {"documentId": "new"}, {"query": TYPE}:
        assert await post_as(app, "ios", "1.0", **body) == UPDATE
    assert await post_as(app, "ios", "2.0", documentId="shared") == {"data": {"shared": "Query"}}
    assert await post_as(app, "android", "1.0", documentId="new") == {"data": {"new": "Query"}}

    await version_withdrawn(app.settings, "ios", "1.0", message=None)
    await refresh(app)
    assert await post_as(app, "ios", "1.0", documentId="old") == {"data": {"old": "Query"}}


async def test_operations_that_only_withdrawn_versions_have_are_refused_to_all_clients(app: System) -> None:
    await version_withdrawn(app.settings, "ios", "1.0")
    await refresh(app)
    assert outcome(await post(app, documentId="old")) == UPDATE
    assert outcome(await post(app, documentId="shared")) == {"data": {"shared": "Query"}}

    await version_withdrawn(app.settings, "ios", "2.0", "2.1", message="Newer still.")
    await refresh(app)
    for name in "shared", "new":
        assert outcome(await post(app, documentId=name)) == (200, "OPERATION_WITHDRAWN", "Newer still.")
    assert outcome(await post(app, documentId="old")) == UPDATE


@pytest.mark.parametrize("client", ["ios", ""])
async def test_an_import_for_another_version_or_without_a_client_lets_an_operation_run_again(
    app: System, tmp_path: Path, client: str
) -> None:
    await version_withdrawn(app.settings, "ios", "1.0")
    await refresh(app)
    assert outcome(await post(app, documentId="old")) == UPDATE

    await imported(app.settings, manifest(tmp_path, old=OLD), client=client, versions=["2.2" if client else ""])
    await refresh(app)

    assert outcome(await post(app, documentId="old")) == {"data": {"old": "Query"}}
    assert await post_as(app, "ios", "1.0", documentId="old") == UPDATE


async def test_an_operation_with_an_id_of_another_client_stays(app: System, tmp_path: Path) -> None:
    await imported(app.settings, manifest(tmp_path, web=OLD), client="web", versions=["7"])
    await version_withdrawn(app.settings, "ios", "1.0")

    async with running(app.settings) as system:
        for name in "web", "old":
            assert outcome(await post(system, documentId=name)) == {"data": {"old": "Query"}}


async def test_the_neutral_headers_name_a_client_too(app: System) -> None:
    await version_withdrawn(app.settings, "ios", "1.0")
    await refresh(app)

    for prefix in "graphql", "x-graphql":
        headers = {f"{prefix}-client-name": "ios", f"{prefix}-client-version": "1.0"}
        response = await app.http.post("/graphql", json={"documentId": "new"}, headers=headers)
        assert outcome(response) == UPDATE


async def test_a_running_process_refuses_by_itself_within_its_interval(
    make_settings: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert operations.REFRESH_SECONDS <= 15  # what the guide and the command promise
    monkeypatch.setattr(operations, "REFRESH_SECONDS", 0.05)
    settings = make_settings()
    await imported(settings, manifest(tmp_path, type=TYPE))
    async with running(settings) as one, running(settings) as other:
        await withdrawn(settings, "type")
        async with asyncio.timeout(10):
            for system in one, other:
                while outcome(await post(system, documentId="type")) != UPDATE:
                    await asyncio.sleep(0.02)


async def test_a_request_pays_nothing_for_withdrawal_and_usage(app: System) -> None:
    await version_withdrawn(app.settings, "ios", "1.0")
    await withdrawn(app.settings, "new")
    await refresh(app)

    assert await post_as(app, "ios", "2.0", documentId="shared") == {"data": {"shared": "Query"}}
    assert spent() == (0, 0)
    for name in "shared", "new":
        assert await post_as(app, "ios", "1.0", documentId=name) == UPDATE
        assert spent() == (0, 0)


async def test_a_refresh_without_a_change_costs_two_queries(app: System) -> None:
    await version_withdrawn(app.settings, "ios", "1.0")
    await refresh(app)
    metrics.usage.set(metrics.Usage())

    await refresh(app)

    assert spent() == (0, 2)


async def test_while_tables_are_missing_a_process_uses_what_it_read_last(app: System) -> None:
    await withdrawn(app.settings, "old")
    await refresh(app)
    async with missing(app, "persisted_withdrawals"):
        await refresh(app)

        assert outcome(await post(app, documentId="old")) == UPDATE
        assert outcome(await post(app, documentId="new")) == {"data": {"new": "Query"}}


async def test_a_process_starts_without_postgres_and_serves_its_manifests(make_settings: Make, tmp_path: Path) -> None:
    settings = make_settings(database_url=NOWHERE, persisted_manifests=(manifest(tmp_path, type=TYPE),))
    async with running(settings) as system:
        assert await post_as(system, "ios", "1.0", documentId="type") == ANSWER


async def test_unknown_operations_and_versions_cannot_be_withdrawn(app: System) -> None:
    with pytest.raises(NotWithdrawable, match="No operation has the id unknown"):
        await withdrawn(app.settings, "old", "unknown")
    with pytest.raises(NotWithdrawable, match=r"Nothing was imported for ios 3\.0"):
        await version_withdrawn(app.settings, "ios", "1.0", "3.0")
    with pytest.raises(NotWithdrawable, match="old is not withdrawn"):
        await withdrawn(app.settings, "old", message=None)
    for message in "", " ", "x" * 501:
        with pytest.raises(NotWithdrawable, match="1 to 500 characters"):
            await withdrawn(app.settings, "old", message=message)

    await refresh(app)
    assert await post_as(app, "ios", "1.0", documentId="old") == {"data": {"old": "Query"}}
