"""Documents on their way to execution: parsed, priced and validated; those that are valid are kept.

Input: the text of a document, the name of an operation in it, its variables, and the caller's limits. Output: a
`DocumentOperation` that can be executed. A document is refused in time linear in its size, before any step that could
take longer.
"""

from collections.abc import Callable, Collection, Generator, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from cachetools import LRUCache
from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLField,
    GraphQLSchema,
    NoSchemaIntrospectionCustomRule,
    OperationDefinitionNode,
    OperationType,
    TypeInfo,
    TypeInfoVisitor,
    Visitor,
    parse,
    specified_rules,
    validate,
    visit,
)

from execution.cost import price
from execution.limits import Limits, Price, check, check_mutation, check_running, check_text
from execution.selections import Cyclic
from execution.sizes import measured

T = TypeVar("T")
Stepwise = Generator[None, None, T]
"""Something done in steps, between which others may have their turn; and what comes out."""
_KEPT_CHARACTERS = 500_000
_LEAST_CHARACTERS = 1000
"""What even the smallest document counts as: with its prices it takes as much memory as a larger one."""
_KEPT_PRICES = 64
_LONGEST_NAMES = 100
"""Characters, in the names of the operation, the variables, and members of those, that a price is remembered for."""


class Invalid(Exception):
    """A document that cannot be executed; `error` is what its author is told."""

    def __init__(self, error: GraphQLError) -> None:
        super().__init__(error.message)
        self.error = error


class NoOperation(Exception):
    """The name is none of the document's operations, or it is missing where there are several: `found` is how many."""

    def __init__(self, found: int) -> None:
        super().__init__(f"{found} operations could be meant.")
        self.found = found


class Undeclared(Exception):
    """A variable that no operation of the document declares: nothing would ever look at its value."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class WrongKind(Exception):
    """The operation is of a kind that is not run here."""


@dataclass(frozen=True, slots=True)
class DocumentOperation:
    """One operation of a valid document, and what running it comes to."""

    document: DocumentNode
    node: OperationDefinitionNode
    price: Price
    is_personal: bool
    """Whether any field of the document depends on who asks."""
    fields: frozenset[str]
    """The coordinates, such as `Query.viewer`, of its fields that the schema's owner watches."""

    @property
    def name(self) -> str | None:
        """Its own name."""
        return self.node.name.value if self.node.name else None

    @property
    def root_field(self) -> str | None:
        """The first field: valid, so that there are only so many."""
        first = next(iter(self.node.selection_set.selections), None)
        return first.name.value if isinstance(first, FieldNode) else None


class _Document:
    """A parsed document, what its operations come to with the variables seen lately, and whether it is valid."""

    __slots__ = ("fields", "is_personal", "is_valid", "node", "prices", "size")

    def __init__(self, node: DocumentNode, size: int) -> None:
        self.node = node
        self.size = size
        self.is_valid = False
        self.is_personal = True
        self.fields: dict[str | None, frozenset[str]] = {}
        """The watched fields of each operation, by its name."""
        self.prices: LRUCache[Hashable, Price] = LRUCache(_KEPT_PRICES)

    def operations(self, name: str | None) -> list[OperationDefinitionNode]:
        """Those of a name; all where none is given."""
        operations = [one for one in self.node.definitions if isinstance(one, OperationDefinitionNode)]
        return [one for one in operations if name is None or (one.name and one.name.value == name)]


def _nothing(_type: str, _field: str) -> bool:
    return False


class Documents:
    """Bounded by the size of what is kept; documents that were `warmed` stay for good."""

    def __init__(
        self,
        schema: GraphQLSchema,
        is_personal: Callable[[GraphQLField], bool],
        is_watched: Callable[[str, str], bool] = _nothing,
        *,
        introspection: bool = True,
        suggestions: bool = True,
    ) -> None:
        self._schema = schema
        self._is_personal = is_personal
        self._is_watched = is_watched
        self._suggestions = suggestions
        self._rules = specified_rules if introspection else (*specified_rules, NoSchemaIntrospectionCustomRule)
        self._stored: dict[str, _Document] = {}
        self._kept: LRUCache[str, _Document] = LRUCache(
            _KEPT_CHARACTERS, getsizeof=lambda one: max(one.size, _LEAST_CHARACTERS)
        )

    def knows(self, text: str) -> bool:
        """Whether a document is kept, so that nothing of it has to be read again."""
        return text in self._stored or text in self._kept

    def operation(self, *wanted: Any) -> DocumentOperation:
        """What `reading` returns, at once."""
        return finished(self.reading(*wanted))

    def reading(
        self,
        text: str,
        name: str | None,
        variables: Mapping[str, Any] | None,
        limits: Limits,
        kinds: Collection[OperationType] = frozenset(OperationType),
        kilobytes: int = 0,
    ) -> Stepwise[DocumentOperation]:
        """Finds the operation to run, in steps where the document is not known. Each kilobyte costs a point.

        Raises TooCostly, NoOperation, Undeclared, WrongKind or Invalid.
        """
        stored = self._stored.get(text)
        document = stored or self._kept.get(text)
        with _readable():
            if document is None:
                check_text(text, limits)
                document = _Document(parse(text, max_tokens=limits.tokens), len(text))
                yield
            candidates = document.operations(name)
            _check_declared(document.operations(None), variables or {})
            price = self._priced(document, name, variables or {})
            price = replace(price, cost=price.cost + kilobytes) if kilobytes else price
            (check_running if stored else check)(price, limits)
            if candidates and candidates[0].operation not in kinds:
                raise WrongKind
            if any(one.operation is OperationType.MUTATION for one in candidates):
                check_mutation(price, limits)
            if candidates and not document.is_valid:
                self._validate(document)
                self._kept[text] = document
                yield
        if len(candidates) != 1:
            raise NoOperation(len(candidates))
        return _operation(document, candidates[0], price)

    def warm(self, text: str) -> DocumentNode:
        """Keeps a document for good, whatever its size. Raises Invalid for one that cannot be executed."""
        return finished(self.warming(text))

    def warming(self, text: str) -> Stepwise[DocumentNode]:
        """Does what `warm` does, in steps."""
        with _readable():
            document = _Document(parse(text), len(text))
            yield
            self._validate(document)
            yield
        self._stored[text] = document
        return document.node

    def _priced(self, document: _Document, name: str | None, variables: Mapping[str, Any]) -> Price:
        key = name, _shape(variables)
        known = document.prices.get(key)
        if known is None:
            known = price(self._schema, document.node, name, variables)
            if _characters(name, variables) <= _LONGEST_NAMES:
                document.prices[key] = known
        return known

    def _validate(self, document: _Document) -> None:
        errors = validate(
            self._schema, document.node, self._rules, max_errors=1, hide_suggestions=not self._suggestions
        )
        if errors:
            raise errors[0]
        finder = _Finder(self._is_personal, self._is_watched, info := TypeInfo(self._schema))
        visit(document.node, TypeInfoVisitor(info, finder))
        document.is_personal = finder.is_personal
        document.fields = {operation: finder.fields_of(operation) for operation in finder.operations}
        document.is_valid = True


def _operation(document: _Document, node: OperationDefinitionNode, price: Price) -> DocumentOperation:
    name = node.name.value if node.name else None
    return DocumentOperation(document.node, node, price, document.is_personal, document.fields[name])


@contextmanager
def _readable() -> Iterator[None]:
    """Raises Invalid for whatever keeps a document from being read."""
    try:
        yield
    except GraphQLError as error:
        raise Invalid(error) from None
    except Cyclic as error:
        raise Invalid(GraphQLError(str(error))) from None
    except (RecursionError, ValueError):  # Python's own bounds
        raise Invalid(GraphQLError("The document is nested too deeply, or a number is too long.")) from None


def finished(steps: Stepwise[T]) -> T:
    """The result of something that is done in steps, without a pause between them."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return cast("T", done.value)


def _check_declared(operations: Iterable[OperationDefinitionNode], variables: Mapping[str, Any]) -> None:
    """Raises Undeclared. Editors send the variables of all operations of a document with each of them."""
    declared = {one.variable.name.value for each in operations for one in each.variable_definitions or ()}
    for name in variables:
        if name not in declared:
            raise Undeclared(name)


def _shape(variables: Mapping[str, Any]) -> Hashable:
    """As much of the variables as prices depend on: numbers, lengths of lists, also those in an object, and how many
    values there are.
    """
    return tuple((name, _size(value), measured(value)[0]) for name, value in variables.items())


def _size(value: Any) -> Hashable:
    if isinstance(value, Mapping):
        return tuple((name, len(one) if isinstance(one, list) else type(one)) for name, one in value.items())
    if isinstance(value, list):
        return "list", len(value)
    return str(value) if type(value) is int else type(value).__name__  # True is 1 to a dictionary


def _characters(name: str | None, variables: Mapping[str, Any]) -> int:
    names = [name or "", *variables]
    names += [member for value in variables.values() if isinstance(value, Mapping) for member in value]
    return len(names) + sum(map(len, names))


class _Definition:
    """The watched fields of an operation or fragment, and the fragments that it spreads."""

    __slots__ = ("fields", "spreads")

    def __init__(self) -> None:
        self.fields: set[str] = set()
        self.spreads: set[str] = set()


class _Finder(Visitor):
    """Finds out whether a valid document has personal fields, and which watched fields its definitions have."""

    def __init__(
        self, is_personal: Callable[[GraphQLField], bool], is_watched: Callable[[str, str], bool], info: TypeInfo
    ) -> None:
        super().__init__()
        self.is_personal = False
        self.operations: dict[str | None, _Definition] = {}
        self._fragments: dict[str, _Definition] = {}
        self._at = _Definition()
        self._found_personal = is_personal
        self._is_watched = is_watched
        self._info = info

    def fields_of(self, operation: str | None) -> frozenset[str]:
        """The watched fields of an operation and of all fragments that it reaches."""
        fields, reached, left = set[str](), set[str](), [self.operations[operation]]
        while left:
            definition = left.pop()
            fields |= definition.fields
            left += [self._fragments[name] for name in definition.spreads - reached]
            reached |= definition.spreads
        return frozenset(fields)

    def enter_operation_definition(self, node: OperationDefinitionNode, *_: Any) -> None:
        self._at = self.operations[node.name.value if node.name else None] = _Definition()

    def enter_fragment_definition(self, node: FragmentDefinitionNode, *_: Any) -> None:
        self._at = self._fragments[node.name.value] = _Definition()

    def enter_fragment_spread(self, node: FragmentSpreadNode, *_: Any) -> None:
        self._at.spreads.add(node.name.value)

    def enter_field(self, node: FieldNode, *_: Any) -> None:
        field, parent = self._info.get_field_def(), self._info.get_parent_type()
        self.is_personal = self.is_personal or bool(field and self._found_personal(field))
        if parent and self._is_watched(parent.name, node.name.value):
            self._at.fields.add(f"{parent.name}.{node.name.value}")
