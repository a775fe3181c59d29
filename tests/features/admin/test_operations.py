"""Persisted operations through the administration API: a build pipeline needs a token, and no access to stores."""

from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Thread, current_thread
from typing import Any

import pytest

from commands.persisted.manifests import ManifestOperation
from commands.persisted.registry import Registry
from identity import auth
from settings import Settings
from tests.support.persisted_operations import LIKE, ME, PAGE, TYPE, manifest, post, post_as
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.system import Person, System, running

IMPORT = """mutation ($input: ImportOperationsInput!) { importOperations(input: $input) {
  newCount knownCount userErrors { code message field } } }"""
CHECK = """query ($operations: [PersistedOperationInput!]!) { admin { operationChecks(operations: $operations) {
  id name kind source leastCost cost problem } } }"""
LIST = """query ($first: Int! = 20, $after: String) { admin { operations(first: $first, after: $after) {
  nodes { id source withdrawnMessage use { requestCount } check { name kind problem } }
  pageInfo { hasNextPage endCursor } } } }"""
USES = """query ($client: String, $first: Int! = 20, $after: String) { admin {
  operationUses(client: $client, first: $first, after: $after) {
    nodes { operationId operationName client clientVersion requestCount lastUsedAt }
    pageInfo { hasNextPage endCursor } } } }"""
WITHDRAW = """mutation ($ids: [ID!]!) { withdrawOperations(input: {ids: $ids}) { ids userErrors { code } } }"""
VERSIONS = """{ admin { clientVersions { nodes { client version operationCount requestCount withdrawnMessage } } } }"""


def ci(system: System) -> Person:
    return system.person("ci", "admin")


def given(**texts: str) -> list[dict[str, str]]:
    return [{"id": id_, "text": text, "source": "app.json"} for id_, text in texts.items()]


async def imported(system: System, client: str = "", *versions: str, **texts: str) -> Any:
    named = {"client": client, "clientVersions": list(versions)} if client else {}
    payload = (await ci(system).ask(IMPORT, input={"operations": given(**texts), **named}))["importOperations"]
    system.app.state.persisted._imports_read_ms = None  # as five seconds later
    await refresh(system)  # as ten seconds later
    return payload


async def change(system: System, verb: str, *, selection: str = "code field", **fields: Any) -> Any:
    what = "Operations" if "ids" in fields else "ClientVersions"
    query = f"""mutation ($input: {verb.title()}{what}Input!) {{ {verb}{what}(input: $input) {{
      userErrors {{ {selection} }} }} }}"""
    return (await ci(system).ask(query, input=fields))[f"{verb}{what}"]["userErrors"]


async def refresh(system: System) -> None:
    await system.app.state.persisted.refresh()


@standalone
async def test_imported_operations_are_served_and_a_second_import_adds_nothing(system: System) -> None:
    assert await imported(system, me=ME, type=TYPE) == {"newCount": 2, "knownCount": 0, "userErrors": []}
    assert await imported(system, me=ME, like=LIKE) == {"newCount": 1, "knownCount": 1, "userErrors": []}

    assert (await post(system, documentId="type")).json()["data"] == {"__typename": "Query"}


@standalone
async def test_a_check_returns_costs_and_problems_and_imports_nothing(system: System) -> None:
    operations = [*given(page=PAGE, bad="{ nothing }"), {"id": "you", "text": ME, "name": "You", "kind": "QUERY"}]
    await ci(system).id()
    async with unchanged(system):
        page, bad, you = (await ci(system).ask(CHECK, operations=operations))["admin"]["operationChecks"]

    assert page == {
        "id": "page",
        "name": "Page",
        "kind": "QUERY",
        "source": "app.json",
        "leastCost": 10,
        "cost": 10,
        "problem": None,
    }
    assert (bad["kind"], bad["cost"], bad["problem"]) == (None, None, "Cannot query field 'nothing' on type 'Query'.")
    assert "'You'" in you["problem"]


@standalone
async def test_an_import_with_bad_operations_imports_none_and_names_each(system: System) -> None:
    await imported(system, me=ME)
    async with unchanged(system):
        refused = await imported(system, good=TYPE, bad="{ nothing }", worse="{")
        contradicting = await imported(system, good=TYPE, me=PAGE)

    assert [(one["code"], one["field"]) for one in refused["userErrors"]] == [
        ("INVALID", ["operations", "1"]),
        ("INVALID", ["operations", "2"]),
    ]
    assert (refused["newCount"], refused["knownCount"]) == (None, None)
    assert [(one["code"], one["field"]) for one in contradicting["userErrors"]] == [("INVALID", ["operations", "1"])]


@standalone
async def test_hostile_input_of_an_import_changes_nothing(system: System) -> None:
    me = given(me=ME)
    wrong: list[tuple[dict[str, Any], list[str]]] = [
        ({"operations": given(**{"a b": ME})}, ["operations", "0"]),
        ({"operations": given(**{"sha256:" + "0" * 64: ME})}, ["operations", "0"]),
        ({"operations": given(**{"x" * 201: ME})}, ["operations", "0"]),
        ({"operations": given(me=" ")}, ["operations", "0"]),
        ({"operations": given(me="{ a\0 }")}, ["operations", "0"]),
        ({"operations": given(me="#" * 100_001)}, ["operations", "0"]),
        ({"operations": [{**me[0], "source": "x" * 201}]}, ["operations", "0", "source"]),
        ({"operations": [*me, {**me[0], "text": TYPE}]}, ["operations"]),
        ({"operations": me, "client": "ios"}, ["client"]),
        ({"operations": me, "clientVersions": ["1"]}, ["client"]),
        ({"operations": me, "client": "other", "clientVersions": ["1"]}, ["client"]),
        ({"operations": me, "client": "ios", "clientVersions": ["1\n"]}, ["client"]),
    ]
    await ci(system).id()
    async with unchanged(system):
        for input_, field in wrong:
            (error,) = (await ci(system).ask(IMPORT, input=input_))["importOperations"]["userErrors"]
            assert (error["code"], error["field"]) == ("INVALID", field), input_
        versions = [str(number) for number in range(101)]
        for input_ in (
            {"operations": []},
            {"operations": given(**{f"n{number}": TYPE for number in range(101)})},
            {"operations": me, "client": "ios", "clientVersions": versions},
        ):
            assert [code for code, _ in await ci(system).errors(IMPORT, input=input_)] == ["BAD_INPUT"]
        for operations in [], given(**{"a b": ME}):
            assert [code for code, _ in await ci(system).errors(CHECK, operations=operations)] == ["BAD_INPUT"]


@standalone
async def test_a_body_may_be_as_large_as_that_of_other_services(system: System) -> None:
    text = ME + " # " + "x" * 90_000
    operations = given(**{f"n{number}": text for number in range(5)})
    assert (await ci(system).ask(CHECK, operations=operations))["admin"]["operationChecks"][4]["problem"] is None

    assert (await system.person("alice").send(CHECK, operations=operations)).status_code == 413


@standalone
async def test_a_withdrawn_operation_is_refused_until_it_is_restored(system: System) -> None:
    await imported(system, me=ME, same=ME, type=TYPE)
    assert await change(system, "withdraw", ids=["same"], message="Too slow.") == []
    await refresh(system)

    assert (await post(system, documentId="me")).json()["errors"][0]["message"] == "Too slow."
    nodes = (await ci(system).ask(LIST))["admin"]["operations"]["nodes"]
    assert {one["id"]: one["withdrawnMessage"] for one in nodes} == {
        "me": "Too slow.",
        "same": "Too slow.",
        "type": None,
    }
    assert await change(system, "restore", ids=["me"]) == []
    await refresh(system)
    assert "data" in (await post(system, documentId="me")).json()


@standalone
async def test_versions_of_a_client_are_withdrawn_and_restored(system: System) -> None:
    await imported(system, "ios", "1.0", "2.0", me=ME)
    await post_as(system, "ios", "2.0", documentId="me")
    await refresh(system)
    assert await change(system, "withdraw", client="ios", clientVersions=["1.0"]) == []

    assert (await ci(system).ask(VERSIONS))["admin"]["clientVersions"]["nodes"] == [
        {
            "client": "ios",
            "version": "1.0",
            "operationCount": 1,
            "requestCount": 0,
            "withdrawnMessage": "This version of the app is no longer supported. Please update the app.",
        },
        {"client": "ios", "version": "2.0", "operationCount": 1, "requestCount": 1, "withdrawnMessage": None},
    ]
    assert await change(system, "restore", client="ios", clientVersions=["1.0"]) == []
    nodes = (await ci(system).ask(VERSIONS))["admin"]["clientVersions"]["nodes"]
    assert [one["withdrawnMessage"] for one in nodes] == [None, None]


@standalone
async def test_what_is_unknown_is_not_withdrawn_and_nothing_changes(system: System) -> None:
    await imported(system, "ios", "1.0", me=ME)
    unknown = [{"code": "TARGET_NOT_FOUND", "field": ["ids", "1"]}]
    async with unchanged(system):
        assert await change(system, "withdraw", ids=["me", "unknown"]) == unknown
        assert await change(system, "restore", ids=["me"]) == [{"code": "TARGET_NOT_FOUND", "field": ["ids", "0"]}]
        assert await change(system, "withdraw", client="ios", clientVersions=["1.0", "9"]) == [
            {"code": "TARGET_NOT_FOUND", "field": ["clientVersions", "1"]}
        ]
        assert await change(system, "restore", client="i\0s", clientVersions=["1.0"]) == [
            {"code": "INVALID", "field": ["client"]}
        ]
        for message in "", " ", "x" * 501, "a\0b", "a\x1b[31m":
            assert await change(system, "withdraw", ids=["me"], message=message) == [
                {"code": "INVALID", "field": ["message"]}
            ]


@standalone
@pytest.mark.parametrize(
    ("verb", "fields"),
    [
        ("withdraw", {"ids": ["x" * 10_000]}),
        ("restore", {"client": "x" * 10_000, "clientVersions": ["1.0"]}),
        ("restore", {"client": "ios", "clientVersions": ["x" * 10_000]}),
    ],
)
async def test_a_message_repeats_the_beginning_of_a_long_name(
    system: System, verb: str, fields: dict[str, Any]
) -> None:
    (error,) = await change(system, verb, selection="message", **fields)
    assert "x" * 100 in error["message"]
    assert len(error["message"]) < 200


@standalone
async def test_a_manifest_that_contradicts_another_one_since_the_start_makes_operations_unavailable(
    make_settings: Callable[..., Settings], tmp_path: Path
) -> None:
    files = manifest(tmp_path, "a.json", a=ME), manifest(tmp_path, "b.json", b=TYPE)
    async with running(make_settings(persisted_manifests=files)) as system:
        manifest(tmp_path, "b.json", a=TYPE)

        answer = (await ci(system).send(LIST)).json()
        refused = (await ci(system).send(WITHDRAW, ids=["a"])).json()

    assert [one["reason"] for one in answer["extensions"]["degraded"]] == ["UNAVAILABLE"]
    assert [one["extensions"]["code"] for one in refused["errors"]] == ["UNAVAILABLE"]


@standalone
async def test_texts_are_hashed_outside_of_the_event_loop(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    await imported(system, me=ME)
    threads, add = list[Thread](), Registry.add

    def recording(registry: Registry, operations: Iterable[ManifestOperation]) -> None:
        threads.append(current_thread())
        add(registry, operations)

    monkeypatch.setattr(Registry, "add", recording)
    await ci(system).ask(LIST)
    assert await change(system, "withdraw", ids=["me"]) == []

    assert threads
    assert current_thread() not in threads


@standalone
async def test_lists_are_read_page_by_page(system: System) -> None:
    texts = {f"n{number}": f"query N{number} {{ __typename }}" for number in range(5)}
    await imported(system, "ios", "1.0", **texts)
    await post_as(system, "ios", "1.0", documentId="n3")
    await refresh(system)

    for query, field, key in ((LIST, "operations", "id"), (USES, "operationUses", "operationId")):
        found, after = list[str](), None
        page: Any = None
        for size in 2, 2, 1:
            page = (await ci(system).ask(query, first=2, after=after))["admin"][field]
            assert len(page["nodes"]) == size
            found += [one[key] for one in page["nodes"]]
            after = page["pageInfo"]["endCursor"]
        assert found == [*texts]
        assert not page["pageInfo"]["hasNextPage"]
    uses = (await ci(system).ask(USES))["admin"]["operationUses"]["nodes"]
    assert [one["requestCount"] for one in uses] == [0, 0, 0, 1, 0]
    assert (await ci(system).ask(USES, client="android"))["admin"]["operationUses"]["nodes"] == []
    nodes = (await ci(system).ask(LIST))["admin"]["operations"]["nodes"]
    assert [one["use"]["requestCount"] for one in nodes] == [0, 0, 0, 1, 0]
    assert nodes[0]["check"] == {"name": "N0", "kind": "QUERY", "problem": None}


@standalone
async def test_cursors_of_other_lists_and_sizes_out_of_range_are_refused(system: System) -> None:
    await imported(system, "ios", "1.0", me=ME, type=TYPE)
    cursor = (await ci(system).ask(LIST, first=1))["admin"]["operations"]["pageInfo"]["endCursor"]

    assert await ci(system).errors(USES, after=cursor) == [("BAD_CURSOR", ["admin", "operationUses"])]
    assert await ci(system).errors(LIST, after="x") == [("BAD_CURSOR", ["admin", "operations"])]
    for client in "\0", "x" * 101:
        assert await ci(system).errors(USES, client=client) == [("BAD_INPUT", ["admin", "operationUses"])]
    for first in 0, 101:
        assert await ci(system).errors(LIST, first=first) == [("BAD_INPUT", ["admin", "operations"])]


@standalone
async def test_in_lockdown_a_pipeline_can_still_import(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(persisted_only=True)) as system:
        assert (await imported(system, me=ME))["newCount"] == 1
        assert "data" in (await post(system, documentId="me")).json()

        for person in system.person("alice"), system.person("service", "moderate"), restricted(system):
            assert [code for code, _ in await person.errors(TYPE)] == ["PERSISTED_QUERY_ONLY"]
        assert await ci(system).errors(TYPE) == []


def restricted(system: System) -> Person:
    token = auth.mint(system.settings, "partner", scopes=["admin"], businesses=["video"])
    return Person(system.http, "partner", {"authorization": f"Bearer {token}"})
