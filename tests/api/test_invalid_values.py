"""The error for an invalid value shows no Python: every type of input gets every kind of value."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from graphql import GraphQLInputObjectType, get_named_type, is_composite_type

from settings import Settings
from tests.support.schema_paths import SCHEMA
from tests.support.system import LIMITLESS, Person, running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

VALUES = [None, True, 1.5, "x", "é'\"\0", [None], {"a": {"b": [None, True]}}, 10**30]
LITERALS = ["null", "true", '"x"', "[null]", "{a: {b: [null, true]}}"]
PYTHON = re.compile(r"\b(None|True|False|Undefined)\b|\{'|\['|<[\w.]+ |object at 0x|\\x")


def places() -> Iterator[tuple[str, str, Any]]:
    """Yields one place for each type of input: an operation that passes `$v` or a literal in place of `%s`, the type of
    `$v`, and how a value is put into `$v`.
    """
    seen: set[str] = set()
    for operation, root in (("query", SCHEMA.query_type), ("mutation", SCHEMA.mutation_type)):
        assert root
        for field, definition in root.fields.items():
            selected = "{ __typename }" if is_composite_type(get_named_type(definition.type)) else ""
            for name, argument in definition.args.items():
                query = f"{operation} %s {{ {field}({name}: %s) {selected} }}"
                if (declared := str(argument.type)) not in seen:
                    yield query, declared, lambda value: value
                seen.add(declared)
                type_ = get_named_type(argument.type)
                for inner in type_.fields.items() if isinstance(type_, GraphQLInputObjectType) else ():
                    if str(inner[1].type) not in seen:
                        yield query, declared, lambda value, inner=inner[0]: {inner: value}
                    seen.add(str(inner[1].type))


async def messages(person: Person, query: str, **values: Any) -> list[str]:
    errors = (await person.send(query, **values)).json().get("errors", [])
    assert not [error for error in errors if error["extensions"]["code"] == "INTERNAL"]
    return [error["message"] for error in errors]


async def test_an_error_shows_no_python(make_settings: Callable[..., Settings]) -> None:
    found = {}
    async with running(make_settings(limits=LIMITLESS)) as system:
        moderator = system.person("mia", "entities:write", "users:write", "moderate", "lists:read")
        for query, declared, wrapped in places():
            for value in VALUES:
                for message in await messages(moderator, query % (f"($v: {declared})", "$v"), v=wrapped(value)):
                    found[message] = query, value
            for literal in LITERALS:
                for message in await messages(moderator, query % ("", literal)):
                    found[message] = query, literal

    assert len(found) > 100
    assert {message: at for message, at in found.items() if PYTHON.search(message)} == {}
