"""Parses, prices and validates documents, and keeps the valid ones.

Input: the text of a document, the name of an operation in it, its variables, and the caller's limits. Output: a
`DocumentOperation` that can be executed. A document that is too costly is refused in time linear in its size, before
any step that could take longer.
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
"""Work that is done in steps and returns a result. Other requests may run between two steps."""
_KEPT_CHARACTERS = 500_000
_LEAST_CHARACTERS = 1000
"""The minimum size that is counted for a kept document, in characters: even a small document takes this much memory,
because its prices are kept too.
"""
LEAST_COST = 10
"""The least cost of an operation and of an event. Even the smallest one takes as much CPU time as ten points of a page.
"""
_KEPT_PRICES = 64
_LONGEST_NAMES = 100
"""The maximum length of the names in the key of a kept price, in characters: the names of the operation, of the
variables, and of their members.
"""


class Invalid(Exception):
    """Raised for a document that cannot be executed. `error` is the message for the client."""

    def __init__(self, error: GraphQLError) -> None:
        super().__init__(error.message)
        self.error = error


class NoOperation(Exception):
    """Raised if it is unclear which operation to run: no operation has the name, or no name was given and the document
    has several operations. `found` is the number of operations that match.
    """

    def __init__(self, found: int) -> None:
        super().__init__(f"{found} operations could be meant.")
        self.found = found


class Undeclared(Exception):
    """Raised for a request with a variable that no operation of the document declares. The value of such a variable
    would not be checked.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class WrongKind(Exception):
    """Raised if the caller does not accept operations of this kind (query, mutation or subscription)."""


@dataclass(frozen=True, slots=True)
class DocumentOperation:
    """One operation of a valid document, and its price."""

    document: DocumentNode
    node: OperationDefinitionNode
    price: Price
    is_personal: bool
    """Whether a field of the document depends on the viewer."""
    fields: frozenset[str]
    """The watched fields that the operation selects, as coordinates such as `Query.viewer`."""

    @property
    def name(self) -> str | None:
        """Returns the name of the operation, or None."""
        return self.node.name.value if self.node.name else None

    @property
    def root_field(self) -> str | None:
        """Returns the name of the first root field, or None if the first selection is a fragment. Use it only after
        validation, which bounds the number of distinct names.
        """
        first = next(iter(self.node.selection_set.selections), None)
        return first.name.value if isinstance(first, FieldNode) else None


class _Document:
    """A parsed document, with the prices of its operations for recent variables, and with the result of validation."""

    __slots__ = ("declared", "definitions", "fields", "is_personal", "is_valid", "node", "prices", "size")

    def __init__(self, node: DocumentNode, size: int) -> None:
        self.node = node
        self.size = size
        self.definitions = [one for one in node.definitions if isinstance(one, OperationDefinitionNode)]
        """The operations of the document."""
        self.declared = {
            one.variable.name.value for each in self.definitions for one in each.variable_definitions or ()
        }
        """The names of the variables that an operation declares."""
        self.is_valid = False
        self.is_personal = True
        self.fields: dict[str | None, frozenset[str]] = {}
        """The watched fields of each operation, by the operation's name."""
        self.prices: LRUCache[Hashable, Price] = LRUCache(_KEPT_PRICES)

    def operations(self, name: str | None) -> list[OperationDefinitionNode]:
        """Returns the operations that have this name, or all operations of the document if `name` is None."""
        return [one for one in self.definitions if name is None or (one.name and one.name.value == name)]


def _nothing(_type: str, _field: str) -> bool:
    return False


class Documents:
    """The parsed documents of a process, kept up to a total size. Documents that `warm` has added are kept forever."""

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
        """Returns whether a document is kept, so that it need not be parsed again."""
        return text in self._stored or text in self._kept

    def operation(self, *wanted: Any) -> DocumentOperation:
        """Returns the operation to run. Takes the arguments of `reading`, and runs all its steps without pauses."""
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
        """Finds the operation to run, in steps between which other requests may run. Parses and validates the document
        if it is not kept, and checks the operation's price. `kilobytes`, the size of the request, is added to the cost.

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
            _check_declared(document.declared, variables or {})
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
        """Validates a document and keeps it forever, whatever its size. Raises Invalid if the document is not valid."""
        return finished(self.warming(text))

    def warming(self, text: str) -> Stepwise[DocumentNode]:
        """Validates a document and keeps it forever, as `warm` does, in steps between which other requests may run."""
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
            measured = price(self._schema, document.node, name, variables)
            event_cost = max(LEAST_COST, measured.event_cost)
            known = replace(measured, cost=max(LEAST_COST, measured.cost), event_cost=event_cost)
            if _characters(name, variables) <= _LONGEST_NAMES:
                document.prices[key] = known
        return known

    def _validate(self, document: _Document) -> None:
        errors = validate(
            self._schema, document.node, self._rules, max_errors=1, hide_suggestions=not self._suggestions
        )
        if errors:
            raise errors[0]
        finder = _FieldFinder(self._is_personal, self._is_watched, info := TypeInfo(self._schema))
        visit(document.node, TypeInfoVisitor(info, finder))
        document.is_personal = finder.is_personal
        document.fields = {operation: finder.fields_of(operation) for operation in finder.operations}
        document.is_valid = True


def _operation(document: _Document, node: OperationDefinitionNode, price: Price) -> DocumentOperation:
    name = node.name.value if node.name else None
    return DocumentOperation(document.node, node, price, document.is_personal, document.fields[name])


@contextmanager
def _readable() -> Iterator[None]:
    """Raises Invalid in place of the errors that show that a document is invalid: an error of graphql-core, a fragment
    that contains itself, or a document beyond Python's limits.
    """
    try:
        yield
    except GraphQLError as error:
        raise Invalid(error) from None
    except Cyclic as error:
        raise Invalid(GraphQLError(str(error))) from None
    except (RecursionError, ValueError):  # Python's recursion and integer limits
        raise Invalid(GraphQLError("The document is nested too deeply, or a number is too long.")) from None


def finished(steps: Stepwise[T]) -> T:
    """Runs all steps of a generator without pauses and returns its result."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return cast("T", done.value)


def _check_declared(declared: Collection[str], variables: Iterable[str]) -> None:
    """Raises Undeclared for a variable that no operation declares. A variable that another operation declares is
    allowed, because editors send the variables of all operations of a document with each operation.
    """
    for name in variables:
        if name not in declared:
            raise Undeclared(name)


def _shape(variables: Mapping[str, Any]) -> Hashable:
    """Returns what prices depend on in the variables of a request: for each variable the number, or the lengths of its
    lists and of the lists in an input object, and how many values it contains.
    """
    return tuple((name, _size(value), measured(value)[0]) for name, value in variables.items())


def _size(value: Any) -> Hashable:
    if isinstance(value, Mapping):
        return tuple((name, len(one) if isinstance(one, list) else type(one)) for name, one in value.items())
    if isinstance(value, list):
        return "list", len(value)
    return str(value) if type(value) is int else type(value).__name__  # True and 1 are equal keys of a dictionary


def _characters(name: str | None, variables: Mapping[str, Any]) -> int:
    names = [name or "", *variables]
    names += [member for value in variables.values() if isinstance(value, Mapping) for member in value]
    return len(names) + sum(map(len, names))


class _Definition:
    """What an operation or fragment contains: its watched fields (those that `is_watched` accepts), and the names of
    the fragments that it spreads.
    """

    __slots__ = ("fields", "spreads")

    def __init__(self) -> None:
        self.fields: set[str] = set()
        self.spreads: set[str] = set()


class _FieldFinder(Visitor):
    """A visitor that finds out whether a valid document has fields that depend on the viewer, and which watched fields
    it selects.
    """

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
        """Returns the watched fields of an operation and of all fragments that it reaches."""
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
