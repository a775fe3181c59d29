"""Lockdown: only documents of a manifest run."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from graphql import get_introspection_query

from settings import Settings
from tests.support.clocks import FrozenClock
from tests.support.persisted_imports import NOWHERE, imported
from tests.support.persisted_operations import (
    ANSWER,
    LIKE,
    LOCKED,
    MISMATCH,
    NO_DOCUMENT,
    TYPE,
    apollo,
    by_hash,
    get,
    manifest,
    outcome,
    post,
    register,
    sha,
)
from tests.support.system import System, running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])


@pytest_asyncio.fixture
async def locked(make_settings: Callable[..., Settings], tmp_path: Path) -> AsyncIterator[System]:
    async with running(
        make_settings(persisted_only=True, persisted_manifests=(manifest(tmp_path, type=TYPE),))
    ) as system:
        yield system


async def test_a_document_of_a_manifest_runs_by_every_name(locked: System) -> None:
    for body in (
        {"documentId": "type"},
        {"doc_id": "type"},
        {"documentId": f"sha256:{sha(TYPE)}"},
        {"extensions": apollo(sha(TYPE))},
        {"extensions": apollo("type")},
        {"query": TYPE},
        {"query": TYPE, "extensions": apollo(sha(TYPE))},
    ):
        assert outcome(await post(locked, **body)) == ANSWER
        assert outcome(await get(locked, **body)) == ANSWER


@pytest.mark.parametrize("query", ["{ __typename  }", "{ a: __typename }", LIKE, get_introspection_query(), "{"])
async def test_other_documents_are_refused(locked: System, query: str) -> None:
    assert outcome(await post(locked, "alice", query=query)) == LOCKED
    assert outcome(await get(locked, query=query)) == LOCKED
    assert await by_hash(locked, query) == LOCKED
    assert await register(locked, query) == LOCKED
    assert outcome(await post(locked, documentId=f"sha256:{sha(query)}")) == NO_DOCUMENT


async def test_the_hash_of_another_text_is_refused(locked: System) -> None:
    assert outcome(await post(locked, query=LIKE, extensions=apollo(sha(TYPE)))) == LOCKED
    assert outcome(await post(locked, query=TYPE, extensions=apollo(sha(LIKE)))) == MISMATCH


async def test_queries_that_were_registered_before_lockdown_are_refused(
    locked: System, make_settings: Callable[..., Settings]
) -> None:
    query = "{ a: __typename }"
    async with running(make_settings()) as open_:
        await register(open_, query)
        assert await by_hash(open_, query) == {"data": {"a": "Query"}}

    assert await by_hash(locked, query) == LOCKED


async def test_a_document_that_was_imported_during_lockdown_runs(
    make_settings: Callable[..., Settings], tmp_path: Path
) -> None:
    clock, query = FrozenClock(), "query A { a: __typename }"
    async with running(make_settings(persisted_only=True), clock) as system:
        assert outcome(await post(system, query=query)) == LOCKED
        await imported(make_settings(), manifest(tmp_path, a=query))
        clock.pass_seconds(5)

        assert outcome(await post(system, query=query)) == {"data": {"a": "Query"}}


async def test_lockdown_holds_while_both_stores_are_down(
    make_settings: Callable[..., Settings], tmp_path: Path
) -> None:
    file = manifest(tmp_path, type=TYPE)
    nowhere = {"database_url": NOWHERE, "redis_url": "redis://127.0.0.1:1/0"}
    async with running(make_settings(persisted_only=True, persisted_manifests=(file,), **nowhere)) as system:
        assert outcome(await post(system, documentId="type")) == ANSWER
        assert await by_hash(system, TYPE) == ANSWER
        assert outcome(await post(system, query=LIKE)) == LOCKED
        assert await by_hash(system, LIKE) == LOCKED
