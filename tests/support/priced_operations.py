"""Operations for every root field and every list field of the schema, generated from it."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    get_named_type,
    get_nullable_type,
    is_abstract_type,
    is_leaf_type,
    is_list_type,
    is_required_argument,
    is_required_input_field,
)

from tests.support.schema_paths import SCHEMA

_PAGES = 1, 20
_TIMES = 3
"""How often a document repeats a field: about as often as the least price of an operation pays for."""
Values = Mapping[str, Any]


@dataclass(frozen=True)
class PricedOperation:
    """An operation that ends at the field `coordinate`. `variables` returns the variables of its n-th repetition."""

    coordinate: str
    text: str
    variables: Callable[[int], dict[str, Any]] = lambda _: {}


def queries(values: Values) -> Iterator[PricedOperation]:
    """Yields queries that end at each root field and each list field: for one object and for a page, with the cheapest
    selection and with all fields that have no selection of their own; and three times in one document. `values` has the
    values of required arguments by name; those of one field only are below its name with `()`.
    """
    for type_, path in _paths(values):
        for name, field in type_.fields.items():
            if type_ is SCHEMA.query_type or _is_list(field):
                for first in _PAGES:
                    for whole in (False, True):
                        body = _call(name, field, values, first, _below(get_named_type(field.type), whole))
                        yield PricedOperation(f"{type_.name}.{name}", path.replace("BELOW", body))
                below = _below(get_named_type(field.type), whole=False)
                body = " ".join(f"a{n}: {_call(name, field, values, 1, below)}" for n in range(_TIMES))
                yield PricedOperation(f"{type_.name}.{name}, {_TIMES} times", path.replace("BELOW", body))


def unknown(values: Values, make: Mapping[str, Callable[[int], Any]]) -> Iterator[PricedOperation]:
    """Yields queries of each root field for objects that do not exist: for one and for three. `make` has functions that
    return the value of an argument for each repetition, by name.
    """
    assert SCHEMA.query_type
    for name, field in SCHEMA.query_type.fields.items():
        used = {argument: str(one.type) for argument, one in field.args.items() if argument in make}
        others = [f"{key}: {json.dumps(values[key])}" for key in field.args if key in values and key not in used]
        for times in (1, _TIMES) if used else ():
            declared = ", ".join(f"${key}{n}: {type_}" for key, type_ in used.items() for n in range(times))
            given = [", ".join([*(f"{key}: ${key}{n}" for key in used), *others]) for n in range(times)]
            body = " ".join(f"a{n}: {name}({one}) {{ __typename }}" for n, one in enumerate(given))
            variables = partial(_made, [*used], make, times)
            yield PricedOperation(f"Query.{name} unknown, {times} times", f"query ({declared}) {{ {body} }}", variables)


def _made(names: list[str], make: Mapping[str, Callable[[int], Any]], times: int, number: int) -> dict[str, Any]:
    return {f"{name}{n}": make[name](number * times + n) for name in names for n in range(times)}


def mutations(values: Values) -> Iterator[PricedOperation]:
    """Yields a mutation for each root field, with the user errors of its payload."""
    assert SCHEMA.mutation_type
    for name, field in SCHEMA.mutation_type.fields.items():
        given = {key: _input(get_nullable_type(one.type), key, values) for key, one in field.args.items()}
        declared = ", ".join(f"${argument}: {one.type}" for argument, one in field.args.items())
        passed = ", ".join(f"{argument}: ${argument}" for argument in field.args)
        text = f"mutation ({declared}) {{ {name}({passed}) {{ userErrors {{ code }} }} }}"
        yield PricedOperation(f"Mutation.{name}", text, partial(_numbered, given))


def _input(type_: Any, name: str, values: Values) -> Any:
    """Returns a value of an input type, with its required fields only. `#` stands for the number of the repetition."""
    if is_list_type(type_):
        inner = get_nullable_type(type_.of_type)
        strings = name in values and not isinstance(inner, GraphQLInputObjectType)
        return values[name][:1] if strings else [_input(inner, name, values)]
    if isinstance(type_, GraphQLInputObjectType):
        return {
            key: _input(get_nullable_type(one.type), key, values)
            for key, one in type_.fields.items()
            if is_required_input_field(one) or key == "idempotencyKey"
        }
    if isinstance(type_, GraphQLEnumType):
        return next(iter(type_.values))
    return values[name]


def _numbered(value: Any, number: int) -> Any:
    if isinstance(value, dict):
        return {key: _numbered(one, number) for key, one in value.items()}
    if isinstance(value, list):
        return [_numbered(one, number) for one in value]
    return value.replace("#", str(number)) if isinstance(value, str) else value


def _paths(values: Values) -> Iterator[tuple[GraphQLObjectType, str]]:
    """Yields each object type that queries reach, with the shortest query for its objects; `BELOW` stands for their
    selection.
    """
    query = SCHEMA.query_type
    assert query
    seen, left = {query.name}, [(query, "{ BELOW }")]
    while left:
        type_, path = left.pop(0)
        yield type_, path
        for name, field in type_.fields.items():
            inner = get_named_type(field.type)
            for one in _possible(inner):
                if one.name not in seen:
                    seen.add(one.name)
                    body = "BELOW" if one is inner else f"... on {one.name} {{ BELOW }}"
                    call = _call(name, field, {**values, **values.get(one.name, {})}, 1, body)
                    left.append((one, path.replace("BELOW", call)))


def _possible(type_: GraphQLNamedType) -> list[GraphQLObjectType]:
    if is_abstract_type(type_):
        return list(SCHEMA.get_possible_types(type_))
    return [type_] if isinstance(type_, GraphQLObjectType) else []


def _is_list(field: GraphQLField) -> bool:
    return is_list_type(get_nullable_type(field.type)) or get_named_type(field.type).name.endswith("Connection")


def _call(name: str, field: GraphQLField, values: Values, first: int, below: str) -> str:
    given = []
    values = {**values, **values.get(f"{name}()", {})}
    for argument, one in field.args.items():
        if argument == "first":
            given.append(f"first: {first}")
        elif is_required_argument(one):
            value = values[argument]
            given.append(f"{argument}: {_literal(value[:first] if isinstance(value, list) else value)}")
    arguments = f"({', '.join(given)})" if given else ""
    return f"{name}{arguments}" + (f" {{ {below} }}" if below else "")


def _literal(value: Any) -> str:
    """Returns a value as a document writes it: as JSON, with the names of fields as they are."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name}: {_literal(one)}' for name, one in value.items())}}}"
    return f"[{', '.join(map(_literal, value))}]" if isinstance(value, list) else json.dumps(value)


def _below(type_: GraphQLNamedType, whole: bool) -> str:
    """Returns the selection below a field of this type: `__typename` or all leaves, and those of the objects of a
    page.
    """
    if not isinstance(type_, GraphQLObjectType | GraphQLInterfaceType):
        return ""
    if "nodes" in type_.fields:
        return f"nodes {{ {_below(get_named_type(type_.fields['nodes'].type), whole)} }}"
    leaves = [
        name
        for name, field in type_.fields.items()
        if is_leaf_type(get_named_type(field.type)) and not any(map(is_required_argument, field.args.values()))
    ]
    return " ".join(leaves) if whole and leaves else "__typename"
