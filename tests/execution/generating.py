"""Random valid queries from the schema's types.

A response key is a function of a field and its arguments, so selections with one key can always be merged.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from graphql import (
    GraphQLArgument,
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    Undefined,
    get_named_type,
    get_nullable_type,
    is_composite_type,
    is_enum_type,
    is_input_object_type,
    is_list_type,
    is_non_null_type,
    is_required_input_field,
)
from hypothesis import strategies as st

DEPTH = 6
WIDTH = 4
MOST_FIELDS = 60
MOVING = frozenset({"remaining", "resetAt", "recommended"})
"""Fields whose value changes with every request, for example because cursors name a new snapshot."""

Draw = Any
Composite = GraphQLObjectType | GraphQLInterfaceType


@dataclass(frozen=True)
class Query:
    """A document and its variables."""

    text: str
    variables: dict[str, Any]


@dataclass
class Values:
    """Possible argument values by argument name. Some name existing objects, some do not."""

    by_name: dict[str, Sequence[str]]

    def strings(self, name: str) -> st.SearchStrategy[str]:
        return st.sampled_from([*self.by_name[name], "", "nonsense", "!"])

    def ints(self) -> st.SearchStrategy[int]:
        return st.sampled_from([1, 1, 2, 2, 3, 5, 100, 0, -1, 101, 2**31 - 1])


def literal(value: Any, type_: Any) -> str:
    """Returns a value as a literal of a document."""
    bare = get_nullable_type(type_)
    if is_list_type(bare):
        return f"[{', '.join(literal(one, bare.of_type) for one in value)}]"
    if is_input_object_type(bare):
        return "{" + ", ".join(f"{name}: {literal(one, bare.fields[name].type)}" for name, one in value.items()) + "}"
    return str(value) if is_enum_type(bare) else json.dumps(value, ensure_ascii=False)


@dataclass
class Writing:
    """A document in construction."""

    draw: Draw
    schema: GraphQLSchema
    values: Values
    left: int = MOST_FIELDS
    declared: dict[str, str] = field(default_factory=dict)
    variables: dict[str, Any] = field(default_factory=dict)
    fragments: list[tuple[str, GraphQLNamedType, str]] = field(default_factory=list)
    keys: dict[str, list[str]] = field(default_factory=dict)

    def chance(self, of: int) -> bool:
        """Returns True once in `of` times. Hypothesis shrinks the result to False."""
        return bool(self.draw(st.integers(0, of - 1)) == of - 1)

    def selection(self, type_: Composite, depth: int) -> str:
        """Returns a selection set in braces."""
        names = [
            name
            for name, one in type_.fields.items()
            if name not in MOVING and (depth > 0 or not is_composite_type(get_named_type(one.type)))
        ]
        wanted = self.draw(st.lists(st.sampled_from([*names, "__typename"]), min_size=1, max_size=WIDTH))
        parts = [self.field(type_, name, depth) for name in wanted]
        if depth > 0 and self.chance(2):
            parts.append(self.fragment(type_, depth))
        return "{ " + " ".join(parts) + " }"

    def field(self, type_: Composite, name: str, depth: int) -> str:
        """Returns a field with its arguments and selections. Long documents get only leaf fields."""
        self.left -= 1
        if name == "__typename":
            return "called: __typename" if self.chance(3) else "__typename"
        declared = type_.fields[name]
        inner = get_named_type(declared.type)
        below = ""
        if is_composite_type(inner):
            if self.left <= 0:
                return "__typename"
            below = self.selection(inner, depth - 1)  # type: ignore[arg-type]
        arguments = self.arguments(declared)
        return f"{self.key(name, f'{arguments}: {declared.type}')}{name}{arguments}{self.directive()} {below}"

    def key(self, name: str, kind: str) -> str:
        """Returns the alias of a field, or "". Fields with other arguments or another type get another alias."""
        known = self.keys.setdefault(name, [])
        if kind not in known:
            known.append(kind)
        if number := known.index(kind):
            return f"{name}_{number}: "
        return f"also_{name}: " if self.chance(6) else ""

    def fragment(self, type_: Composite, depth: int) -> str:
        """Returns a new inline fragment, a new named fragment, or a spread of an existing one."""
        fitting = [one for one in self.overlapping(type_) if isinstance(one, GraphQLObjectType | GraphQLInterfaceType)]
        target = self.draw(st.sampled_from(fitting))
        known = [name for name, on, _ in self.fragments if on in fitting]
        if known and self.chance(2):
            return f"...{self.draw(st.sampled_from(known))}{self.directive()}"
        text = self.selection(target, depth - 1)
        if self.chance(2):
            name = f"F{len(self.fragments)}"
            self.fragments.append((name, target, text))
            return f"...{name}{self.directive()}"
        return f"... on {target.name}{self.directive()} {text}"

    def overlapping(self, type_: Composite) -> list[GraphQLNamedType]:
        """Returns the types that a fragment can have inside this type."""
        mine = self.possible(type_)
        others = (
            one for one in self.schema.type_map.values() if isinstance(one, GraphQLObjectType | GraphQLInterfaceType)
        )
        return [one for one in others if mine & self.possible(one)]

    def possible(self, type_: Composite) -> set[str]:
        if isinstance(type_, GraphQLObjectType):
            return {type_.name}
        return {one.name for one in self.schema.get_possible_types(type_)}

    def directive(self) -> str:
        """Returns @skip, @include or "". Its argument is a literal, or a variable that is set, omitted or null."""
        if not self.chance(5):
            return ""
        what = self.draw(st.sampled_from(["skip", "include"]))
        given = self.draw(st.sampled_from([True, False, "$yes", "$no", "$default", "$null"]))
        if isinstance(given, bool):
            return f" @{what}(if: {str(given).lower()})"
        if given == "$null" and not self.chance(5):
            given = "$default"
        types = {"$yes": "Boolean!", "$no": "Boolean!", "$default": "Boolean = true", "$null": "Boolean = false"}
        self.declared[given[1:]] = types[given]
        self.variables |= {"yes": True} if given == "$yes" else {"no": False} if given == "$no" else {}
        if given == "$null":
            self.variables["null"] = None
        return f" @{what}(if: {given})"

    def arguments(self, of: GraphQLField) -> str:
        """Returns all required and some optional arguments, in parentheses."""
        written = []
        for name, one in of.args.items():
            required = is_non_null_type(one.type) and one.default_value is Undefined
            if required or self.chance(2):
                written.append(f"{name}: {self.value(name, one)}")
        return f"({', '.join(written)})" if written else ""

    def value(self, name: str, of: GraphQLArgument) -> str:
        """Returns a literal or a variable."""
        bare = of.type.of_type if is_non_null_type(of.type) else of.type
        value = self.draw(self.drawn(name, bare))
        nullable = not is_non_null_type(of.type)
        if not self.chance(3):
            return "null" if nullable and self.chance(4) else literal(value, bare)
        variable = f"v{len(self.declared)}"
        has_default = of.default_value is not Undefined
        way = self.draw(
            st.sampled_from(["given", "default", *(["left out", "null"] if nullable or has_default else [])])
        )
        self.declared[variable] = f"{bare}{' = ' + literal(value, bare) if way == 'default' else ''}"
        if way == "given" and not nullable and not has_default:
            self.declared[variable] = f"{bare}!"
        if way == "given":
            self.variables[variable] = value
        elif way == "null":
            self.variables[variable] = None
        return f"${variable}"

    def drawn(self, name: str, type_: Any) -> st.SearchStrategy[Any]:
        bare = get_nullable_type(type_)
        if is_list_type(bare):
            return st.lists(self.drawn(name, bare.of_type), max_size=5)
        if is_enum_type(bare):
            return st.sampled_from(list(bare.values))
        if is_input_object_type(bare):
            fields = {name: self.drawn(name, one.type) for name, one in bare.fields.items()}
            required = {name: fields.pop(name) for name, one in bare.fields.items() if is_required_input_field(one)}
            return st.fixed_dictionaries(required, optional=fields)
        if bare.name == "Boolean":
            return st.booleans()
        if bare.name == "DateTime":  # a document with another literal is not valid
            return st.sampled_from(self.values.by_name[name])
        return self.values.ints() if bare.name == "Int" else self.values.strings(name)


@st.composite
def queries(draw: Draw, schema: GraphQLSchema, values: Values) -> Query:
    """Draws valid documents of limited depth and size."""
    writing = Writing(draw, schema, values)
    assert schema.query_type
    text = writing.selection(schema.query_type, draw(st.integers(2, DEPTH)))
    declared = ", ".join(f"${name}: {type_}" for name, type_ in writing.declared.items())
    fragments = " ".join(f"fragment {name} on {on.name} {body}" for name, on, body in writing.fragments)
    return Query(f"query{f' ({declared})' if declared else ''} {text} {fragments}", writing.variables)
