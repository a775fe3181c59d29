"""Measures the selections of a document level by level: cost, depth, width, and numbers of fields, aliases, directives
and values. Each level is measured once, and the total of a fragment is added wherever the fragment is spread.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from graphql import (
    ExecutableDefinitionNode,
    FieldNode,
    FragmentSpreadNode,
    GraphQLField,
    GraphQLNamedType,
    GraphQLSchema,
    InlineFragmentNode,
    ObjectValueNode,
    SchemaMetaFieldDef,
    SelectionNode,
    SelectionSetNode,
    TypeMetaFieldDef,
    ValueNode,
    get_named_type,
)

from execution.limits import ENDLESS
from execution.list_lengths import Lengths, flattened

POINTS = "points"
"""The key in the extensions of a schema field under which its price in points is stored, if the field costs more than
one point for each parent object.
"""


class Cyclic(Exception):
    """Raised for a fragment that spreads itself, directly or through other fragments."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The fragment {name[:64]} contains itself.")


@dataclass(slots=True)
class SelectionTotal:
    """The measurements of a selection set and of all levels below it (see `Price`). `width` is the number of fields
    directly in the selection set, including the fields of its fragments. `cost_of_one` is the cost if each field
    directly in the selection set asked for one object.
    """

    cost: int = 0
    cost_of_one: int = 0
    depth: int = 0
    width: int = 0
    fields: int = 0
    aliases: int = 0
    directives: int = 0
    repeated: int = 0
    values: int = 0

    def add(self, other: "SelectionTotal", times: int = 1) -> None:
        self.cost = min(self.cost + times * other.cost, ENDLESS)
        self.fields = min(self.fields + other.fields, ENDLESS)
        self.aliases = min(self.aliases + other.aliases, ENDLESS)
        self.directives = min(self.directives + other.directives, ENDLESS)
        self.values = min(self.values + other.values, ENDLESS)


class SelectionLevel:
    """The counts of one selection set, including the inline fragments in it. The selection set belongs to the field
    with the response key `key` in the level `above`, and that field asks for `times` objects. Fragments that are spread
    by name are recorded by name, and counted by `settle`.
    """

    __slots__ = ("above", "key", "keys", "met", "spreads", "times", "total")

    def __init__(self, above: "SelectionLevel | None" = None, key: str = "", times: int = 1) -> None:
        self.above = above
        self.key = key
        self.times = times
        self.total = SelectionTotal()
        self.keys: Counter[str] = Counter()
        self.spreads: dict[str, None] = {}
        self.met = 0
        """The number of fragments that are spread here, by name and through other fragments."""

    def settle(self, fragments: Mapping[str, "Definition"]) -> None:
        """Adds the totals of the spread fragments to this level, then adds this level to its parent. Call this method
        for all fragments and for all levels below this level first.
        """
        total = self.total
        total.depth = max(total.depth, 1 if self.keys else 0)
        total.repeated = max(self.keys.values(), default=0)
        for name in self.spreads:
            if part := fragments.get(name):
                total.add(part.total)
                total.cost_of_one = min(total.cost_of_one + part.total.cost_of_one, ENDLESS)
                total.depth = max(total.depth, part.total.depth)
                total.width = min(total.width + part.total.width, ENDLESS)
                total.repeated = min(total.repeated + part.total.repeated, ENDLESS)
                self.met = min(self.met + part.levels[0].met, ENDLESS)
            self.met += 1
        if self.above:
            self.above.total.add(total, self.times)
            self.above.total.cost_of_one = min(self.above.total.cost_of_one + total.cost, ENDLESS)
            self.above.total.depth = max(self.above.total.depth, total.depth + 1)
            self.above.keys[self.key] += max(0, total.repeated - 1)  # the field itself


class Definition:
    """An operation or fragment: its selection sets (`levels`), outermost first, and their numbers of fields, cost and
    depth in all (`total`).
    """

    __slots__ = ("levels", "total")

    def __init__(self, levels: list[SelectionLevel]) -> None:
        self.levels = levels
        self.total = levels[0].total

    def spreads(self) -> Iterator[str]:
        for level in self.levels:
            yield from level.spreads

    def settle(self, fragments: Mapping[str, "Definition"]) -> None:
        for level in reversed(self.levels):
            level.settle(fragments)


def innermost_first(fragments: Mapping[str, Definition]) -> Iterator[Definition]:
    """Yields all fragments, each after the fragments that it spreads. Raises Cyclic if a fragment spreads itself,
    directly or through others.
    """
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


class Walk:
    """A walk through the definitions of one document, which counts their selections, fields and literals."""

    def __init__(self, schema: GraphQLSchema, lengths: Lengths) -> None:
        self._schema = schema
        self._lengths = lengths
        self.selections = 0
        self.literals = 0
        self.fields = 0
        self.printed = 0
        """The number of values that validation prints in error messages if all input objects are wrong. It prints a
        whole object for each member of the object.
        """

    def part(self, node: ExecutableDefinitionNode, type_: GraphQLNamedType | None) -> Definition:
        levels = [SelectionLevel()]
        levels[0].total.directives += len(node.directives or ())
        for variable in node.variable_definitions or ():
            levels[0].total.directives += len(variable.directives or ())
            self.literals += 1
            if variable.default_value:
                self._literal(variable.default_value)
        left: list[tuple[SelectionSetNode, GraphQLNamedType | None, SelectionLevel]] = [
            (node.selection_set, type_, levels[0])
        ]
        while left:
            selection_set, type_, level = left.pop()
            for selection in selection_set.selections:
                below = self._selection(selection, type_, level)
                if below:
                    left.append(below)
                    if below[2] is not level:
                        levels.append(below[2])
        return Definition(levels)

    def _selection(
        self, node: SelectionNode, type_: GraphQLNamedType | None, level: SelectionLevel
    ) -> tuple[SelectionSetNode, GraphQLNamedType | None, SelectionLevel] | None:
        """Counts a selection. Returns the selection set below it, with its type and level, or None if the selection has
        no selection set.
        """
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
        self, node: FieldNode, parent: GraphQLNamedType | None, level: SelectionLevel
    ) -> tuple[SelectionSetNode, GraphQLNamedType | None, SelectionLevel] | None:
        self.fields += 1
        for argument in node.arguments or ():
            level.total.values += self._literal(argument.value)
        key = node.alias.value if node.alias else node.name.value
        level.keys[key] += 1
        total, field = level.total, self._definition(parent, node.name.value)
        points = field.extensions.get(POINTS, 1) if field else 1
        total.cost += points
        total.cost_of_one += points
        total.width += 1
        total.fields += 1
        total.aliases += node.alias is not None
        if not node.selection_set:
            return None
        times = self._lengths.times(node, field, parent)
        return node.selection_set, get_named_type(field.type) if field else None, SelectionLevel(level, key, times)

    def _literal(self, value: ValueNode) -> int:
        """Counts a literal. Returns the number of values in the literal, including the values of its variables."""
        values = flattened(value)
        self.literals += len(values)
        sizes = [1] * len(values)
        for at, (one, above) in reversed(list(enumerate(values))):
            if isinstance(one, ObjectValueNode):
                self.printed += len(one.fields) * sizes[at]
            if above >= 0:
                sizes[above] += sizes[at]
        return sum(self._lengths.values(one) for one, _ in values)

    def _definition(self, parent: GraphQLNamedType | None, name: str) -> GraphQLField | None:
        if name == "__schema":
            return SchemaMetaFieldDef
        if name == "__type":
            return TypeMetaFieldDef
        fields: Mapping[str, GraphQLField] = getattr(parent, "fields", {})
        return fields.get(name)
