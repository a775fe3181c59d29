"""What an operation asks for, as an upper bound in numbers, told from its document before it is even validated.

Every definition is walked once, in time linear in its size; what a fragment comes to is computed once and added
wherever it is spread. `@skip` and `@include` hide nothing, fields that merge are counted apart, nothing recurses.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphql import (
    DocumentNode,
    ExecutableDefinitionNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLArgument,
    GraphQLField,
    GraphQLNamedType,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    ListValueNode,
    ObjectValueNode,
    OperationDefinitionNode,
    SchemaMetaFieldDef,
    SelectionNode,
    SelectionSetNode,
    StringValueNode,
    TypeMetaFieldDef,
    Undefined,
    ValueNode,
    VariableNode,
    get_named_type,
    get_nullable_type,
    is_input_object_type,
    is_list_type,
)

LARGEST = 1000
"""A list is taken to be no longer than this: who serves lists refuses more. What cannot be told counts as much."""
INTROSPECTED = 8
"""How long the lists of introspection are taken to be."""
_ENDLESS = 10**12


class TooCostly(ValueError):
    """A document beyond a limit. The message says which, and what the document has."""

    def __init__(self, what: str, has: int, limit: int) -> None:
        had = "too many to count" if has >= _ENDLESS else str(has)
        super().__init__(f"The document is beyond the limit of {limit} for its {what}: it has {had}.")
        self.what = what
        self.has = has
        self.limit = limit


class Cyclic(ValueError):
    """A fragment that spreads itself, directly or through others."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The fragment {name[:64]} contains itself.")


@dataclass(frozen=True, slots=True)
class Price:
    """`cost`, `depth` and `root_fields` are the operation's; the rest is the whole document's, which validation reads.

    `fields`, `aliases` and `directives` count a fragment as often as it is spread. `repeated` is how many fields may
    share one place in the response. `literals` are arguments, with what is inside them, and variables. `comparisons`
    bounds what validation does beyond reading: pairs that it checks for whether they merge, input objects that it
    prints. `visits` says how many selections and literals were looked at to find all this out.
    """

    cost: int = 0
    depth: int = 0
    root_fields: int = 0
    fields: int = 0
    aliases: int = 0
    directives: int = 0
    repeated: int = 0
    definitions: int = 0
    literals: int = 0
    comparisons: int = 0
    visits: int = 0


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that is served: several times what the largest pages that people look at need."""

    cost: int = 50_000
    depth: int = 20
    root_fields: int = 30
    fields: int = 1000
    aliases: int = 200
    directives: int = 100
    repeated: int = 30
    definitions: int = 50
    literals: int = 1000
    comparisons: int = 3000
    characters: int = 50_000


def check_text(query: str, limits: Limits) -> None:
    """Raises TooCostly for a text not even worth parsing: parsing takes time for every character of a string."""
    if len(query) > limits.characters:
        raise TooCostly("characters", len(query), limits.characters)


def check(price: Price, limits: Limits) -> None:
    """Raises TooCostly for the first limit that a document is beyond."""
    for name in _CHECKED:
        _within(name.replace("_", " "), getattr(price, name), getattr(limits, name))


_CHECKED = (
    *("definitions", "literals", "fields", "depth", "root_fields", "aliases", "directives", "repeated", "comparisons"),
    "cost",
)


def _within(what: str, has: int, limit: int) -> None:
    if has > limit:
        raise TooCostly(what, has, limit)


def price(
    schema: GraphQLSchema, document: DocumentNode, operation_name: str | None, variables: Mapping[str, Any] | None
) -> Price:
    """The price of a parsed document, valid or not. Raises Cyclic.

    Where it cannot be told which operation is to run, the dearest counts.
    """
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    chosen = [node for node in operations if node.name and node.name.value == operation_name] or operations
    values = _Values(variables or {}, chosen)
    walk = _Walk(schema, values)
    fragments: dict[str, _Part] = {}
    for node in document.definitions:
        if isinstance(node, FragmentDefinitionNode):
            name = node.name.value
            unique = f"{name} {len(fragments)}" if name in fragments else name  # validation reads the others, too
            fragments[unique] = walk.part(node, schema.get_type(node.type_condition.name.value))
    roots = [walk.part(node, schema.get_root_type(node.operation)) for node in operations]
    spread = {name for part in (*fragments.values(), *roots) for name in part.spreads()}
    for part in _innermost_first(fragments):
        part.settle(fragments)
    for part in roots:
        part.settle(fragments)
    may_run = set(map(id, chosen))  # nodes compare by all that is in them
    run = [part.total for part, node in zip(roots, operations, strict=True) if id(node) in may_run]
    alone = [*roots, *(part for name, part in fragments.items() if name not in spread)]
    parts = [*fragments.values(), *roots]
    repeated = max((part.total.repeated for part in alone), default=0)
    met = [one.met for part in parts for one in part.levels]
    pairs = sum(n * (n + 1) // 2 for n in met) + repeated * sum(met) + walk.fields * max(0, repeated - 1) // 2
    return Price(
        cost=max((total.cost for total in run), default=0),
        depth=max((total.depth for total in run), default=0),
        root_fields=max((total.width for total in run), default=0),
        fields=_sum(part.total.fields for part in alone),
        aliases=_sum(part.total.aliases for part in alone),
        directives=_sum(part.total.directives for part in alone),
        repeated=repeated,
        definitions=len(document.definitions),
        literals=walk.literals,
        comparisons=min(pairs + walk.printed * 2 // 3, _ENDLESS),
        visits=walk.selections + walk.literals,
    )


def _sum(numbers: Iterable[int]) -> int:
    return min(sum(numbers), _ENDLESS)


@dataclass(slots=True)
class _Total:
    """What a selection set comes to, with everything below it. `width` is its own fields, fragments' included."""

    cost: int = 0
    depth: int = 0
    width: int = 0
    fields: int = 0
    aliases: int = 0
    directives: int = 0
    repeated: int = 0

    def add(self, other: "_Total", times: int = 1) -> None:
        self.cost = min(self.cost + times * other.cost, _ENDLESS)
        self.fields = min(self.fields + other.fields, _ENDLESS)
        self.aliases = min(self.aliases + other.aliases, _ENDLESS)
        self.directives = min(self.directives + other.directives, _ENDLESS)


class _Level:
    """The selections of one object: inline fragments are part of it, fragments are named by it."""

    __slots__ = ("above", "key", "keys", "met", "spreads", "times", "total")

    def __init__(self, above: "_Level | None" = None, key: str = "", times: int = 1) -> None:
        self.above = above
        self.key = key
        self.times = times
        self.total = _Total()
        self.keys: Counter[str] = Counter()
        self.spreads: dict[str, None] = {}
        self.met = 0
        """How many fragments come together here, by names and through one another."""

    def settle(self, fragments: Mapping[str, "_Part"]) -> None:
        """Adds the fragments, and then itself to the level above. Whatever lies below has been settled."""
        total = self.total
        total.depth = max(total.depth, 1 if self.keys else 0)
        total.repeated = max(self.keys.values(), default=0)
        for name in self.spreads:
            if part := fragments.get(name):
                total.add(part.total)
                total.depth = max(total.depth, part.total.depth)
                total.width = min(total.width + part.total.width, _ENDLESS)
                total.repeated = min(total.repeated + part.total.repeated, _ENDLESS)
                self.met = min(self.met + part.levels[0].met, _ENDLESS)
            self.met += 1
        if self.above:
            self.above.total.add(total, self.times)
            self.above.total.depth = max(self.above.total.depth, total.depth + 1)
            self.above.keys[self.key] += max(0, total.repeated - 1)  # the field itself is counted


class _Part:
    """A definition: its levels, outer ones first."""

    __slots__ = ("levels", "total")

    def __init__(self, levels: list[_Level]) -> None:
        self.levels = levels
        self.total = levels[0].total

    def spreads(self) -> Iterator[str]:
        for level in self.levels:
            yield from level.spreads

    def settle(self, fragments: Mapping[str, "_Part"]) -> None:
        for level in reversed(self.levels):
            level.settle(fragments)


def _innermost_first(fragments: Mapping[str, _Part]) -> Iterator[_Part]:
    """Fragments, each after those that it spreads. Raises Cyclic."""
    done: dict[str, bool] = {}
    for root in fragments:
        path = [] if root in done else [(root, fragments[root].spreads())]
        done.setdefault(root, False)
        while path:
            name, spreads = path[-1]
            inner = next((one for one in spreads if one in fragments and not done.get(one)), None)
            if inner is None:
                path.pop()
                done[name] = True
                yield fragments[name]
            elif inner in done:
                raise Cyclic(inner)
            else:
                done[inner] = False
                path.append((inner, fragments[inner].spreads()))


class _Walk:
    """Goes through definitions, selection by selection."""

    def __init__(self, schema: GraphQLSchema, values: "_Values") -> None:
        self._schema = schema
        self._values = values
        self.selections = 0
        self.literals = 0
        self.fields = 0
        self.printed = 0
        """How many values validation writes into messages when all input objects are wrong, whole for each member."""

    def part(self, node: ExecutableDefinitionNode, type_: GraphQLNamedType | None) -> _Part:
        levels = [_Level()]
        levels[0].total.directives += len(node.directives or ())
        for variable in node.variable_definitions or ():
            levels[0].total.directives += len(variable.directives or ())
            self.literals += 1
            if variable.default_value:
                self._literal(variable.default_value)
        left: list[tuple[SelectionSetNode, GraphQLNamedType | None, _Level]] = [(node.selection_set, type_, levels[0])]
        while left:
            selection_set, type_, level = left.pop()
            for selection in selection_set.selections:
                below = self._selection(selection, type_, level)
                if below:
                    left.append(below)
                    if below[2] is not level:
                        levels.append(below[2])
        return _Part(levels)

    def _selection(
        self, node: SelectionNode, type_: GraphQLNamedType | None, level: _Level
    ) -> tuple[SelectionSetNode, GraphQLNamedType | None, _Level] | None:
        """Counts a selection; says what is to be walked below it."""
        self.selections += 1
        level.total.directives += len(node.directives or ())
        if isinstance(node, FieldNode):
            return self._field(node, type_, level)
        if isinstance(node, InlineFragmentNode):
            inner = self._schema.get_type(node.type_condition.name.value) if node.type_condition else type_
            return node.selection_set, inner, level
        assert isinstance(node, FragmentSpreadNode)
        level.spreads[node.name.value] = None
        return None

    def _field(
        self, node: FieldNode, parent: GraphQLNamedType | None, level: _Level
    ) -> tuple[SelectionSetNode, GraphQLNamedType | None, _Level] | None:
        self.fields += 1
        for argument in node.arguments or ():
            self._literal(argument.value)
        key = node.alias.value if node.alias else node.name.value
        level.keys[key] += 1
        total = level.total
        total.cost += 1
        total.width += 1
        total.fields += 1
        total.aliases += node.alias is not None
        if not node.selection_set:
            return None
        field = self._definition(parent, node.name.value)
        times = self._values.times(node, field, parent)
        return node.selection_set, get_named_type(field.type) if field else None, _Level(level, key, times)

    def _literal(self, value: ValueNode) -> None:
        values = [(value, -1)]
        for at, (one, _) in enumerate(values):  # grows meanwhile
            if isinstance(one, ListValueNode):
                values += [(item, at) for item in one.values]
            elif isinstance(one, ObjectValueNode):
                values += [(member.value, at) for member in one.fields]
        self.literals += len(values)
        sizes = [1] * len(values)
        for at, (one, above) in reversed(list(enumerate(values))):
            if isinstance(one, ObjectValueNode):
                self.printed += len(one.fields) * sizes[at]
            if above >= 0:
                sizes[above] += sizes[at]

    def _definition(self, parent: GraphQLNamedType | None, name: str) -> GraphQLField | None:
        if name == "__schema":
            return SchemaMetaFieldDef
        if name == "__type":
            return TypeMetaFieldDef
        fields: Mapping[str, GraphQLField] = getattr(parent, "fields", {})
        return fields.get(name)


class _Values:
    """How many objects a field's arguments ask for."""

    def __init__(self, variables: Mapping[str, Any], operations: Iterable[OperationDefinitionNode]) -> None:
        self._given = variables
        self._defaults: dict[str, Any] = {}
        self._objects: dict[int, int] = {}
        for operation in operations:
            for one in operation.variable_definitions or ():
                name = one.variable.name.value
                if one.default_value:
                    self._defaults[name] = _UNTOLD if name in self._defaults else one.default_value

    def times(self, node: FieldNode, field: GraphQLField | None, parent: GraphQLNamedType | None) -> int:
        """By how much what is below a field counts: its `first`, or the length of the list that it is given."""
        if parent and parent.name.startswith("__"):
            return INTROSPECTED if field and is_list_type(get_nullable_type(field.type)) else 1
        declared: Mapping[str, GraphQLArgument] = field.args if field else {}
        given = {one.name.value: one.value for one in node.arguments or ()}
        times = 1
        for name in {**declared, **given}:
            argument = declared.get(name)
            value = self._value(given.get(name, Undefined))
            if value is Undefined and argument:
                value = _default(argument)
            times = max(times, _first(value) if name == "first" else self._length(value, argument))
        return times

    def _value(self, value: Any) -> Any:
        """What is behind a variable; Undefined when nothing is."""
        if not isinstance(value, VariableNode):
            return value
        name = value.name.value
        return self._given[name] if name in self._given else self._defaults.get(name, Undefined)

    def _length(self, value: Any, argument: GraphQLArgument | None) -> int:
        """The length of a list, or of the longest in an input object. One thing alone is a list of one."""
        type_ = get_nullable_type(argument.type) if argument else None
        if is_list_type(type_):
            return _items(value)
        if isinstance(value, ObjectValueNode):
            if id(value) not in self._objects:  # a default may be used by many
                lengths = [_items(self._value(one.value), alone=1) for one in value.fields]
                self._objects[id(value)] = max(lengths, default=1)
            return self._objects[id(value)]
        if isinstance(value, Mapping) and is_input_object_type(type_):
            return max((_items(value.get(name), alone=1) for name in type_.fields), default=1)
        return 1


_UNTOLD: Any = object()
"""The default of a variable that several operations have, where it is open which one runs."""


def _default(argument: GraphQLArgument) -> Any:
    if argument.default is None:
        return argument.default_value
    return argument.default.value if argument.default.literal is None else argument.default.literal


def _first(value: Any) -> int:
    if isinstance(value, IntValueNode):  # not all of them are numbers that Python would read
        value = int(value.value) if len(value.value) <= 10 else None
    if isinstance(value, int) and not isinstance(value, bool):
        return min(max(value, 1), LARGEST)
    return LARGEST


def _items(value: Any, alone: int = LARGEST) -> int:
    if isinstance(value, ListValueNode):
        return min(len(value.values), LARGEST)
    if isinstance(value, list | tuple):
        return min(len(value), LARGEST)
    one = value is None or value is Undefined or isinstance(value, str | StringValueNode | ObjectValueNode | Mapping)
    return 1 if one else alone
