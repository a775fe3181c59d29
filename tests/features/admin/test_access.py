"""Who may use the administration API."""

import logging
from typing import Any

import pytest
from graphql import GraphQLObjectType

from identity import auth
from schema import RULES, WRITES, schema
from schema.access import Rule
from tests.support.restricted_operations import OPERATIONS
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.system import Person, System

MUTATIONS = [name for name, kind in WRITES.items() if kind == "admin"]
FIELDS = ["Query.admin", *MUTATIONS]


def test_every_operation_of_the_administration_api_needs_an_unrestricted_token() -> None:
    assert len(MUTATIONS) == 11
    assert {RULES[name] for name in FIELDS} == {Rule.ACCOUNT}


def test_nothing_but_the_query_leads_to_the_type_of_operators() -> None:
    types = schema.graphql_core.type_map.values()
    leading = [
        f"{type_.name}.{name}"
        for type_ in types
        if isinstance(type_, GraphQLObjectType)
        for name, field in type_.fields.items()
        if getattr(field.type, "name", "") == "Admin"
    ]
    assert leading == ["Query.admin"]


@standalone
async def test_only_a_token_with_the_scope_is_accepted_and_a_refusal_changes_nothing(system: System) -> None:
    others = "moderate", "entities:write", "users:write", "users:read", "lists:read", "act"
    alice, service = system.person("alice"), system.person("service", *others)
    restricted = Person(system.http, "ci", _restricted(system))
    for person in alice, service, restricted:
        await person.send("{ viewer { id } }")  # creates the user
    async with unchanged(system):
        for name in FIELDS:
            for person in (alice, service, restricted):
                assert [code for code, _ in await person.errors(OPERATIONS[name])] == ["FORBIDDEN"], name
            assert [code for code, _ in await system.person(None).errors(OPERATIONS[name])] == ["UNAUTHENTICATED"]


@standalone
async def test_every_change_is_logged_once_with_its_author(system: System, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    ops, client = system.person("ops", "admin"), {"client": "ios", "clientVersions": ["1.0"]}
    operation = {"id": "type", "text": "{ __typename }", "source": "app.json"}
    inputs: list[tuple[str, dict[str, Any], str, list[str]]] = [
        ("importOperations", {"operations": [operation], **client}, "operations imported", ["type"]),
        ("withdrawOperations", {"ids": ["type"]}, "operations withdrawn", ["type"]),
        ("restoreOperations", {"ids": ["type"]}, "operations restored", ["type"]),
        ("withdrawClientVersions", client, "versions withdrawn", ["1.0"]),
        ("restoreClientVersions", client, "versions restored", ["1.0"]),
        ("createWebhook", {"name": "hook", "url": "https://a.example/?key=1"}, "webhook created", ["hook"]),
        ("rotateWebhookSecret", {"name": "hook"}, "secret of a webhook rotated", ["hook"]),
        ("retryWebhook", {"name": "hook"}, "webhook retried", ["hook"]),
        ("deleteWebhook", {"name": "hook"}, "webhook deleted", ["hook"]),
        ("importWordList", {"text": "casino\n"}, "word list replaced", ["1"]),
        ("removeWords", {"words": ["casino"]}, "words removed", ["2"]),
    ]
    assert {f"Mutation.{name}" for name, *_ in inputs} == set(MUTATIONS)
    for name, input_, _, _ in inputs:
        for _ in range(1 + (name == "deleteWebhook")):  # the second one is refused
            type_ = f"{name[0].upper()}{name[1:]}Input"
            await ops.ask(f"mutation ($input: {type_}!) {{ {name}(input: $input) {{ __typename }} }}", input=input_)

    logged = [record.values for record in caplog.records if record.name == "commands.admin"]  # type: ignore[attr-defined]
    assert [(one["change"], one["names"], one["by"]) for one in logged] == [
        (change, names, "ops") for _, _, change, names in inputs
    ]
    assert not any("a.example" in str(one) or "whsec_" in str(one) for one in logged)


@standalone
async def test_a_service_that_acts_for_a_user_does_not_administrate(system: System) -> None:
    await system.person("alice").id()
    acting = system.person("service", "act", "admin", plaudit_user="alice")

    assert [code for code, _ in await acting.errors("{ admin { webhooks { name } } }")] == ["FORBIDDEN"]


@standalone
@pytest.mark.parametrize("name", MUTATIONS)
async def test_writes_have_a_rate_limit(system: System, name: str) -> None:
    assert WRITES[name] == "admin"
    assert system.settings.limits.user.writes["admin"].burst >= 1


def _restricted(system: System) -> dict[str, str]:
    claims: dict[str, Any] = {"scopes": ["admin"], "businesses": ["video"]}
    return {"authorization": f"Bearer {auth.mint(system.settings, 'ci', **claims)}"}
