"""The pages of the schema reference: every type of schema.graphql with its description, and an operation for each field
of `Query`, `Mutation` and `Subscription`.
"""

from collections.abc import Iterable, Iterator, Mapping

from graphql import (
    GraphQLArgument,
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLSchema,
    GraphQLUnionType,
    Undefined,
    build_schema,
    get_named_type,
    is_leaf_type,
    is_required_argument,
    is_specified_scalar_type,
    parse,
    print_ast,
)
from graphql.utilities import ast_from_value

_ROOTS = {"Query": "queries.md", "Mutation": "mutations.md", "Subscription": "subscriptions.md"}
_KINDS: dict[str, tuple[type[GraphQLNamedType], ...]] = {
    "objects.md": (GraphQLObjectType,),
    "inputs.md": (GraphQLInputObjectType,),
    "interfaces-and-unions.md": (GraphQLInterfaceType, GraphQLUnionType),
    "enums.md": (GraphQLEnumType,),
    "scalars.md": (GraphQLScalarType,),
}
_TITLES = {
    "queries.md": "Queries",
    "mutations.md": "Mutations",
    "subscriptions.md": "Subscriptions",
    "objects.md": "Objects",
    "inputs.md": "Inputs",
    "interfaces-and-unions.md": "Interfaces and unions",
    "enums.md": "Enums",
    "scalars.md": "Scalars",
}
_MOST_FIELDS = 4
"""The most fields of an object in an example."""


def reference(text: str) -> dict[str, str]:
    """Returns the text of each page by its name, from the text of a schema."""
    schema = build_schema(text)
    pages = {page: _operations(schema, root) for root, page in _ROOTS.items()}
    pages |= {page: _types(schema, kinds) for page, kinds in _KINDS.items()}
    return {"README.md": _overview()} | {name: f"# {_TITLES[name]}\n\n{body}" for name, body in pages.items()}


def example(schema: GraphQLSchema, root: str, name: str) -> str:
    """Returns an operation with one field of a root type. Its required arguments are variables."""
    field = schema.type_map[root].fields[name]  # type: ignore[attr-defined]
    given = {name: argument for name, argument in field.args.items() if is_required_argument(argument)}
    variables = ", ".join(f"${name}: {argument.type}" for name, argument in given.items())
    arguments = ", ".join(f"{name}: ${name}" for name in given)
    head = f"{root.lower()} {name[0].upper()}{name[1:]}" + (f"({variables})" if given else "")
    body = _selection(field, 0)
    return print_ast(parse(f"{head} {{ {name}{f'({arguments})' if given else ''}{body} }}"))


def _selection(field: GraphQLField, depth: int) -> str:
    """Returns the fields to select of a field's type, in braces: first scalars, then small objects."""
    kind = get_named_type(field.type)
    if is_leaf_type(kind):
        return ""
    if isinstance(kind, GraphQLUnionType):
        return " { __typename }"
    assert isinstance(kind, GraphQLObjectType | GraphQLInterfaceType)
    possible = {name: one for name, one in kind.fields.items() if not any(map(is_required_argument, one.args.values()))}
    leaves = [name for name, one in possible.items() if is_leaf_type(get_named_type(one.type))][:_MOST_FIELDS]
    wanted = ["nodes", "edges", "userErrors"] if depth else [*possible]
    nested = [name for name in possible if name not in leaves and (not leaves or name in wanted) and depth < 2]
    nested = [name for name in nested if not is_leaf_type(get_named_type(possible[name].type))][:2]
    chosen = leaves + [name + _selection(possible[name], depth + 1) for name in nested]
    return " { " + " ".join(chosen or ["__typename"]) + " }"


def _overview() -> str:
    links = "\n".join(f"- [{title}]({name})" for name, title in _TITLES.items())
    return (
        "# GraphQL schema\n\nStart with the [queries](queries.md) and [mutations](mutations.md). Each has an operation"
        f" to copy. Give its variables the types that the links lead to.\n\n{links}\n"
    )


def _operations(schema: GraphQLSchema, root: str) -> str:
    kind = schema.type_map[root]
    assert isinstance(kind, GraphQLObjectType)
    parts = []
    for name, field in sorted(kind.fields.items()):
        lines = [f"## {name}", "", field.description or "", *_deprecated(field.deprecation_reason)]
        lines += ["", f"Returns {_type(field.type)}.", "", *_arguments(field.args)]
        parts.append("\n".join([*lines, "", "```graphql", example(schema, root, name), "```", ""]))
    return "\n".join(parts)


def _types(schema: GraphQLSchema, kinds: tuple[type[GraphQLNamedType], ...]) -> str:
    chosen = [kind for name, kind in sorted(schema.type_map.items()) if isinstance(kind, kinds)]
    return "\n".join(_section(kind) for kind in chosen if not kind.name.startswith("__") and kind.name not in _ROOTS)


def _section(kind: GraphQLNamedType) -> str:
    lines = [f"## {kind.name}", "", kind.description or "", ""]
    if isinstance(kind, GraphQLEnumType):
        lines += _table("value", ((f"`{name}`", value) for name, value in kind.values.items()))
    elif isinstance(kind, GraphQLUnionType):
        lines += ["One of " + ", ".join(_type(one) for one in kind.types) + ".", ""]
    elif isinstance(kind, GraphQLInputObjectType):
        lines += _arguments(kind.fields)
    elif isinstance(kind, GraphQLObjectType | GraphQLInterfaceType):
        if kind.interfaces:
            lines += ["Implements " + ", ".join(_type(one) for one in kind.interfaces) + ".", ""]
        for name, field in kind.fields.items():
            lines += [f"### {kind.name}.{name}", "", f"{_type(field.type)}. {field.description or ''}", ""]
            lines += [*_deprecated(field.deprecation_reason), *_arguments(field.args)]
    return "\n".join(lines)


def _arguments(arguments: Mapping[str, GraphQLArgument] | Mapping[str, GraphQLInputField]) -> list[str]:
    rows = ((f"`{name}`: {_type(one.type)}{_default(one)}", one) for name, one in arguments.items())
    return _table("argument", rows) if arguments else []


def _table(head: str, rows: Iterable[tuple[str, object]]) -> list[str]:
    cells = (f"| {name} | {_cell(getattr(one, 'description', None))} |" for name, one in rows)
    return [f"| {head} | meaning |", "|---|---|", *cells, ""]


def _cell(text: str | None) -> str:
    return " ".join((text or "").split()).replace("|", "\\|")


def _default(argument: GraphQLArgument | GraphQLInputField) -> str:
    if argument.default_value is Undefined:
        return ""
    value = ast_from_value(argument.default_value, argument.type)
    assert value
    return f" = `{print_ast(value)}`"


def _deprecated(reason: str | None) -> Iterator[str]:
    if reason:
        yield f"\n**Deprecated.** {reason}"


def _type(kind: object) -> str:
    """Returns the notation of a type, with a link to it."""
    named = get_named_type(kind)  # type: ignore[call-overload]
    before, _, after = str(kind).partition(named.name)
    if is_specified_scalar_type(named):
        return f"`{kind}`"
    page = next(page for page, kinds in _KINDS.items() if isinstance(named, kinds))
    inner = f"[`{named.name}`]({page}#{named.name.lower()})"
    return (f"`{before}`" if before else "") + inner + (f"`{after}`" if after else "")
