"""A repeated write is compared as JSON values: order of members, the spelling of numbers, and null do not matter."""

import json
from typing import Any

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLNonNull,
    get_named_type,
    is_list_type,
    is_non_null_type,
)

from tests.support.schema_paths import SCHEMA
from tests.support.system import Person, System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

KEY = "idempotencyKey"
NULL_REMOVES = {"EditPostInput.custom", "EditCommentInput.custom", "SaveInput.collectionId",
    "EditPostInput.contentWarning", "EditCommentInput.contentWarning",
}  # fmt: skip
"""The input fields in which null means something else than an omitted field."""
PUBLISH = """mutation ($input: PublishPostInput!) { publishPost(input: $input) {
  post { id custom } userErrors { code } } }"""
ADD = """mutation ($input: AddCommentInput!) { addComment(input: $input) {
  comment { id custom } userErrors { code } } }"""
SPELLINGS = [
    ('{"a":1,"b":{"c":[1,2.5],"d":null}}', '{"b":{"d":null,"c":[1.0,25e-1]},"a":1e0}'),
    ('{"plan":"y","badge":"é"}', '{"badge":"\\u00e9","plan":"y"}'),
    ('{"n":-0.0,"m":9007199254740992}', '{"m":9007199254740992.0,"n":0}'),
]


def input_of(mutation: str) -> GraphQLInputObjectType | None:
    """Returns the type of the argument `input` of a mutation, if it has an idempotency key."""
    assert SCHEMA.mutation_type
    argument = SCHEMA.mutation_type.fields[mutation].args.get("input")
    type_ = argument and get_named_type(argument.type)
    return type_ if isinstance(type_, GraphQLInputObjectType) and KEY in type_.fields else None


def example(field: GraphQLInputField) -> Any:
    """Returns a valid value for a required input field."""
    type_ = get_named_type(field.type)
    required: dict[str, Any] = {"ID": "Post:7", "String": "x", "Boolean": True, "Int": 1}
    if isinstance(type_, GraphQLInputObjectType):
        return []
    one = next(iter(type_.values)) if isinstance(type_, GraphQLEnumType) else required[type_.name]
    inner = field.type.of_type if isinstance(field.type, GraphQLNonNull) else field.type
    return [one] if is_list_type(inner) else one


async def codes(person: Person, mutation: str, type_: GraphQLInputObjectType, value: dict[str, Any]) -> list[str]:
    query = f"mutation ($input: {type_.name}!) {{ {mutation}(input: $input) {{ userErrors {{ code }} }} }}"
    payload = ((await person.send(query, input=value)).json().get("data") or {}).get(mutation)
    return [error["code"] for error in payload["userErrors"]] if payload else []


async def test_null_and_an_omitted_field_are_one_input_in_every_mutation(system: System) -> None:
    moderator = system.person("mia", "moderate", "users:write", "entities:write")
    tried, wrong = 0, set()
    assert SCHEMA.mutation_type
    for mutation in SCHEMA.mutation_type.fields:
        if (type_ := input_of(mutation)) is None:
            continue
        required = {name: example(field) for name, field in type_.fields.items() if is_non_null_type(field.type)}
        for name, field in type_.fields.items():
            if is_non_null_type(field.type) or name == KEY:
                continue
            value = {**required, KEY: f"{mutation}-{name}"}
            await codes(moderator, mutation, type_, value)
            if "IDEMPOTENCY_MISMATCH" in await codes(moderator, mutation, type_, {**value, name: None}):
                wrong.add(f"{type_.name}.{name}")
            tried += 1

    assert tried > 10
    assert wrong <= NULL_REMOVES


@pytest.mark.parametrize(("first", "second"), SPELLINGS)
@pytest.mark.parametrize(("mutation", "query"), [("publishPost", PUBLISH), ("addComment", ADD)])
async def test_custom_data_in_another_spelling_is_the_same_input(
    system: System, mutation: str, query: str, first: str, second: str
) -> None:
    alice = system.person("alice")
    (video,) = await system.videos("v1")
    subject = f'"subjectId": "{video}", ' if mutation == "addComment" else ""

    ids = []
    for spelling in (first, second):
        body = f'{{"text": "a", {subject}"idempotencyKey": "k", "custom": {spelling}}}'
        ids.append(await created(alice, query, body))

    assert ids[0] is not None
    assert ids[0] == ids[1]


async def created(person: Person, query: str, body: str) -> str | None:
    """Returns the id of the object that a mutation creates. `body` is the JSON text of its input."""
    content = f'{{"query": {json.dumps(query)}, "variables": {{"input": {body}}}}}'
    headers = {**person.headers, "content-type": "application/json"}
    response = await person.http.post("/graphql", content=content.encode(), headers=headers)
    (payload,) = response.json()["data"].values()
    assert payload["userErrors"] == []
    return (payload.get("post") or payload.get("comment") or {}).get("id")
