"""Generates queries of every field that a token without rights may use, from the schema."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from graphql import (
    GraphQLArgument,
    GraphQLEnumType,
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLOutputType,
    get_named_type,
    is_leaf_type,
    is_required_argument,
)

from identity.permissions import Rule
from schema import RULES
from tests.support.schema_paths import SCHEMA, kinds

BUSINESSES = ("video", "article", "post", "comment")
ID = "{ __typename id }"
_LEFT_OUT = frozenset({"Query.viewer", "Query.rateLimit", "PageInfo.startCursor", "PageInfo.endCursor"})
"""Fields that concern the caller, and cursors, which differ in each answer."""
VALUES: Mapping[str, Iterable[str]] = {
    "first": ["100"],
    "business": [f'"{name}"' for name in BUSINESSES],
    "action": ['"opens"'],
    "name": ['"cats"'],
}
"""The values for each argument, by its name. An enum has all its values. Other optional arguments have no value."""
REQUIRED: Mapping[str, Iterable[str]] = {"kind": ['"like"']}
"""The values for other arguments, by their names, where they are required."""


@dataclass(frozen=True)
class Fields:
    """Selections of all fields, without those that lead to the types `hidden`. Objects with ids have only their ids,
    because the fields of each object are read from its own id.
    """

    hidden: frozenset[str]

    def of(self, type_: GraphQLOutputType) -> str:
        """Returns the selection of all fields of a type."""
        named = get_named_type(type_)
        assert isinstance(named, GraphQLObjectType)
        return f"{{ __typename {' '.join(self._each(named))} }}"

    def _each(self, type_: GraphQLObjectType) -> Iterator[str]:
        for name, field in type_.fields.items():
            coordinate = f"{type_.name}.{name}"
            named = get_named_type(field.type)
            is_open = RULES.get(coordinate, Rule.ALL) is Rule.ALL and coordinate not in _LEFT_OUT and name != "cursor"
            if not is_open or kinds(named.name, self.hidden):
                continue
            if is_leaf_type(named):
                yield from _calls(type_, name, field, "")
            else:
                yield from _calls(type_, name, field, ID if "id" in getattr(named, "fields", {}) else self.of(named))


def _calls(type_: GraphQLObjectType, name: str, field: GraphQLField, selection: str) -> Iterator[str]:
    """Yields a field once for each combination of values of its arguments."""
    values = {argument: found for argument, one in field.args.items() if (found := _values(argument, one))}
    for at, chosen in enumerate(product(*values.values())):
        given = ", ".join(f"{argument}: {value}" for argument, value in zip(values, chosen, strict=True))
        yield f"{type_.name}_{name}_{at}: {name}{f'({given})' if given else ''} {selection}"


def _values(name: str, argument: GraphQLArgument) -> Iterable[str]:
    named = get_named_type(argument.type)
    if isinstance(named, GraphQLEnumType):
        return list(named.values)
    return VALUES.get(name, REQUIRED.get(name, ()) if is_required_argument(argument) else ())


def of_node(id_: str, hidden: frozenset[str]) -> str:
    """Returns a query of all fields of one object."""
    type_ = SCHEMA.type_map[id_.partition(":")[0]]
    assert isinstance(type_, GraphQLObjectType)
    return f'{{ Query_node_0: node(id: "{id_}") {{ ... on {type_.name} {Fields(hidden).of(type_)} }} }}'


def of_root(roots: Mapping[str, str], hidden: frozenset[str]) -> Iterator[str]:
    """Yields a query for each root field and combination of its arguments. `roots` has the arguments of root fields
    that are not generated.
    """
    assert SCHEMA.query_type
    for name, field in SCHEMA.query_type.fields.items():
        coordinate = f"Query.{name}"
        leads = kinds(get_named_type(field.type).name, hidden)
        is_open = RULES[coordinate] is Rule.ALL and coordinate not in _LEFT_OUT
        is_node = isinstance(get_named_type(field.type), GraphQLInterfaceType)
        if not is_open or (leads and not is_node):
            continue
        selection = ID if is_node else Fields(hidden).of(field.type)
        if name in roots:
            yield f"{{ Query_{name}_0: {name}({roots[name]}) {selection} }}"
        else:
            yield from (f"{{ {call} }}" for call in _calls(SCHEMA.query_type, name, field, selection))
