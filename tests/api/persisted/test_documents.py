"""Documents by id: GraphQL over HTTP's documentId, Relay's doc_id, and Apollo's hash with a manifest."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commands.persisted.importing import ImportRefused
from observability import metrics
from settings import Settings
from tests.support.broken_database import missing
from tests.support.clocks import FrozenClock
from tests.support.persisted_imports import NOWHERE, imported
from tests.support.persisted_operations import (
    ANSWER,
    LIKE,
    ME,
    NO_DOCUMENT,
    NOT_FOUND,
    TYPE,
    apollo,
    by_hash,
    get,
    manifest,
    outcome,
    post,
    sha,
)
from tests.support.system import running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

Make = Callable[..., Settings]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return manifest(tmp_path, type=TYPE, me=ME, like=LIKE)


def sql_queries() -> int:
    usage = metrics.usage.get()
    assert usage is not None
    return usage.sql_queries


def queries() -> int:
    usage = metrics.usage.get()
    assert usage is not None
    return usage.sql_queries + usage.redis_round_trips


@pytest.mark.parametrize("named", [{"documentId": "type"}, {"doc_id": "type"}, {"documentId": f"sha256:{sha(TYPE)}"}])
@pytest.mark.parametrize("ask", [get, post])
async def test_a_document_of_a_manifest_runs_by_each_of_its_names(
    make_settings: Make, file: Path, ask: Any, named: dict[str, str]
) -> None:
    async with running(make_settings(persisted_manifests=(file,))) as system:
        assert outcome(await ask(system, **named)) == ANSWER
        assert queries() == 0


@pytest.mark.parametrize("query_hash", [sha(TYPE), "type"])
async def test_a_manifest_serves_the_hashes_that_apollo_clients_send(
    make_settings: Make, file: Path, query_hash: str
) -> None:
    async with running(make_settings(persisted_manifests=(file,), apq=False)) as system:
        assert outcome(await post(system, extensions=apollo(query_hash))) == ANSWER
        assert queries() == 0


async def test_a_link_to_a_document_works_in_a_browser(make_settings: Make, file: Path) -> None:
    async with running(make_settings(persisted_manifests=(file,))) as system:
        for accept in "*/*", "text/html,application/xhtml+xml,*/*;q=0.8":
            response = await system.http.get("/graphql?documentId=type", headers={"accept": accept})
            assert (outcome(response), response.headers["content-type"]) == (ANSWER, "application/json; charset=utf-8")
            assert response.headers["cache-control"] == "public, max-age=10"


async def test_a_response_to_a_document_id_is_public_or_private_by_its_fields(make_settings: Make, file: Path) -> None:
    async with running(make_settings(persisted_manifests=(file,))) as system:
        response = await get(system, documentId="me")

    assert response.headers["cache-control"] == "private, max-age=0, must-revalidate"


async def test_a_mutation_by_id_must_be_posted(make_settings: Make, file: Path) -> None:
    async with running(make_settings(persisted_manifests=(file,))) as system:
        await system.videos("v1")
        got = await get(system, "alice", documentId="like")
        posted = await post(system, "alice", documentId="like")

    assert (got.status_code, got.headers["allow"]) == (405, "POST")
    assert outcome(posted) == {"data": {"like": {"userErrors": []}}}


async def test_an_unknown_document_id_returns_one_error(make_settings: Make, file: Path) -> None:
    async with running(make_settings(persisted_manifests=(file,))) as system:
        for name in "other", f"sha256:{sha(LIKE + ' ')}", "x-team:home.v2~1_0":
            assert outcome(await get(system, documentId=name)) == NO_DOCUMENT
            assert outcome(await post(system, doc_id=name)) == NO_DOCUMENT


@pytest.mark.parametrize(
    "body",
    [
        {"documentId": 1},
        {"documentId": ["type"]},
        {"documentId": ""},
        {"documentId": "type\n"},
        {"documentId": "ty pe"},
        {"documentId": "тype"},
        {"documentId": "t" * 201},
        {"documentId": f"sha256:{sha(TYPE).upper()}"},
        {"documentId": f"sha256:{sha(TYPE)[:-1]}"},
        {"documentId": f"sha512:{sha(TYPE)}"},
        {"documentId": "x-:type"},
        {"documentId": "type", "doc_id": "type"},
        {"documentId": "type", "query": TYPE},
        {"documentId": "type", "extensions": apollo(sha(TYPE))},
        {"query": "", "extensions": {}},
        {"query": 1, "extensions": apollo(sha(TYPE))},
        {"extensions": {}},
        {"extensions": {"persistedQuery": None}},
        {"extensions": {"persistedQuery": []}},
        {"extensions": {"persistedQuery": sha(TYPE)}},
        {"extensions": {"persistedQuery": {}}},
        {"extensions": {"persistedQuery": {"version": 1}}},
        {"extensions": {"persistedQuery": {"sha256Hash": sha(TYPE)}}},
        {"extensions": apollo(sha(TYPE), version=2)},
        {"extensions": apollo(sha(TYPE), version="1")},
        {"extensions": apollo(sha(TYPE), version=True)},
        {"extensions": apollo("")},
        {"extensions": apollo("a" * 201)},
        {"extensions": apollo(sha(TYPE) + "\n")},
        {"query": TYPE, "extensions": apollo(sha(TYPE), version=2)},
    ],
    ids=str,
)
async def test_invalid_or_contradictory_document_names_are_bad_input(
    make_settings: Make, file: Path, body: dict[str, Any]
) -> None:
    async with running(make_settings(persisted_manifests=(file,))) as system:
        posted = outcome(await post(system, **body))

    assert posted[:2] == (422, "BAD_INPUT") if isinstance(posted, tuple) else False


async def test_a_null_name_is_ignored(make_settings: Make, file: Path) -> None:
    async with running(make_settings(persisted_manifests=(file,))) as system:
        assert outcome(await post(system, documentId="type", query=None, extensions=None, doc_id=None)) == ANSWER
        assert outcome(await post(system, query=TYPE, documentId=None)) == ANSWER


# Imports


async def test_running_processes_serve_an_import(make_settings: Make, tmp_path: Path) -> None:
    clock, settings = FrozenClock(), make_settings()
    file = manifest(tmp_path, one="query One { one: __typename }")
    async with running(settings, clock) as system:
        assert outcome(await post(system, documentId="one")) == NO_DOCUMENT

        assert await imported(settings, file) == "New: 1. Already imported: 0."
        clock.pass_seconds(5)

        assert outcome(await post(system, documentId="one")) == {"data": {"one": "Query"}}
        assert queries() == 1
        assert await by_hash(system, "query One { one: __typename }") == {"data": {"one": "Query"}}
        assert queries() == 0

        # The processes serve the next import too.
        await imported(settings, manifest(tmp_path, two="query Two { two: __typename }"))
        clock.pass_seconds(5)
        assert outcome(await post(system, documentId="two")) == {"data": {"two": "Query"}}


async def test_a_new_process_serves_an_earlier_import(make_settings: Make, file: Path) -> None:
    await imported(make_settings(), file)

    async with running(make_settings()) as system:
        assert outcome(await post(system, documentId="type")) == ANSWER
        assert queries() == 0


async def test_unknown_ids_query_postgres_at_most_once_in_five_seconds(make_settings: Make) -> None:
    clock = FrozenClock()
    async with running(make_settings(), clock) as system:
        asked = []
        for second in range(12):
            assert outcome(await post(system, documentId=f"guess-{second}")) == NO_DOCUMENT
            asked.append(sql_queries())
            clock.pass_seconds(1)

    assert asked == [0] * 5 + [1, 0, 0, 0, 0, 1, 0]


async def test_the_text_of_an_id_never_changes(make_settings: Make, tmp_path: Path) -> None:
    settings = make_settings()
    await imported(settings, manifest(tmp_path, a=TYPE, b=ME))

    with pytest.raises(ImportRefused, match="other texts: b"):
        await imported(settings, manifest(tmp_path, a=TYPE, b=TYPE, c=TYPE))

    assert await imported(settings, manifest(tmp_path, a=TYPE, c=TYPE)) == "New: 1. Already imported: 1."


async def test_a_manifest_of_the_process_overrides_an_import(make_settings: Make, tmp_path: Path) -> None:
    await imported(make_settings(), manifest(tmp_path, a=ME, b=TYPE))

    async with running(make_settings(persisted_manifests=(manifest(tmp_path, a=TYPE),))) as system:
        assert outcome(await post(system, documentId="a")) == ANSWER
        assert outcome(await post(system, documentId="b")) == ANSWER


@pytest.mark.parametrize("broken", ["unreachable", "not migrated"])
async def test_without_postgres_manifests_are_served_and_imports_are_not_found(
    make_settings: Make, file: Path, broken: str
) -> None:
    async with running(make_settings()) as healthy:
        settings = make_settings(
            persisted_manifests=(file,), **({"database_url": NOWHERE} if broken == "unreachable" else {})
        )
        async with missing(healthy, "persisted_operations"), running(settings) as system:
            assert outcome(await post(system, documentId="type")) == ANSWER
            assert outcome(await post(system, documentId="other")) == NO_DOCUMENT
            assert await by_hash(system, LIKE + " ") == NOT_FOUND


async def test_each_text_is_compiled_once(make_settings: Make, tmp_path: Path) -> None:
    first, second = (f"query To{name} {{ __typename }}" for name in ("BeCompiled", "BeCompiledToo"))
    await imported(make_settings(), manifest(tmp_path, c=second, d=first))

    async with running(make_settings(persisted_manifests=(manifest(tmp_path, a=first, b=first),))) as system:
        assert list(system.app.state.persisted.trusted.operations) == [first, second]
        assert system.service._documents._stored.keys() >= {first, second}


async def test_a_process_with_an_invalid_manifest_does_not_start(make_settings: Make, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text(json.dumps({"a b": TYPE}))

    with pytest.raises(Exception, match=r"bad.json: 'a b' is not a document identifier"):
        async with running(make_settings(persisted_manifests=(tmp_path,))):
            pass
